import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Libsql from 'libsql';
import { DatabaseOpenError, errorCode } from './errors.js';

/** A value that SQLite binds or returns; every integer in it stays below 2^53. */
export type SqlValue = string | number | null;

/**
 * A prepared statement in raw mode: rows are arrays, without the `_metadata` of libsql. Values are
 * passed as one array, because libsql copies and flattens separate arguments.
 */
export interface SqliteStatement {
  run(values?: readonly SqlValue[]): { readonly changes: number };
  get(values?: readonly SqlValue[]): SqlValue[] | undefined;
  all(values?: readonly SqlValue[]): SqlValue[][];
}

/** One connection to the embedded database. */
export interface SqliteConnection {
  /** Prepares a statement whose rows are arrays in column order. */
  prepareRaw(sql: string): SqliteStatement;
  exec(sql: string): void;
  readonly inTransaction: boolean;
  close(): void;
  /** The driver itself, for Kysely's dialect. */
  readonly driver: Libsql.Database;
}

/** How long a connection waits for a write transaction of another process. */
const BUSY_TIMEOUT_MS = 5000;
/**
 * Pages of WAL between two checkpoints (16 MB). A checkpoint costs fsyncs, so the default of 1,000
 * is too few.
 */
const CHECKPOINT_PAGES = 4000;
/** How long the end of a connection waits for others to leave the log. */
const CLOSE_WAIT_MS = 100;
/** Only the owner reads and writes a database and its copies. */
const PRIVATE_MODE = 0o600;
/** If the disk has less room than this, an I/O error means that the disk is full. */
const FULL_BYTES = 64 * 1024;

/**
 * The file that a database URL names.
 *
 * @param url `file:<path>`, absolute or relative to the working directory
 * @throws DatabaseOpenError `bad_url` for anything else
 */
export function sqlitePath(url: string): string {
  const path = /^file:(?:\/\/(?=\/))?(.+)$/.exec(url)?.[1];
  if (path === undefined || path.startsWith('//')) {
    // The message leaves out the URL, because the URL of a database server holds a password.
    throw new DatabaseOpenError('bad_url', 'The database URL must be file:<path> or postgres://….');
  }
  return resolve(path);
}

/**
 * Opens (and creates, with its folder) a SQLite file in WAL mode with durable commits.
 *
 * @param path file name, as `sqlitePath` gives it
 * @throws DatabaseOpenError `not_a_database` or `not_writable`
 */
export function openSqlite(path: string): SqliteConnection {
  let driver: Libsql.Database | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true });
    makePrivate(path);
    driver = new Libsql(path);
    // Comes before anything else, because libsql does not wait by default.
    driver.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    enableWal(driver);
    driver.exec('PRAGMA synchronous = FULL');
    driver.exec('PRAGMA foreign_keys = ON');
    // Deleted and changed data are overwritten with zeros, so no free page contains them.
    driver.exec('PRAGMA secure_delete = ON');
    driver.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    return wrap(driver);
  } catch (error) {
    driver?.close();
    throw asOpenError(path, error);
  }
}

/**
 * Makes a file that only its owner can read, or takes the rights on an existing one from all
 * others. SQLite gives the log and its index the rights of the database.
 */
export function makePrivate(path: string): void {
  try {
    // An existing file must not be opened here: closing it would end the locks of this process on it.
    closeSync(openSync(path, 'wx', PRIVATE_MODE));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    for (const file of [path, `${path}-wal`, `${path}-shm`]) {
      try {
        chmodSync(file, PRIVATE_MODE);
      } catch {
        // The file is absent or belongs to another user, who decides.
      }
    }
  }
}

/**
 * Writes the log back to the file and empties it, unless others use it for longer than a wait. Then
 * closes the connection.
 */
export function closeSqlite(connection: SqliteConnection, waitMs: number = CLOSE_WAIT_MS): void {
  try {
    connection.exec(`PRAGMA busy_timeout = ${waitMs}`);
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // Nothing is lost: SQLite reads the log when the file is opened again.
  }
  connection.close();
}

/**
 * Switching to WAL needs exclusive access for a moment, and SQLite does not always wait for it. So
 * two processes that create a database at the same time have to try again.
 */
function enableWal(driver: Libsql.Database): void {
  const deadlineMs = Date.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      driver.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!errorCode(error)?.startsWith('SQLITE_BUSY') || Date.now() > deadlineMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

function wrap(driver: Libsql.Database): SqliteConnection {
  return {
    driver,
    // The types of libsql leave rows unknown; every column of the schema is text or an integer.
    prepareRaw: (sql) => {
      const statement = driver.prepare(sql);
      return (statement.reader ? statement.raw() : statement) as unknown as SqliteStatement;
    },
    exec: (sql) => {
      driver.exec(sql);
    },
    get inTransaction() {
      return driver.inTransaction;
    },
    close: () => {
      driver.close();
    },
  };
}

/** The error that says what is wrong with the file; returns unrelated errors unchanged. */
export function asOpenError(path: string, error: unknown): unknown {
  if (error instanceof DatabaseOpenError || !(error instanceof Error)) return error;
  const code = errorCode(error) ?? '';
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) {
    return new DatabaseOpenError('not_a_database', `${path} is not a database file.`, {
      cause: error,
    });
  }
  if (isFull(path, code)) {
    const message = `The disk of ${path} is full (${error.message}).`;
    return new DatabaseOpenError('disk_full', message, { cause: error });
  }
  const unwritable =
    /^(SQLITE_(READONLY|CANTOPEN|PERM|IOERR)|E[A-Z]+$)/.test(code) ||
    error.message.includes('Unable to open');
  if (unwritable) {
    const message = `The database ${path} cannot be written (${error.message}).`;
    return new DatabaseOpenError('not_writable', message, { cause: error });
  }
  return error;
}

/** Whether an error says that the disk is full. SQLite reports some of these as I/O errors. */
function isFull(path: string, code: string): boolean {
  if (/^(SQLITE_FULL|ENOSPC|EDQUOT)/.test(code)) return true;
  return code.startsWith('SQLITE_IOERR') && freeBytes(path) < FULL_BYTES;
}

/**
 * Free bytes of the file system of a file or folder, as far as users without special rights may use
 * them. If the file does not exist, its next folder that exists counts.
 *
 * @returns NaN if the system does not report it
 */
export function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(existingPart(path));
    return bavail * bsize;
  } catch {
    return Number.NaN;
  }
}

function existingPart(path: string): string {
  const folder = dirname(path);
  return existsSync(path) || folder === path ? path : existingPart(folder);
}
