const FIRST_MS = 100;
const MOST_MS = 10_000;
/** A process that has listened for this long works well; its end counts as the first failure. */
const STEADY_MS = 10_000;

/** How long to wait before a process is started again. The time doubles at each failure. */
export class BackOff {
  #failures = 0;

  /**
   * @param listenedMs how long the process listened before it ended; 0 if it never listened
   * @returns ms to wait
   */
  next(listenedMs: number): number {
    if (listenedMs >= STEADY_MS) this.#failures = 0;
    return Math.min(MOST_MS, FIRST_MS * 2 ** this.#failures++);
  }
}
