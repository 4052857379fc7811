import type { FastifyReply } from 'fastify';
import type { RateState } from '../core/billing-terms.js';
import type { MeteredRefusal } from '../metering/meter.js';
import { sendProblem } from './problems.js';

/** The window of `RateLimit-Policy` in seconds (specification, 8). */
const WINDOW_SECONDS = 60;

/** `RateLimit` and `RateLimit-Policy` of draft-ietf-httpapi-ratelimit-headers-10. */
export function rateHeaders(reply: FastifyReply, rate: RateState): void {
  reply
    .header('ratelimit-policy', policyOf(rate.limit))
    .header('ratelimit', `"default";r=${rate.remaining};t=${rate.resetSeconds}`);
}

// Every key has the same limit, so this is written once and not for each answer.
let policy: readonly [limit: number, text: string] = [0, ''];

function policyOf(limit: number): string {
  if (policy[0] !== limit) policy = [limit, `"default";q=${limit};w=${WINDOW_SECONDS}`];
  return policy[1];
}

/** Sends a refusal of the metered path, with the headers that belong to it. */
export function sendRefusal(reply: FastifyReply, refusal: MeteredRefusal): FastifyReply {
  if (refusal.rate !== undefined) rateHeaders(reply, refusal.rate);
  if (refusal.retryAfterSeconds !== undefined) {
    reply.header('retry-after', String(refusal.retryAfterSeconds));
  }
  return sendProblem(reply, refusal.problem);
}
