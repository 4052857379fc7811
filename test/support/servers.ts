import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';
import { openDatabase } from '../../src/database/open.js';
import type { PredictionModel } from '../../src/operations/prediction-model.js';
import { modelOf } from './models.js';
import { POSTGRES, runSql } from './postgres-server.js';
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
 * Whether Redis and PostgreSQL are installed, for `describe.skipIf(!haveServers)`. If they are not, the set-up has
 * printed what to install, or in CI has stopped the run.
 */
export const haveServers = ![REDIS, POSTGRES].some(({ name }) =>
  inject('missingPrograms').includes(name),
);

/** Creates an empty database on the PostgreSQL of this run, and returns its URL. It ends with the run. */
export async function newPostgresDatabase(): Promise<string> {
  const url = await text(connect(inject('postgresSocket')));
  if (url === '') throw new Error("The run's PostgreSQL did not start.");
  return url;
}

let template: Promise<URL> | undefined;

/**
 * Creates a database with the present schema and without rows on the PostgreSQL of this run, and returns its URL. It is a
 * copy of one that this process has migrated: migrating takes twice as long as copying.
 */
export async function newMigratedDatabase(): Promise<string> {
  template ??= newPostgresDatabase().then(async (url) => {
    await (await openDatabase(url)).destroy();
    return new URL(url);
  });
  const source = await template;
  const name = `test_${randomBytes(6).toString('hex')}`;
  const at = (database: string) => new URL(`/${database}`, source).href;
  await runSql(at('postgres'), `create database ${name} template ${source.pathname.slice(1)}`);
  return at(name);
}

/** Folder of artifacts built from `data/raw`. The first test that asks for it may wait for a minute. */
export async function realArtifacts(): Promise<string> {
  const folder = await text(connect(inject('artifactsSocket')));
  if (folder === '') throw new Error('The artifacts of this run were not built.');
  return folder;
}

/** The model that is built from `data/raw`. */
export const realModel = async (): Promise<PredictionModel> => modelOf(await realArtifacts());
