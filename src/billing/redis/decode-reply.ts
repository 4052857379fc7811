import type { RateState } from '../../core/billing-terms.js';
import { GateError } from '../errors.js';
import type { GateOutcome } from '../gate.js';
import type { Reply } from './scripts.js';

/** What the step's script found missing; it has decided nothing then. */
export const MISSING = {
  key: 11,
  account: 12,
  answer: 13,
  time: 14,
} as const;

/** Something a step has to be asked again with. */
export type Missing = (typeof MISSING)[keyof typeof MISSING];

const MISSING_CODES: readonly number[] = Object.values(MISSING);

/**
 * Reads the reply of `step.lua`, whose head says what its fields are.
 *
 * @returns the outcome, or what is missing for one
 * @throws GateError for a step that cannot be decided
 */
export function decodeReply(reply: Reply, limit: number): GateOutcome | Missing {
  const [code, , used, resetMs, more, last] = reply;
  switch (code) {
    case 0:
      return { kind: 'unauthorized' };
    case 21:
      throw new GateError('unavailable', 'Charges have been waiting for the ledger too long.');
    default:
  }
  if (MISSING_CODES.includes(Number(code))) return code as Missing;
  const rate = rateOf(Number(used), Number(resetMs), limit);
  switch (code) {
    case 1:
      return { kind: 'counted', rate };
    case 2:
      return { kind: 'charged', rate };
    case 3:
      return { kind: 'charged', rate, remainingFreeCalls: Number(more) };
    case 4:
      return last === '-'
        ? { kind: 'replayed', rate, answerJson: String(more) }
        : { kind: 'replayed', rate, answerJson: String(more), remainingFreeCalls: Number(last) };
    case 5:
      return { kind: 'idempotency_conflict', rate };
    case 6:
      return { kind: 'insufficient_credits', rate };
    case 7:
      return { kind: 'free_tier_exhausted', rate, resetsAtMs: Number(more) };
    case 8: {
      const retryAfterSeconds = Math.ceil(Math.max(1, Number(more)) / 1000);
      return { kind: 'rate_limited', rate, retryAfterSeconds };
    }
    default:
      throw new TypeError(`Unknown outcome ${code} of a step.`);
  }
}

function rateOf(used: number, resetMs: number, limit: number): RateState {
  const resetSeconds = used === 0 ? 0 : Math.ceil(resetMs / 1000);
  return { limit, remaining: Math.max(0, limit - used), resetSeconds };
}
