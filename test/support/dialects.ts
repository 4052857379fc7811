import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { haveServers, newPostgresDatabase } from './servers.js';

/** A kind of database that the service supports. */
export interface Dialect {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** URL of an empty database. */
  newUrl(): Promise<string>;
}

const SQLITE: Dialect = {
  name: 'SQLite',
  newUrl: () =>
    Promise.resolve(`file:${join(mkdtempSync(join(tmpdir(), 'vitruvia-database-')), 'test.db')}`),
};
const POSTGRESQL: Dialect = { name: 'PostgreSQL', newUrl: newPostgresDatabase };

/** Both dialects, for `describe.each`. Only SQLite if the servers are missing. */
export const DIALECTS: readonly Dialect[] = haveServers ? [SQLITE, POSTGRESQL] : [SQLITE];
