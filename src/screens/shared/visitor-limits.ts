import type {} from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../core/errors.js';
import { DAY_MS, MINUTE_MS } from '../../core/time.js';
import { waitSentence } from './wait-text.js';

/** A request beyond the limit of its address. */
export interface RateRefusal {
  readonly problem: Problem;
  readonly retryAfterSeconds: number;
}

/**
 * Counts a request of an address, once or several times. IPv6 addresses count by /64.
 *
 * @returns the refusal and its duration, if the limit of the minute or of the day is exceeded
 */
export type CountRequest = (
  request: FastifyRequest,
  times?: number,
) => Promise<RateRefusal | undefined>;

/**
 * Counts a request. Beyond the limit, the answer says when to ask again.
 *
 * @throws Problem of the refusal
 */
export async function admit(
  count: CountRequest,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const exceeded = await count(request);
  if (exceeded === undefined) return;
  reply.header('retry-after', String(exceeded.retryAfterSeconds));
  throw exceeded.problem;
}

/** How much an address may ask for. */
export interface AddressLimits {
  readonly perMinute: number;
  readonly perDay: number;
  /** Text of a limit, such as `open at most 60 views`. */
  allowed(max: number): string;
}

/** Limits the requests of an address per minute and per day. The scope needs `@fastify/rate-limit`. */
export function addressLimits(
  app: FastifyInstance,
  { perMinute, perDay, allowed }: AddressLimits,
): CountRequest {
  const limitOf = (max: number, period: string, timeWindow: number) => ({
    ...{ max, period },
    check: app.createRateLimit({ max, timeWindow }),
  });
  const limits = [limitOf(perMinute, 'minute', MINUTE_MS), limitOf(perDay, 'day', DAY_MS)];
  return async (request, times = 1) => {
    for (const { max, period, check } of limits) {
      let state = await check(request);
      for (let more = 1; more < times; more++) state = await check(request);
      if (state.isAllowed || !state.isExceeded) continue;
      const retryAfterSeconds = Math.max(1, state.ttlInSeconds);
      const wait = waitSentence(retryAfterSeconds);
      const problem = new Problem('rate_limited', `You can ${allowed(max)} per ${period}. ${wait}`);
      return { problem, retryAfterSeconds };
    }
    return undefined;
  };
}
