/**
 * Why a step could not be decided. Nothing was charged, except perhaps where it stayed `unanswered`:
 * a repeat with the same idempotency key then tells, and is charged at most once.
 */
export type GateFailure =
  | 'overloaded'
  | 'unavailable'
  | 'unanswered'
  | 'not_committed'
  | 'duplicate_request';

/** The gate could not decide a step durably; a fault of the service, not of the caller. */
export class GateError extends Error {
  readonly reason: GateFailure;

  constructor(reason: GateFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'GateError';
    this.reason = reason;
  }
}
