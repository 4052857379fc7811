import { GateError } from '../billing/gate.js';
import type { ErrorCode } from '../core/errors.js';
import { throttledLog } from '../core/throttled-log.js';

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

/** Logs failed steps, at most one in ten seconds for each reason. */
export function stepFailureLog(log: FaultLog): (error: unknown, requestId: string) => void {
  const byReason = new Map<string, (fault: { err: unknown; request_id: string }) => void>();
  return (err, request_id) => {
    const reason = err instanceof GateError ? err.reason : 'fault';
    let write = byReason.get(reason);
    if (write === undefined) {
      write = throttledLog((fault, omitted) =>
        log.error({ ...fault, omitted }, 'the charging step failed'),
      );
      byReason.set(reason, write);
    }
    write({ err, request_id });
  };
}
