import { mkdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Libsql from 'libsql';
import { DatabaseOpenError, errorCode } from './errors.js';
import { asOpenError, makePrivate } from './sqlite.js';

/** The right to serve from a SQLite file. It ends with the process, even if the process crashes. */
export interface ServingLock {
  release(): void;
}

/** The name of the lock's file is the name of the database followed by this. */
const LOCK_SUFFIX = '-serving';

/**
 * Takes the right to serve from a SQLite file. Only one process may serve, because its memory holds
 * the rate limits, the computations under way and the processor time of accounts. Commands may use
 * the file meanwhile. The lock is a write transaction on a small SQLite file of its own, so the
 * operating system frees it when the process dies. That file tells the process id, and is never
 * deleted.
 *
 * @param path file name of the database, as `sqlitePath` gives it
 * @throws DatabaseOpenError `served` while another server has the lock, `not_writable`
 */
export function lockForServing(path: string): ServingLock {
  let driver: Libsql.Database | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true });
    const file = realPath(path) + LOCK_SUFFIX;
    makePrivate(file);
    driver = new Libsql(file);
    notePid(driver);
    driver.exec('BEGIN IMMEDIATE');
  } catch (error) {
    const served = errorCode(error)?.startsWith('SQLITE_BUSY') === true;
    const by = served && driver !== undefined ? pidOf(driver) : undefined;
    driver?.close();
    if (!served) throw asOpenError(path, error);
    const which = by === undefined ? 'another server' : `another server (process ${by})`;
    throw new DatabaseOpenError('served', `${path} is in use by ${which}.`, { cause: error });
  }
  const held = driver;
  return {
    release() {
      held.exec('ROLLBACK');
      held.close();
    },
  };
}

/** The file to which a name leads, also by a link. The file need not exist yet. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return join(realpathSync(dirname(path)), basename(path));
  }
}

/** Writes the id of this process, unless the disk is full. */
function notePid(driver: Libsql.Database): void {
  try {
    driver.exec('BEGIN EXCLUSIVE');
    driver.exec('CREATE TABLE IF NOT EXISTS server (pid INTEGER NOT NULL)');
    driver.exec('DELETE FROM server');
    driver.exec(`INSERT INTO server VALUES (${process.pid})`);
    driver.exec('COMMIT');
  } catch (error) {
    if (driver.inTransaction) driver.exec('ROLLBACK');
    if (!errorCode(error)?.startsWith('SQLITE_FULL')) throw error;
  }
}

function pidOf(driver: Libsql.Database): number | undefined {
  try {
    const row = driver.prepare('SELECT pid FROM server').raw().get() as [number] | undefined;
    return row?.[0];
  } catch {
    return undefined;
  }
}
