import { GateError } from '../gate.js';

/** Bounds of a limiter. */
export interface LimiterOptions {
  /** Calls under way at once. */
  readonly runningMax: number;
  /** Calls that may wait; further ones are refused. */
  readonly waitingMax: number;
  /** How long a caller waits for its call, including the time in the queue. */
  readonly timeoutMs: number;
}

/** Limits the calls to a store that may be slow or down, and the time that a caller waits for a call. */
export class Limiter {
  readonly #options: LimiterOptions;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(options: LimiterOptions) {
    this.#options = options;
  }

  /**
   * Runs a call when fewer than `runningMax` calls are running.
   *
   * @throws GateError `overloaded` when too many calls wait, `unavailable` when the call fails or
   * takes too long
   */
  run<T>(call: () => Promise<T>): Promise<T> {
    const { runningMax, waitingMax, timeoutMs } = this.#options;
    if (this.#running >= runningMax && this.#waiting.length >= waitingMax) {
      return Promise.reject(new GateError('overloaded', 'Too many look-ups in the ledger.'));
    }
    return new Promise((resolve, reject) => {
      let given = true;
      const fail = (cause?: unknown) => {
        given = false;
        const message = 'The ledger’s database did not answer.';
        reject(new GateError('unavailable', message, { cause }));
      };
      const timer = setTimeout(fail, timeoutMs);
      // A call that timed out still counts as running, so a store that hangs gets no more calls.
      const start = async () => {
        this.#running++;
        try {
          if (given) resolve(await call());
        } catch (error) {
          fail(error);
        } finally {
          clearTimeout(timer);
          this.#running--;
          this.#waiting.shift()?.();
        }
      };
      if (this.#running < runningMax) void start();
      else this.#waiting.push(() => void start());
    });
  }
}
