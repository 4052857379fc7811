import { mkdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Libsql from 'libsql';
import { DatabaseOpenError, errorCode } from './errors.js';
import { asOpenError } from './sqlite.js';

/** The right to serve from a SQLite file. It also ends with the process, however that ends. */
export interface ServingLock {
  release(): void;
}

/** What the lock's file is called, after the name of the database. */
const LOCK_SUFFIX = '-serving';

/**
 * Takes the right to serve from a SQLite file: the rate limits, the computations under way and the
 * processor time of accounts are counted in the memory of one process. Commands may use the file meanwhile.
 *
 * The lock is a write transaction on a small SQLite file of its own, so the operating system frees it when
 * the process dies. The file tells the process id; it stays.
 *
 * @param path file name of the database, as `sqlitePath` gives it
 * @throws DatabaseOpenError `served` while another server has it, `not_writable`
 */
export function lockForServing(path: string): ServingLock {
  let driver: Libsql.Database | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true });
    driver = new Libsql(realPath(path) + LOCK_SUFFIX);
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

/** The file that a name means, also by a link; it need not exist yet. */
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
