import { newSqliteUrl } from './folders.js';
import { haveServers, newMigratedDatabase, newPostgresDatabase } from './servers.js';

/** A kind of database that the service supports. */
export interface Dialect {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** URL of a database without rows. A database of PostgreSQL has the present schema. */
  newUrl(): Promise<string>;
  /** URL of a database without a schema. */
  newEmptyUrl(): Promise<string>;
}

const newFile = async () => newSqliteUrl();
const SQLITE: Dialect = { name: 'SQLite', newUrl: newFile, newEmptyUrl: newFile };
const POSTGRESQL: Dialect = {
  name: 'PostgreSQL',
  newUrl: newMigratedDatabase,
  newEmptyUrl: newPostgresDatabase,
};

/** Both dialects, for `describe.each`. Only SQLite if the servers are missing. */
export const DIALECTS: readonly Dialect[] = haveServers ? [SQLITE, POSTGRESQL] : [SQLITE];
