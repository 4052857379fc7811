/** Why a step could not be decided; in every case nothing was charged. */
export type GateFailure = 'overloaded' | 'unavailable' | 'not_committed' | 'duplicate_request';

/** The gate could not decide a step durably; a fault of the service, not of the caller. */
export class GateError extends Error {
  readonly reason: GateFailure;

  constructor(reason: GateFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'GateError';
    this.reason = reason;
  }
}
