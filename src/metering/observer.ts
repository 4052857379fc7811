import type { ErrorCode } from '../core/errors.js';

/** What paid for an answer. */
export type ChargeSource = 'credits' | 'free' | 'replay';

/** Told of every outcome of the metered path; counting is all it may do. */
export interface MeterObserver {
  answered(operation: string, source: ChargeSource, cost: number): void;
  refused(operation: string, code: ErrorCode): void;
}

/** Where faults of our own are written; pino fits. */
export interface FaultLog {
  error(details: object, message: string): void;
}

/** An observer that counts nothing. */
export const NO_OBSERVER: MeterObserver = {
  answered: () => undefined,
  refused: () => undefined,
};
