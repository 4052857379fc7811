import type { ErrorCode } from '../core/errors.js';

/** What paid for an answer: `replay` is an earlier request, `none` is for answers that cost nothing. */
export type ChargeSource = 'credits' | 'free' | 'replay' | 'none';

/** Why a well-formed key was refused. */
export type KeyRefusal = 'unknown' | 'limited';

/** Is told every outcome of the metered path, to count it. */
export interface MeterObserver {
  answered(operation: string, source: ChargeSource, cost: number): void;
  refused(operation: string, code: ErrorCode): void;
  /** A key that was refused: unknown after a look-up, or not looked up because of the limit. */
  keyRefused(reason: KeyRefusal): void;
}

/** Where faults of the service are written; pino fits. */
export interface FaultLog {
  error(details: object, message: string): void;
}
