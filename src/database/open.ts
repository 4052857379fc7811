import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import { isMigrated, migrate } from './migrate.js';
import type { Pace } from './postgres.js';
import type { Database, Schema } from './schema.js';
import { asOpenError, openSqlite, type SqliteConnection, sqlitePath } from './sqlite.js';
import { isPostgresUrl } from './url.js';

/**
 * Opens the database of accounts and ledger. Creates and migrates it as needed; other processes may
 * do the same at the same time.
 *
 * @param url `file:<path>` (SQLite) or `postgres://…` (PostgreSQL 15 or newer)
 * @param pace `bulk` for work on the whole ledger, which may take hours
 * @throws DatabaseOpenError when the URL, the file or the server cannot be used
 */
export async function openDatabase(url: string, pace: Pace = 'service'): Promise<Database> {
  return await (isPostgresUrl(url) ? openPostgres(url, pace) : openFile(url));
}

async function openPostgres(url: string, pace: Pace): Promise<Database> {
  // Loaded only when it is used; otherwise every command would start more slowly.
  const { asPostgresOpenError, postgresDatabase, refuseOldServer } = await import('./postgres.js');
  const db = postgresDatabase(url, pace);
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
 * libsql as the driver of Kysely. Kysely opens transactions with a deferred `begin`. A transaction
 * that reads first and writes later would then fail without waiting when another process wrote in
 * between. All transactions of this program write, so each takes the write lock at its start.
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
