import { RATE_WINDOW_MS } from '../../core/billing-terms.js';

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

  /** Counts hits made now; call `count` first, so that old ones have left. */
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

  /** Milliseconds until so many of the present hits have left; 0 when `hits` is not positive. */
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
