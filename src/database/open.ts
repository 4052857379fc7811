import { Kysely, type SqliteDatabase, type SqliteStatement } from 'kysely';
import { DatabaseOpenError, isDiskError } from './errors.js';
import { FlushedSqliteDialect } from './flushed-sqlite.js';
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

/**
 * Returns the error that says which disk is full or failing, or that the server has gone, for an
 * error of a statement. Returns any other error unchanged.
 */
export async function asStoreError(url: string, error: unknown): Promise<unknown> {
  if (!isPostgresUrl(url)) return isDiskError(error) ? asOpenError(sqlitePath(url), error) : error;
  const known = (await import('./postgres.js')).asPostgresOpenError(url, error);
  if (!(known instanceof DatabaseOpenError)) return error;
  if (known.reason === 'disk_full') return known;
  if (known.reason !== 'unreachable') return error;
  return new DatabaseOpenError('unavailable', known.message, { cause: error });
}

async function openPostgres(url: string, pace: Pace): Promise<Database> {
  // Loads the module only when it is used. Otherwise every command would start more slowly.
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
  const connection = openSqlite(path);
  // The dialect flushes.
  connection.exec('PRAGMA synchronous = NORMAL');
  const dialect = new FlushedSqliteDialect(kyselyDriver(connection), path);
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
 * Makes libsql the driver of Kysely. Kysely opens transactions with a deferred `begin`. A
 * transaction that reads first and writes later would then fail without waiting if another process
 * wrote in between. All transactions of this program write, so each takes the write lock at its
 * start.
 */
function kyselyDriver(connection: SqliteConnection): SqliteDatabase {
  const { driver } = connection;
  return {
    close: () => {
      connection.close();
    },
    prepare: (statement) => driver.prepare(sqlFor(statement)) as unknown as SqliteStatement,
  };

  function sqlFor(statement: string): string {
    if (statement === 'begin') return 'begin immediate';
    // SQLite itself rolls back when the disk is full (sqlite.org/lang_transaction.html). A second
    // rollback would fail, and its error would hide the first one.
    return statement === 'rollback' && !driver.inTransaction ? 'select 1' : statement;
  }
}
