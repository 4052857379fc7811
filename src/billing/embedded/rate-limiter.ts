import { RATE_WINDOW_MS, type RateState } from '../../core/billing-terms.js';
import { SlidingWindow } from './sliding-window.js';

/** Whether hits were let in, and the key's state after that. */
export interface RateDecision {
  readonly allowed: boolean;
  readonly rate: RateState;
  /** Whole seconds until the same hits would pass, rounded up; 0 when they did. */
  readonly retryAfterSeconds: number;
}

/**
 * Rate limit per key: no 60 s ever hold more than `limit` hits, and after 60 idle seconds the full
 * limit passes. Windows of keys idle for a whole window are dropped: they wait in the older of two
 * generations and, untouched until the next change of generations, go with it.
 */
export class RateLimiter {
  readonly #limit: number;
  #current = new Map<string, SlidingWindow>();
  #previous = new Map<string, SlidingWindow>();
  #turnedAtMs = Number.NEGATIVE_INFINITY;
  #nowMs = Number.NEGATIVE_INFINITY;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Number of keys with a window in memory. */
  get keys(): number {
    return this.#current.size + this.#previous.size;
  }

  /** Lets `hits` in all together or not at all. A clock that steps back is taken to stand still. */
  hit(keyId: string, hits: number, atMs: number): RateDecision {
    const nowMs = this.#advance(atMs);
    const window = this.#window(keyId);
    const used = window.count(nowMs);
    const excess = used + hits - this.#limit;
    if (excess > 0) {
      const waitMs = Math.max(1, window.msUntilLeft(nowMs, excess));
      const retryAfterSeconds = Math.ceil(waitMs / 1000);
      return { allowed: false, rate: this.#state(window, used, nowMs), retryAfterSeconds };
    }
    window.add(nowMs, hits);
    return {
      allowed: true,
      rate: this.#state(window, used + hits, nowMs),
      retryAfterSeconds: 0,
    };
  }

  /** Takes over hits of an earlier process, oldest first; one of the future counts as made now. */
  restore(keyId: string, hits: number, madeAtMs: number, nowMs: number): void {
    this.#advance(nowMs);
    const window = this.#window(keyId);
    window.add(Math.min(madeAtMs, this.#nowMs), hits);
  }

  #state(window: SlidingWindow, used: number, nowMs: number): RateState {
    const resetSeconds = used === 0 ? 0 : Math.ceil(window.msUntilLeft(nowMs, 1) / 1000);
    return { limit: this.#limit, remaining: Math.max(0, this.#limit - used), resetSeconds };
  }

  #advance(atMs: number): number {
    if (atMs > this.#nowMs) this.#nowMs = atMs;
    if (this.#nowMs >= this.#turnedAtMs + RATE_WINDOW_MS) {
      this.#previous = this.#current;
      this.#current = new Map();
      this.#turnedAtMs = this.#nowMs;
    }
    return this.#nowMs;
  }

  #window(keyId: string): SlidingWindow {
    const known = this.#current.get(keyId);
    if (known !== undefined) return known;
    const window = this.#previous.get(keyId) ?? new SlidingWindow();
    this.#previous.delete(keyId);
    this.#current.set(keyId, window);
    return window;
  }
}
