import type { FastifyRateLimitStore } from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { BoundedMap } from '../core/bounded-map.js';
import { Problem } from '../core/errors.js';
import { MINUTE_MS } from '../core/time.js';

interface Count {
  current: number;
  readonly endsAtMs: number;
}

/**
 * Maximum number of addresses whose requests are counted. The address that has been silent the
 * longest is forgotten first.
 */
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

/** Requests per minute and address on the routes without authentication. */
const PUBLIC_RATE_MAX = 600;

const quiet = {
  'x-ratelimit-limit': false,
  'x-ratelimit-remaining': false,
  'x-ratelimit-reset': false,
};

/**
 * Limits the requests per address on the routes of a scope; refuses with Problem `rate_limited`.
 *
 * @param global whether all routes are limited; if not, routes can have limits of their own
 */
export async function limitAddresses(app: FastifyInstance, global = true): Promise<void> {
  const { default: rateLimit } = await import('@fastify/rate-limit');
  await app.register(rateLimit, {
    global,
    max: PUBLIC_RATE_MAX,
    timeWindow: MINUTE_MS,
    store: AddressCounts,
    addHeadersOnExceeding: quiet,
    addHeaders: { ...quiet, 'retry-after': true },
    errorResponseBuilder: (_request, { ttl }) => {
      const seconds = Math.ceil(ttl / 1000);
      const message = `Too many requests from this address: at most ${PUBLIC_RATE_MAX} a minute. Retry in ${seconds} s.`;
      return new Problem('rate_limited', message);
    },
  });
}
