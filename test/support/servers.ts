import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';
import { POSTGRES } from './postgres-server.js';
import { REDIS } from './redis-server.js';
import './set-up.js';

export { type PostgresServer, runSql, startPostgres } from './postgres-server.js';
export {
  type RedisCluster,
  type RedisServer,
  startRedis,
  startRedisCluster,
} from './redis-server.js';

/**
 * Whether Redis and PostgreSQL are installed: `describe.skipIf(!haveServers)`. The set-up has said
 * what to install where they are not, and has failed the run in CI.
 */
export const haveServers = ![REDIS, POSTGRES].some(({ name }) =>
  inject('missingPrograms').includes(name),
);

/** URL of an empty database on the run's own PostgreSQL; it goes with the run. */
export async function newPostgresDatabase(): Promise<string> {
  const url = await text(connect(inject('postgresSocket')));
  if (url === '') throw new Error("The run's PostgreSQL did not start.");
  return url;
}
