import type { Logger } from 'pino';
import { createSqliteGate } from './billing/embedded/sqlite-gate.js';
import type { Blockage } from './billing/embedded/storage.js';
import type { Gate } from './billing/gate.js';
import type { Backlog } from './billing/worker/unbooked.js';
import type { Config } from './config.js';
import { throttledLog } from './core/throttled-log.js';
import type { Database } from './database/schema.js';
import type { Metrics } from './metrics/service-metrics.js';
import { bucketSize, type ComputeBudget, MemoryBudget } from './request/queue.js';

/** The gate that the configuration asks for. */
export interface OpenGate {
  readonly gate: Gate;
  /** The budget of processor time of accounts, in the store of the gate. */
  readonly budget: ComputeBudget;
  /** The database, if the gate uses one. Close it after the gate. */
  readonly db?: Database;
  /** Usage that is not in the ledger yet; only with Redis. */
  readonly backlog?: () => Promise<Backlog>;
  /** Finishes the steps in progress and disconnects. */
  close(): Promise<void>;
}

/** Dependencies of a gate besides the configuration. */
export interface GateSurroundings {
  readonly log: Logger;
  readonly metrics: Promise<Metrics | undefined>;
}

/** Time limit of Redis for changes of keys and credits. It is long, because they are not urgent. */
const OUTBOX_SILENCE_MAX_MS = 2000;

/**
 * Opens the gate on SQLite in this process, or on Redis and PostgreSQL if `REDIS_URL` is set. Only then is the code for
 * Redis loaded.
 *
 * @throws DatabaseOpenError if the database cannot be used
 */
export async function openGate(
  config: Config,
  { log, metrics }: GateSurroundings,
): Promise<OpenGate> {
  const { databaseUrl, redisUrl, rateLimitMax, answersBytesMax } = config;
  const limits = { rateLimitMax, answersBytesMax };
  if (redisUrl === undefined) {
    const onBlocked = (blockage: Blockage | null) => {
      if (blockage === null) log.info('charges can be committed again');
      else log.error({ file: blockage.file }, `charges are refused: ${blockage.text}`);
    };
    const gate = await createSqliteGate({ databaseUrl, ...limits, onBlocked });
    const loaded = await metrics;
    if (loaded !== undefined) gate.observeFlushes(loaded.embeddedGate());
    const budget = new MemoryBudget(config.computeSecondsPerMinute);
    return { gate, budget, close: () => gate.close() };
  }
  const [
    { createRedisGate },
    { connectRedis },
    { RedisBudget },
    { startOutbox },
    { backlogOf },
    { openDatabase },
  ] = await Promise.all([
    import('./billing/redis/redis-gate.js'),
    import('./billing/redis/connect.js'),
    import('./billing/redis/redis-budget.js'),
    import('./billing/worker/outbox.js'),
    import('./billing/worker/unbooked.js'),
    import('./database/open.js'),
  ]);
  const db = await openDatabase(databaseUrl);
  const gate = await createRedisGate({
    redisUrl,
    db,
    ...limits,
    backlogMaxAgeMs: config.backlogMaxAgeSeconds * 1000,
    observer: (await metrics)?.redisGate(),
    production: config.serviceEnv === 'production',
    onSettings(faults) {
      if (faults.length === 0) log.info('the settings of Redis are safe again');
      else log.error(`Redis may lose charges: ${faults.map(({ text }) => text).join('; ')}`);
    },
  });
  // The outbox has its own connection, so that its calls do not delay those of requests.
  const redis = connectRedis(redisUrl, OUTBOX_SILENCE_MAX_MS);
  const outbox = startOutbox(db, redis, log, databaseUrl);
  const budget = new RedisBudget({
    redis,
    bucketOf: (mode) => bucketSize(mode, config.computeSecondsPerMinute),
    onFault: throttledLog((err: unknown, omitted) =>
      log.warn({ err, omitted }, 'the processor time of an account is not known'),
    ),
  });
  return {
    gate,
    budget,
    db,
    backlog: () => backlogOf(redis),
    async close() {
      await gate.close();
      await outbox.close();
      redis.disconnect();
    },
  };
}
