import { RATE_WINDOW_MS, type RateState } from '../../core/billing-terms.js';
import type { Clock, GateStep } from '../gate.js';

/** Whether hits were admitted, and the state of the key's limit after that. */
export interface RateDecision {
  readonly allowed: boolean;
  readonly rate: RateState;
  /** Whole seconds until the same hits would pass, rounded up; 0 when they did. */
  readonly retryAfterSeconds: number;
}

/**
 * Rate limit per key: no 60 s ever hold more than `limit` hits, and after 60 idle seconds the full
 * limit is available again. The windows are kept in two generations that change every 60 s. A hit
 * moves its key's window to the current generation; windows that stay in the previous one until
 * the next change have been idle for a whole window and are dropped.
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

  /** Admits all of `hits` or none. A clock that goes back counts as standing still. */
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

  /** Adds hits of an earlier process, oldest first; a hit in the future counts as made now. */
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

const INITIAL_SLOTS = 4;

/**
 * Exact log of the hits of one key in the last 60 s: a ring of (time, hits), one slot for each
 * millisecond that had any, so it never grows beyond 60,000 slots. A hit made at t has left at
 * t + 60,000 ms. Times must not decrease; every operation is O(1) amortised.
 */
export class SlidingWindow {
  #timesMs = new Float64Array(INITIAL_SLOTS);
  #hits = new Float64Array(INITIAL_SLOTS);
  #head = 0;
  #slots = 0;
  #total = 0;

  /** Hits in the window that ends now. */
  count(nowMs: number): number {
    const mask = this.#timesMs.length - 1;
    while (this.#slots > 0 && this.#timeAt(0) + RATE_WINDOW_MS <= nowMs) {
      this.#total -= this.#hits[this.#head] ?? 0;
      this.#head = (this.#head + 1) & mask;
      this.#slots--;
    }
    return this.#total;
  }

  /** Adds hits made now. Call `count` first: it removes the old ones. */
  add(nowMs: number, hits: number): void {
    if (hits === 0) return;
    this.#total += hits;
    if (this.#slots > 0 && this.#timeAt(this.#slots - 1) === nowMs) {
      const last = this.#index(this.#slots - 1);
      this.#hits[last] = (this.#hits[last] ?? 0) + hits;
      return;
    }
    if (this.#slots === this.#timesMs.length) this.#grow();
    const next = this.#index(this.#slots);
    this.#timesMs[next] = nowMs;
    this.#hits[next] = hits;
    this.#slots++;
  }

  /** Milliseconds until `hits` of the present hits have left; 0 when `hits` is not positive. */
  msUntilLeft(nowMs: number, hits: number): number {
    let left = 0;
    for (let slot = 0; slot < this.#slots && left < hits; slot++) {
      left += this.#hits[this.#index(slot)] ?? 0;
      if (left >= hits) return this.#timeAt(slot) + RATE_WINDOW_MS - nowMs;
    }
    return hits <= 0 ? 0 : RATE_WINDOW_MS;
  }

  #index(slot: number): number {
    return (this.#head + slot) & (this.#timesMs.length - 1);
  }

  #timeAt(slot: number): number {
    return this.#timesMs[this.#index(slot)] ?? 0;
  }

  #grow(): void {
    const slots = this.#timesMs.length;
    const timesMs = new Float64Array(slots * 2);
    const hits = new Float64Array(slots * 2);
    for (let slot = 0; slot < slots; slot++) {
      timesMs[slot] = this.#timeAt(slot);
      hits[slot] = this.#hits[this.#index(slot)] ?? 0;
    }
    this.#timesMs = timesMs;
    this.#hits = hits;
    this.#head = 0;
  }
}

/**
 * Makes a clock for measuring elapsed time from a wall clock. It never goes back: when the wall
 * clock is set back, it continues from where it was instead of standing still for as long.
 */
export function elapsedClock(wall: Clock): Clock {
  let offsetMs = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = wall();
    if (nowMs < lastMs) offsetMs += lastMs - nowMs;
    lastMs = nowMs;
    return nowMs + offsetMs;
  };
}

/** How long hits are collected. A crash forgets those of this time. */
const COLLECT_MS = 50;

/** Books the hits of a key in one step. */
type Book = (keyId: string, atMs: number, step: GateStep) => void;

interface Collected {
  readonly step: GateStep;
  /** Time of the last hit. The rate limit is then never wider after a restart. */
  atMs: number;
  hits: number;
}

/**
 * Collects the hits of refused requests, which are booked in the background: one step for each key,
 * 20 times a second. So a refusal neither waits for the writer nor makes work for it.
 */
export class LateHits {
  readonly #book: Book;
  readonly #keys = new Map<string, Collected>();
  #timer: NodeJS.Timeout | undefined;

  constructor(book: Book) {
    this.#book = book;
  }

  /** Adds the hits of a step to those of its key. */
  add(keyId: string, atMs: number, step: GateStep): void {
    const known = this.#keys.get(keyId);
    if (known === undefined) this.#keys.set(keyId, { step, atMs, hits: step.hits });
    else {
      known.atMs = atMs;
      known.hits += step.hits;
    }
    this.#timer ??= setTimeout(() => this.flush(), COLLECT_MS);
  }

  /** Books what is collected. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const [keyId, { step, atMs, hits }] of this.#keys) {
      this.#book(keyId, atMs, { ...step, hits });
    }
    this.#keys.clear();
  }
}
