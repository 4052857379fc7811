import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { readConfig } from '../config.js';
import {
  closeSqliteFile,
  copyClosed,
  isOwnSqlite,
  moveAside,
  publishFile,
  snapshotSqlite,
} from '../database/copy-sqlite.js';
import { openDatabase } from '../database/open.js';
import { makePrivate, sqlitePath } from '../database/sqlite.js';
import { isPostgresUrl } from '../database/url.js';
import { Refusal } from '../failure.js';
import { verifyLedger } from '../ledger/verify-ledger.js';
import { JSON_OPTION, type JsonOption, print } from './output.js';

/** Far larger than any useful list of differences in a ledger. */
const OUTPUT_MAX_BYTES = 100 * 1024 * 1024;
const NOTES = `
The database is that of DATABASE_URL. With PostgreSQL, the programs pg_dump and pg_restore are
needed, in the version of the server or a newer one.

Examples:
  npx vitruvia backup --to /backup/vitruvia-2026-11-22
  npx vitruvia restore --from /backup/vitruvia-2026-11-22
`;

/** Adds the options of `backup`. */
export function backupCommand(command: Command): void {
  command
    .requiredOption('--to <file>', 'a file that does not exist')
    .option(...JSON_OPTION)
    .addHelpText('after', NOTES)
    .action(backup);
}

/** Adds the options of `restore`. */
export function restoreCommand(command: Command): void {
  command
    .requiredOption('--from <file>', 'a file that `backup` wrote')
    .option(...JSON_OPTION)
    .addHelpText('after', NOTES)
    .action(restore);
}

async function backup(options: JsonOption & { readonly to: string }): Promise<void> {
  const { databaseUrl } = readConfig(process.env);
  const file = resolve(options.to);
  if (existsSync(file)) throw new Refusal('file_exists', `${file} exists; name another file.`);
  mkdirSync(dirname(file), { recursive: true });
  const partial = `${file}.partial`;
  rmSync(partial, { force: true });
  makePrivate(partial);
  try {
    if (isPostgresUrl(databaseUrl)) {
      await withDumps(async ({ dumpPostgres }) => dumpPostgres(databaseUrl, partial));
    } else {
      snapshotSqlite(sqlitePath(databaseUrl), partial);
      await checkSqlite(partial);
    }
    publishFile(partial, file);
  } finally {
    rmSync(partial, { force: true });
  }
  print(options, { file }, `The backup is in ${file}.`);
}

async function restore(options: JsonOption & { readonly from: string }): Promise<void> {
  const { databaseUrl } = readConfig(process.env);
  const file = resolve(options.from);
  if (!existsSync(file)) throw new Refusal('file_missing', `${file} does not exist.`);
  if (isPostgresUrl(databaseUrl)) {
    await withDumps(async ({ isEmptyDatabase, loadDump }) => {
      if (!(await isEmptyDatabase(databaseUrl))) {
        const message =
          'The database is not empty. Create another one (createdb) and name it in DATABASE_URL.';
        throw new Refusal('database_not_empty', message);
      }
      await loadDump(databaseUrl, file);
    });
    await verify(databaseUrl);
    const next = 'Empty Redis (FLUSHALL) before you start a worker: its balances are newer.';
    print(options, { restored: true }, `The database is restored, and its books agree. ${next}`);
    return;
  }
  const replaced = await restoreSqlite(file, sqlitePath(databaseUrl));
  const kept = replaced === undefined ? '' : ` The old file is ${replaced}.`;
  const document = { restored: true, replaced: replaced ?? null };
  print(options, document, `The database is restored, and its books agree.${kept}`);
}

/** Replaces a database by a backup. Returns where the old database is. */
async function restoreSqlite(file: string, path: string): Promise<string | undefined> {
  const closed = () => !existsSync(path) || closeSqliteFile(path);
  const inUse = new Refusal(
    'database_in_use',
    `A service or another process uses ${path}; stop it first.`,
  );
  if (!closed()) throw inUse;
  mkdirSync(dirname(path), { recursive: true });
  const partial = `${path}.restoring`;
  try {
    copyClosed(file, partial);
    if (!isOwnSqlite(partial)) {
      const message = `${file} is not a backup of this program's database. Name a file that npx vitruvia backup wrote.`;
      throw new Refusal('not_a_backup', message);
    }
    await checkSqlite(partial, file);
    // Repeats the test, because the check of a large file takes a while.
    if (!closed()) throw inUse;
    const replaced = existsSync(path) ? moveAside(path, Date.now()) : undefined;
    publishFile(partial, path);
    return replaced;
  } finally {
    rmSync(partial, { force: true });
  }
}

/**
 * Checks the structure and the books of a copy, and leaves the copy as one file. Another process reads the books,
 * because SQLite keeps a file open until its statements are garbage-collected.
 *
 * @param shown name of the file in messages
 */
async function checkSqlite(path: string, shown: string = path): Promise<void> {
  const words = [...process.execArgv, process.argv[1] ?? '', 'ledger', 'verify', '--json'];
  const env = { ...process.env, DATABASE_URL: `file:${path}` };
  const options = { env, maxBuffer: OUTPUT_MAX_BYTES };
  const output = await promisify(execFile)(process.execPath, words, options).catch(
    (error: { readonly stdout?: string }) => error,
  );
  const { code, message } = JSON.parse(output.stdout || '{}');
  if (code !== undefined || !closeSqliteFile(path)) {
    const why = `${message ?? ''}`.replaceAll(path, shown);
    throw new Refusal(code ?? 'copy_failed', `The copy cannot be used. ${why}`.trim());
  }
}

async function verify(url: string): Promise<void> {
  const db = await openDatabase(url, 'bulk');
  try {
    const drifts = await verifyLedger(db);
    if (drifts.length === 0) return;
    const message = `The books of the copy do not agree; differences: ${drifts.length}.`;
    throw new Refusal('ledger_differs', message, 1, { drifts });
  } finally {
    await db.destroy();
  }
}

/** Loads the code for dumps only when it is needed, and reports its failures. */
async function withDumps(
  use: (dumps: typeof import('../database/dump-postgres.js')) => Promise<void>,
): Promise<void> {
  const dumps = await import('../database/dump-postgres.js');
  try {
    await use(dumps);
  } catch (error) {
    if (!(error instanceof dumps.DumpError)) throw error;
    throw new Refusal('dump_failed', error.message);
  }
}
