import type { Logger } from 'pino';
import { createSqliteGate } from './billing/embedded/sqlite-gate.js';
import type { Clock, Gate } from './billing/gate.js';
import type { Config } from './config.js';
import type { Database } from './database/schema.js';
import type { Metrics } from './metrics/service-metrics.js';

/** The gate the configuration asks for. */
export interface OpenGate {
  readonly gate: Gate;
  /** The database, where the gate itself needs it open; to be closed after the gate. */
  readonly db?: Database;
  /** Finishes the steps under way and disconnects. */
  close(): Promise<void>;
}

/** What a gate is given besides the configuration. */
export interface GateSurroundings {
  readonly log: Logger;
  readonly metrics: Promise<Metrics | undefined>;
  /** Wall clock, ms since the epoch; that of the store by default. */
  readonly clock?: Clock | undefined;
}

/** Changes of keys and credits may wait a little for a Redis that is busy. */
const OUTBOX_SILENCE_MAX_MS = 2000;

/**
 * Opens the gate: on SQLite in this process, or with `REDIS_URL` on Redis and PostgreSQL, whose code
 * is loaded only then.
 *
 * @throws DatabaseOpenError when the database cannot be used
 */
export async function openGate(
  config: Config,
  { log, metrics, clock }: GateSurroundings,
): Promise<OpenGate> {
  const { databaseUrl, redisUrl, rateLimitMax } = config;
  const timed = clock === undefined ? {} : { clock };
  if (redisUrl === undefined) {
    const gate = await createSqliteGate({ databaseUrl, rateLimitMax, ...timed });
    return { gate, close: () => gate.close() };
  }
  const [{ createRedisGate }, { connectRedis }, { startOutbox }, { openDatabase }] =
    await Promise.all([
      import('./billing/redis/redis-gate.js'),
      import('./billing/redis/connect.js'),
      import('./billing/worker/outbox.js'),
      import('./database/open.js'),
    ]);
  const db = await openDatabase(databaseUrl);
  const gate = await createRedisGate({
    redisUrl,
    db,
    rateLimitMax,
    ...timed,
    backlogMaxAgeMs: config.backlogMaxAgeSeconds * 1000,
    observer: (await metrics)?.redisGate(),
  });
  // A connection of its own: its calls must not queue up before those of requests.
  const redis = connectRedis(redisUrl, OUTBOX_SILENCE_MAX_MS);
  const outbox = startOutbox(db, redis, log, databaseUrl);
  return {
    gate,
    db,
    async close() {
      await gate.close();
      await outbox.close();
      redis.disconnect();
    },
  };
}
