import { GateError } from '../billing/gate.js';
import { throttledLog } from '../core/throttled-log.js';
import type { FaultLog } from './observer.js';

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
