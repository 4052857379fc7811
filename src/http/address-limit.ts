import type { FastifyInstance } from 'fastify';
import { Problem } from '../core/errors.js';
import { MINUTE_MS } from '../core/time.js';
import { AddressCounts } from './address-counts.js';

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
