import { checkRedis } from '../billing/redis/check-redis.js';
import type { Drift } from '../billing/worker/compare.js';
import { connectWorker, waitUntilReady } from '../billing/worker/connect.js';
import { allGroups } from '../billing/worker/groups.js';
import { type Reconciled, reconcileGroup } from '../billing/worker/reconcile.js';
import type { StoresConfig } from '../config.js';
import { asStoreError, openDatabase } from '../database/open.js';
import { createLog } from '../log.js';

const CONNECT_MAX_MS = 5000;
const NO_METRICS = { driftRepaired: () => undefined };

/**
 * Compares all of Redis with the ledger once, and repairs Redis. The function opens and closes its own connections.
 *
 * @throws RedisOpenError, DatabaseOpenError, or the errors of PostgreSQL and Redis
 */
export async function reconcileAll(config: StoresConfig): Promise<Reconciled> {
  const { databaseUrl, redisUrl } = config;
  const log = createLog(config, 2);
  const db = await openDatabase(databaseUrl);
  const redis = connectWorker(redisUrl);
  try {
    await checkRedis(redisUrl);
    await waitUntilReady(redis, CONNECT_MAX_MS);
    const drifts: Drift[] = [];
    let accounts = 0;
    for (const group of allGroups()) {
      const found = await reconcileGroup({ db, redis, log, observer: NO_METRICS }, group);
      accounts += found.accounts;
      drifts.push(...found.drifts);
    }
    return { accounts, drifts };
  } catch (error) {
    throw await asStoreError(databaseUrl, error);
  } finally {
    redis.disconnect();
    await db.destroy();
  }
}
