/** At least so many ids are remembered, and at most twice as many. */
const REMEMBERED_MIN = 10_000;

/**
 * Recognises a request id that was just used. Ids are made to be unique; this finds a mistake in
 * the program early, and the unique cause of the ledger finds every other duplicate.
 */
export class RecentIds {
  #current = new Set<string>();
  #previous = new Set<string>();

  /** Remembers an id; false when it is among those remembered. */
  add(id: string): boolean {
    if (this.#current.has(id) || this.#previous.has(id)) return false;
    if (this.#current.size >= REMEMBERED_MIN) {
      this.#previous = this.#current;
      this.#current = new Set();
    }
    this.#current.add(id);
    return true;
  }
}
