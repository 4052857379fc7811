import type { FastifyRateLimitStore } from '@fastify/rate-limit';
import { BoundedMap } from '../core/bounded-map.js';

interface Count {
  current: number;
  readonly endsAtMs: number;
}

/** Addresses counted at once; the one that has been silent the longest is forgotten first. */
const ADDRESSES_MAX = 5000;

/**
 * Counts the requests of addresses, as the store of @fastify/rate-limit does. That store goes by the time
 * of day: after a clock that ran ahead is set back, its windows do not end until the wrong time.
 */
export class AddressCounts implements FastifyRateLimitStore {
  readonly #counts = new BoundedMap<string, Count>(ADDRESSES_MAX);

  incr(
    address: string,
    callback: (error: Error | null, result?: { current: number; ttl: number }) => void,
    windowMs: number,
  ): void {
    const nowMs = performance.now();
    let count = this.#counts.get(address);
    if (count === undefined || count.endsAtMs <= nowMs) {
      count = { current: 0, endsAtMs: nowMs + windowMs };
    }
    count.current++;
    this.#counts.set(address, count);
    callback(null, { current: count.current, ttl: Math.ceil(count.endsAtMs - nowMs) });
  }

  child(): AddressCounts {
    return new AddressCounts();
  }
}
