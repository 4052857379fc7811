const FIRST_MS = 100;
const MOST_MS = 10_000;
/** A process that has listened this long is sound: its end counts as a first one. */
const STEADY_MS = 10_000;

/** How long to wait before a process that ended is started again: twice as long each time. */
export class BackOff {
  #failures = 0;

  /**
   * @param listenedMs how long the process that ended had listened; 0 if it never did
   * @returns ms to wait
   */
  next(listenedMs: number): number {
    if (listenedMs >= STEADY_MS) this.#failures = 0;
    return Math.min(MOST_MS, FIRST_MS * 2 ** this.#failures++);
  }
}
