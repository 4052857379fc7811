import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { DatabaseOpenError, RedisOpenError } from '../database/errors.js';
import { isPostgresUrl } from '../database/url.js';
import { createLog } from '../log.js';

const WAIT_MS = 10_000;
const PAUSE_MS = 250;

/**
 * Waits at most ten seconds until PostgreSQL and Redis can be used, because they may start at the same time. The log
 * names what it waits for. Errors that waiting does not mend, such as a wrong password or a missing database, end the
 * wait at once. The database is migrated as needed.
 *
 * @throws DatabaseOpenError, RedisOpenError
 */
export async function awaitStores(config: Config): Promise<void> {
  const { databaseUrl, redisUrl, serviceEnv } = config;
  if (redisUrl === undefined || !isPostgresUrl(databaseUrl)) return;
  const [{ checkRedis }, { openDatabase }] = await Promise.all([
    import('../billing/redis/check-redis.js'),
    import('../database/open.js'),
  ]);
  const log = createLog(config, 2);
  const untilMs = performance.now() + WAIT_MS;
  await waitFor(async () => (await openDatabase(databaseUrl)).destroy(), untilMs, log);
  await waitFor(() => checkRedis(redisUrl, serviceEnv === 'production'), untilMs, log);
}

async function waitFor(check: () => Promise<void>, untilMs: number, log: Logger): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return await check();
    } catch (error) {
      const known = error instanceof DatabaseOpenError || error instanceof RedisOpenError;
      if (!known || error.reason !== 'unreachable' || performance.now() > untilMs) throw error;
      if (tries === 0) log.warn(`waiting for a store, ten seconds at most: ${error.message}`);
      await sleep(PAUSE_MS);
    }
  }
}
