import type { RateState } from '../../core/billing-terms.js';
import { GateError } from '../errors.js';
import type { GateOutcome } from '../gate.js';
import { type FieldReader, OUTCOME } from './writer-protocol.js';

/**
 * Reads the next outcome of a message.
 *
 * @returns the outcome, or the error its step fails with
 */
export function decodeOutcome(reader: FieldReader, rate: RateState): GateOutcome | GateError {
  const code = reader.number();
  switch (code) {
    case OUTCOME.unauthorized:
      return { kind: 'unauthorized' };
    case OUTCOME.counted:
      return { kind: 'counted', rate };
    case OUTCOME.charged:
      return { kind: 'charged', rate };
    case OUTCOME.chargedFree:
      return { kind: 'charged', rate, remainingFreeCalls: reader.number() };
    case OUTCOME.replayed:
      return { kind: 'replayed', rate, answerJson: reader.text() };
    case OUTCOME.replayedFree: {
      const answerJson = reader.text();
      return { kind: 'replayed', rate, answerJson, remainingFreeCalls: reader.number() };
    }
    case OUTCOME.idempotencyConflict:
      return { kind: 'idempotency_conflict', rate };
    case OUTCOME.insufficientCredits:
      return { kind: 'insufficient_credits', rate };
    case OUTCOME.freeTierExhausted:
      return { kind: 'free_tier_exhausted', rate, resetsAtMs: reader.number() };
    case OUTCOME.duplicateRequest:
      return new GateError('duplicate_request', 'This request id has been charged before.');
    default:
      throw new TypeError(`Unknown outcome code ${code}.`);
  }
}
