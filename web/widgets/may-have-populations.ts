/** Key of the populations that this browser keeps. */
export const STORED_AS = 'vitruvia.populations';

/**
 * Whether this user may have saved populations: someone who is signed in, or whose browser has some. Only
 * then is the code loaded that reads them.
 */
export function mayHavePopulations(): boolean {
  if (document.documentElement.dataset.signedIn !== undefined) return true;
  try {
    return localStorage.getItem(STORED_AS) !== null;
  } catch {
    // The browser or its user blocks storage.
    return false;
  }
}
