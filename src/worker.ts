import type { Cluster, Redis } from 'ioredis';
import {
  connectJobs,
  connectWorker,
  memoryShare,
  waitUntilReady,
  watchRestarts,
} from './billing/worker/connect.js';
import { Drain, runDrains } from './billing/worker/drain.js';
import { allGroups } from './billing/worker/groups.js';
import { expireAnswers, startJobs } from './billing/worker/jobs.js';
import { outboxLagSeconds, startOutbox } from './billing/worker/outbox.js';
import { reconcileGroup } from './billing/worker/reconcile.js';
import { backlogOf } from './billing/worker/unbooked.js';
import { type Config, requireStores, type StoresConfig } from './config.js';
import { openDatabase } from './database/open.js';
import type { Database } from './database/schema.js';
import { createLog } from './log.js';
import { listenForMetrics } from './metrics/listener.js';
import {
  createWorkerMetrics,
  type WaitingWork,
  type WorkerMetrics,
} from './metrics/worker-metrics.js';

/** A running worker. */
export interface RunningWorker {
  /** Address of its metrics, if it serves them. */
  readonly metricsAddress?: string;
  /** Finishes the current batches and closes all connections. */
  close(): Promise<void>;
}

/** Maximum time that a start waits for the connection to Redis. */
const CONNECT_MAX_MS = 1000;

/**
 * Starts a worker. It books usage in the ledger, tells Redis of credits and revoked keys, compares Redis with the
 * ledger, and deletes old answers. Any number of workers can share the work. If Redis or PostgreSQL fails later, the
 * worker waits until it is back.
 *
 * @param logFd target of log lines: standard output (1, default) or standard error (2)
 * @throws ConfigError without REDIS_URL or PostgreSQL; DatabaseOpenError or the system's error if PostgreSQL or the
 * port for metrics is not available
 */
export async function startWorker(config: Config, logFd: 1 | 2 = 1): Promise<RunningWorker> {
  requireStores(config);
  const { databaseUrl, redisUrl } = config;
  const log = createLog(config, logFd);
  const db = await openDatabase(databaseUrl);
  const redis = connectWorker(redisUrl);
  try {
    const metrics = createWorkerMetrics(() => waitingWork(db, redis));
    const listener = await listenForMetrics(config, metrics);
    // The first drains would fail without a connection. If Redis is not available, the start does not wait for it.
    await waitUntilReady(redis, CONNECT_MAX_MS);
    const bookkeeping = startBookkeeping(config, { db, redis, log, metrics });
    const outbox = startOutbox(db, redis, log, databaseUrl);
    log.info('the worker is running');
    return {
      ...(listener === undefined ? {} : { metricsAddress: listener.address }),
      async close() {
        listener?.close();
        await Promise.all([bookkeeping.close(), outbox.close()]);
        redis.disconnect();
        await db.destroy();
      },
    };
  } catch (error) {
    redis.disconnect();
    await db.destroy();
    throw error;
  }
}

interface WorkerParts {
  readonly db: Database;
  readonly redis: Redis | Cluster;
  readonly log: ReturnType<typeof createLog>;
  readonly metrics: WorkerMetrics;
}

/** Starts drains, reconciliation and expiry. */
function startBookkeeping(
  config: StoresConfig,
  { metrics, ...stores }: WorkerParts,
): { close(): Promise<void> } {
  const { db, redis, log } = stores;
  const parts = { ...stores, observer: metrics.observer };
  const jobs = startJobs({
    connection: connectJobs(config.redisUrl),
    log,
    observer: metrics.observer,
    reconcileEveryMs: config.reconcileIntervalSeconds * 1000,
    handlers: {
      reconcile: (group, stop) => reconcileGroup(parts, group, { stop }),
      expire: (stop) => expireAnswers(db, Date.now(), stop),
    },
  });
  const reconcileSoon = (groups: readonly number[]) => {
    jobs.reconcileSoon(groups).catch((err: unknown) => {
      log.warn({ err }, 'the comparison with the ledger could not be scheduled');
    });
  };
  const stop = new AbortController();
  const drain = new Drain({
    ...parts,
    lagMs: config.drainLagMs,
    onNewGeneration: (group) => reconcileSoon([group]),
  });
  const drains = runDrains(drain, parts, stop.signal);
  const stopWatching = watchRestarts(redis, () => {
    log.warn('Redis has been restarted; comparing it with the ledger');
    reconcileSoon(allGroups());
  });
  return {
    async close() {
      stopWatching();
      stop.abort();
      await Promise.all([drains, jobs.close()]);
    },
  };
}

async function waitingWork(db: Database, redis: Redis | Cluster): Promise<WaitingWork> {
  return {
    ...(await backlogOf(redis)),
    outboxLagSeconds: await outboxLagSeconds(db),
    redisMemoryShare: await memoryShare(redis),
  };
}
