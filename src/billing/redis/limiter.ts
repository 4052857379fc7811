import { GateError } from '../errors.js';

/** Bounds of a limiter. */
export interface LimiterOptions {
  /** Calls under way at once. */
  readonly runningMax: number;
  /** Calls that may wait for their turn; further ones are refused. */
  readonly waitingMax: number;
  /** How long a caller waits for its call, its turn included. */
  readonly timeoutMs: number;
}

/** Lets so many calls at once through to a store that may be slow or away, and no caller wait long. */
export class Limiter {
  readonly #options: LimiterOptions;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(options: LimiterOptions) {
    this.#options = options;
  }

  /**
   * Runs a call in its turn.
   *
   * @throws GateError `overloaded` when too many wait, `unavailable` when it fails or takes too long
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
        const message = 'The ledger’s database cannot be asked.';
        reject(new GateError('unavailable', message, { cause }));
      };
      const timer = setTimeout(fail, timeoutMs);
      // The turn ends with the call itself: a store that hangs is not asked more and more.
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
