import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseOpenError, errorCode } from './errors.js';
import { makePrivate, openSqlite, type SqliteConnection } from './sqlite.js';

/** If a file stays locked for longer than this, it counts as in use. A short command locks it for less. */
const IN_USE_AFTER_MS = 500;

/**
 * Copies a database as it is at one moment, while other processes write to it. The log of the
 * database grows until the copy is made.
 *
 * @param to path of the copy; no file may exist there
 * @throws DatabaseOpenError `not_a_database` for a file without a database
 */
export function snapshotSqlite(path: string, to: string): void {
  if (!existsSync(path)) throw new DatabaseOpenError('not_a_database', `${path} does not exist.`);
  const connection = openSqlite(path);
  try {
    connection.exec(`VACUUM INTO '${to.replaceAll("'", "''")}'`);
  } finally {
    connection.close();
  }
}

/**
 * Checks the structure of a file and writes its log back into it, so that the database is one file.
 *
 * @returns false when another process has the database open
 * @throws DatabaseOpenError `not_a_database` when the file is damaged
 */
export function closeSqliteFile(path: string): boolean {
  const connection = openSqlite(path);
  try {
    connection.exec(`PRAGMA busy_timeout = ${IN_USE_AFTER_MS}`);
    // SQLite can leave WAL mode only if nobody else has the file open.
    connection.exec('PRAGMA journal_mode = DELETE');
    const [[fault] = []] = connection.prepareRaw('PRAGMA integrity_check').all();
    if (fault === 'ok') return true;
    throw new DatabaseOpenError('not_a_database', `${path} is damaged: ${fault}.`);
  } catch (error) {
    if (errorCode(error)?.startsWith('SQLITE_BUSY')) return false;
    throw error;
  } finally {
    connection.close();
  }
}

/** Whether a file is a database of this program, of any version. */
export function isOwnSqlite(path: string): boolean {
  let connection: SqliteConnection | undefined;
  try {
    connection = openSqlite(path);
    connection.exec('select 1 from kysely_migration limit 0');
    return true;
  } catch {
    return false;
  } finally {
    connection?.close();
  }
}

/** Copies a closed database file. */
export function copyClosed(from: string, to: string): void {
  rmSync(to, { force: true });
  makePrivate(to);
  copyFileSync(from, to);
}

/**
 * Gives a finished file its name, durably.
 *
 * @throws the system's error EEXIST when there is a file of that name
 */
export function publishFile(partial: string, path: string): void {
  flush(partial);
  linkSync(partial, path);
  rmSync(partial);
  flush(dirname(path));
}

/** Moves a file aside; returns its new name. */
export function moveAside(path: string, nowMs: number): string {
  const aside = `${path}.replaced-${new Date(nowMs).toISOString().replaceAll(':', '-')}`;
  renameSync(path, aside);
  return aside;
}

function flush(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
