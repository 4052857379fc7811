import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import { isMigrated, migrate } from './migrate.js';
import type { Database, Schema } from './schema.js';
import { asOpenError, openSqlite, type SqliteConnection, sqlitePath } from './sqlite.js';
import { isPostgresUrl } from './url.js';

/**
 * Opens the book of record, creating and migrating it as needed. Safe beside other processes.
 *
 * @param url `file:<path>` (SQLite) or `postgres://…` (PostgreSQL 15 or newer)
 * @throws DatabaseOpenError when the URL, the file or the server cannot be used
 */
export async function openDatabase(url: string): Promise<Database> {
  return await (isPostgresUrl(url) ? openPostgres(url) : openFile(url));
}

async function openPostgres(url: string): Promise<Database> {
  // Loaded only where it is used: every command would start later.
  const { asPostgresOpenError, postgresDatabase, refuseOldServer } = await import('./postgres.js');
  const db = postgresDatabase(url);
  try {
    await refuseOldServer(db, url);
    if (!(await isMigrated(db))) await migrate(db);
    return db;
  } catch (error) {
    await db.destroy();
    throw asPostgresOpenError(url, error);
  }
}

async function openFile(url: string): Promise<Database> {
  const path = sqlitePath(url);
  const dialect = new SqliteDialect({ database: kyselyDriver(openSqlite(path)) });
  const db = new Kysely<Schema>({ dialect });
  try {
    if (!(await isMigrated(db))) await migrate(db);
    return db;
  } catch (error) {
    await db.destroy();
    throw asOpenError(path, error);
  }
}

/**
 * libsql as Kysely's driver. Kysely opens transactions with a deferred `begin`; one that reads
 * first and then writes would fail at once, without waiting, when another process wrote in between.
 * All transactions of this program write, so each takes the write lock at its start.
 */
function kyselyDriver(connection: SqliteConnection): SqliteDatabase {
  const { driver } = connection;
  return {
    close: () => {
      connection.close();
    },
    prepare: (statement) =>
      driver.prepare(
        statement === 'begin' ? 'begin immediate' : statement,
      ) as unknown as SqliteStatement,
  };
}
