const SEARCH_DELAY_MS = 500;

let search: typeof import('./search.js') | undefined;

/** The search with its words; undefined until it is loaded. */
export function loadedSearch(): typeof search {
  return search;
}

/** Fetches the search and makes its index. Until then, and after a failure, only names are searched. */
export async function loadSearch(): Promise<void> {
  const module = await import('./search.js');
  if (search === undefined) module.prepareSearch();
  search = module;
}

/** Fetches the search after the visible parts of the page, and before the user types. */
export function loadSearchSoon(): void {
  setTimeout(() => loadSearch().catch(() => undefined), SEARCH_DELAY_MS);
}

/** Whether a name contains a text. It is the search until `loadedSearch` is there. */
export function contains(name: string, text: string): boolean {
  return name.toLowerCase().includes(text.toLowerCase());
}
