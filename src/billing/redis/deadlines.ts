interface Watched {
  readonly dueMs: number;
  readonly expire: () => void;
  settled: boolean;
}

/** Waiting calls are checked at this interval. */
const CHECK_MS = 20;

/**
 * Gives up calls that take too long. All calls share one coarse timer, because a timer per request
 * would cost as much as the rest of the gate's work in this process. After a pause of this process,
 * the replies that arrived during the pause are read first: they were in time.
 */
export class Deadlines {
  readonly #maxMs: number;
  readonly #fault: () => Error;
  readonly #onLate: (() => void) | undefined;
  #queue: Watched[] = [];
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param maxMs how long a call may take; a late call is given up at most `CHECK_MS` after that
   * @param fault makes the error of a call that is given up
   * @param onLate runs after each check that gave up calls
   */
  constructor(maxMs: number, fault: () => Error, onLate?: () => void) {
    this.#maxMs = maxMs;
    this.#fault = fault;
    this.#onLate = onLate;
  }

  /** Settles as the call does, or rejects when the call takes too long. The call itself goes on. */
  watch<T>(call: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const dueMs = performance.now() + this.#maxMs;
      const watched = { dueMs, settled: false, expire: () => reject(this.#fault()) };
      this.#queue.push(watched);
      this.#timer ??= setInterval(() => this.#checkSoon(), CHECK_MS);
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

  /**
   * Checks for late calls after the replies that are here now have been read. A pause that begins
   * later counts for no call, because the replies that arrive during it are read later.
   */
  #checkSoon(): void {
    const nowMs = performance.now();
    setImmediate(() => this.#check(nowMs));
  }

  #check(nowMs: number): void {
    let done = 0;
    let late = false;
    for (const watched of this.#queue) {
      if (!watched.settled) {
        if (watched.dueMs > nowMs) break;
        watched.expire();
        late = true;
      }
      done++;
    }
    if (late) this.#onLate?.();
    this.#queue = this.#queue.slice(done);
    if (this.#queue.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
