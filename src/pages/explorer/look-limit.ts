import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Looks an address may take in a minute. */
export const LOOKS_A_MINUTE = 60;
/** Looks an address may take in a day: plenty for people, too few to copy the data by. */
export const LOOKS_A_DAY = 1200;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** An address has looked too often; whole seconds until it may look again. */
export interface TooManyLooks {
  readonly retryAfterSeconds: number;
  readonly detail: string;
}

/** Counts looks by address (IPv6 by /64); needs `@fastify/rate-limit` on the scope. */
export function lookLimit(
  app: FastifyInstance,
): (request: FastifyRequest) => Promise<TooManyLooks | undefined> {
  const limits = [
    { max: LOOKS_A_MINUTE, period: 'a minute', check: limiter(app, LOOKS_A_MINUTE, MINUTE_MS) },
    { max: LOOKS_A_DAY, period: 'a day', check: limiter(app, LOOKS_A_DAY, DAY_MS) },
  ];
  return async (request) => {
    for (const { max, period, check } of limits) {
      const state = await check(request);
      if (state.isAllowed || !state.isExceeded) continue;
      const retryAfterSeconds = Math.max(1, state.ttlInSeconds);
      const detail = `The explorer answers ${max} looks ${period} to an address.`;
      return { retryAfterSeconds, detail };
    }
    return undefined;
  };
}

function limiter(app: FastifyInstance, max: number, timeWindow: number) {
  return app.createRateLimit({ max, timeWindow });
}
