import type { Cluster, Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Mode } from '../../core/billing-terms.js';
import type { Database } from '../../database/schema.js';
import type { WorkerObserver } from './observer.js';

/** A number Redis had wrong. */
export interface Drift {
  readonly accountId: string;
  readonly mode: Mode;
  /** `spent`, `credited`, `credit_version`, `free_calls` (of the window) or `revoked` (of a key). */
  readonly counter: string;
  /** What Redis had; -1 for no number. */
  readonly found: number;
  /** What ledger and events say, and what Redis was set to. */
  readonly expected: number;
}

/** What a reconciliation needs. */
export interface ReconcileParts {
  readonly db: Database;
  readonly redis: Redis | Cluster;
  readonly log: Logger;
  readonly observer: Pick<WorkerObserver, 'driftRepaired'>;
}

/** Logs and counts drifts just repaired, and keeps them as rows. */
export async function reportDrifts(
  { db, log, observer }: Omit<ReconcileParts, 'redis'>,
  drifts: readonly Drift[],
): Promise<void> {
  if (drifts.length === 0) return;
  for (const { accountId: account, mode, counter, found, expected } of drifts) {
    // First of all: the row may fail, and Redis has been put right already.
    log.error({ account, mode, counter, found, expected }, 'drift: Redis was put right');
    observer.driftRepaired(counter);
  }
  const nowMs = Date.now();
  const rows = drifts.map(({ accountId, mode, counter, found, expected }) => ({
    at_ms: nowMs,
    account_id: accountId,
    mode,
    counter,
    found,
    expected,
  }));
  await db.insertInto('drifts').values(rows).execute();
}
