interface Watched {
  readonly dueMs: number;
  readonly expire: () => void;
  settled: boolean;
}

/** How often waiting calls are looked at. */
const CHECK_MS = 20;

/**
 * Gives up on calls that take too long: one coarse timer for all of them, as one per request would
 * cost as much as the rest of its bookkeeping. After a pause of this process' own, replies that have
 * arrived meanwhile are read first: they were in time.
 */
export class Deadlines {
  readonly #maxMs: number;
  readonly #fault: () => Error;
  #queue: Watched[] = [];
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param maxMs how long a call may take; it is given up at most `CHECK_MS` later
   * @param fault what a call given up rejects with
   */
  constructor(maxMs: number, fault: () => Error) {
    this.#maxMs = maxMs;
    this.#fault = fault;
  }

  /** The call's own end, or the fault when that takes too long; the call is then on its own. */
  watch<T>(call: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const dueMs = performance.now() + this.#maxMs;
      const watched = { dueMs, settled: false, expire: () => reject(this.#fault()) };
      this.#queue.push(watched);
      this.#timer ??= setInterval(() => setImmediate(() => this.#check()), CHECK_MS);
      call.then(
        (value) => {
          watched.settled = true;
          resolve(value);
        },
        (error) => {
          watched.settled = true;
          reject(error);
        },
      );
    });
  }

  #check(): void {
    const nowMs = performance.now();
    let done = 0;
    for (const watched of this.#queue) {
      if (!watched.settled) {
        if (watched.dueMs > nowMs) break;
        watched.expire();
      }
      done++;
    }
    this.#queue = this.#queue.slice(done);
    if (this.#queue.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
