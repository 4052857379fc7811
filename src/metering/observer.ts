import type { ErrorCode } from '../core/errors.js';

/** What paid for an answer; `replay` stands for an earlier request. */
export type ChargeSource = 'credits' | 'free' | 'replay';

/** Is told every outcome of the metered path, to count it. */
export interface MeterObserver {
  answered(operation: string, source: ChargeSource, cost: number): void;
  refused(operation: string, code: ErrorCode): void;
}

/** Where faults of the service are written; pino fits. */
export interface FaultLog {
  error(details: object, message: string): void;
}
