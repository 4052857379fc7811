/** Ids remembered at least; twice as many at most. */
const REMEMBERED_MIN = 10_000;

/**
 * Tells a request id that was just used. Ids are unique by the way they are made; this guards against
 * a mistake in the program, and the ledger's unique cause against any other.
 */
export class RecentIds {
  #current = new Set<string>();
  #previous = new Set<string>();

  /** Notes an id; false when it is among the latest noted. */
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
