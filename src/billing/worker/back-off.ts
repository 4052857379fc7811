const FIRST_MS = 500;
const MOST_MS = 5000;

/** Holds a group's jobs back after failures, twice as long after each, until one succeeds. */
export class BackOff {
  readonly #failures = new Map<number, { readonly count: number; readonly untilMs: number }>();

  /** Whether to wait still. */
  waits(group: number): boolean {
    return (this.#failures.get(group)?.untilMs ?? 0) > performance.now();
  }

  failed(group: number): void {
    const count = this.#failures.get(group)?.count ?? 0;
    const mostMs = Math.min(FIRST_MS * 2 ** count, MOST_MS);
    // Not all groups at the same moment again.
    const waitMs = mostMs * (0.5 + Math.random() / 2);
    this.#failures.set(group, { count: count + 1, untilMs: performance.now() + waitMs });
  }

  succeeded(group: number): void {
    this.#failures.delete(group);
  }
}
