/** The placeholder of a key in the examples. */
const PLACEHOLDER = '<API_KEY>';
const STORED_AS = 'vitruvia.example-key';
/** Live keys spend money and are never kept. */
const TEST_KEY = /^vt_test_[0-9A-Za-z]{40}$/;
/** Number of first characters that the list of keys shows. */
const START_CHARS = 14;

/**
 * The reader's test key for the examples; undefined if there is none. Only this browser stores it. If the
 * browser is not signed in, the key is removed, so the key is gone after a sign-out.
 */
export function exampleKey(): string | undefined {
  const key = stored();
  if (key === undefined) return undefined;
  if (document.documentElement.dataset.signedIn !== undefined && TEST_KEY.test(key)) return key;
  forgetExampleKey();
  return undefined;
}

/**
 * Stores a test key for the examples in this browser.
 *
 * @returns whether it is stored; false for a live key, or if the browser blocks storage
 */
export function keepExampleKey(key: string): boolean {
  if (!TEST_KEY.test(key)) return false;
  try {
    localStorage.setItem(STORED_AS, key);
  } catch {
    // The browser or its user blocks storage.
  }
  return stored() === key;
}

/** Removes the key from this browser. */
export function forgetExampleKey(): void {
  try {
    localStorage.removeItem(STORED_AS);
  } catch {
    // If the browser blocks storage, there is no key to remove.
  }
}

/** An example with the key in place of the placeholder. */
export function withKey(text: string, key: string | undefined): string {
  return key === undefined ? text : text.replaceAll(PLACEHOLDER, key);
}

/** The first characters of a key, as in the list of keys. */
export function startOf(key: string): string {
  return key.slice(0, START_CHARS);
}

function stored(): string | undefined {
  try {
    return localStorage.getItem(STORED_AS) ?? undefined;
  } catch {
    return undefined;
  }
}
