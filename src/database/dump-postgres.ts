import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { DatabaseOpenError } from './errors.js';
import { asPostgresOpenError, postgresDatabase } from './postgres.js';
import { parsePostgresUrl } from './url.js';

/** `pg_dump` or `pg_restore` is missing or failed; the message holds what it printed. */
export class DumpError extends Error {
  override readonly name = 'DumpError';
}

/** A table that every dump of this program contains. */
const MARK = /TABLE DATA \S+ kysely_migration /;

/**
 * Writes a database, as it is at one moment, to a file for `pg_restore`. Everything may run
 * meanwhile.
 *
 * @throws DumpError
 */
export async function dumpPostgres(url: string, file: string): Promise<void> {
  await run('pg_dump', ['--format=custom', '--no-owner', '--no-privileges', '--file', file], url);
  await checkDump(file);
}

/**
 * Reads a dump into an empty database, all or nothing.
 *
 * @throws DumpError
 */
export async function loadDump(url: string, file: string): Promise<void> {
  await checkDump(file);
  const words = ['--exit-on-error', '--single-transaction', '--no-owner', '--no-privileges'];
  await run('pg_restore', [...words, file], url);
}

/**
 * Whether a database has no tables.
 *
 * @throws DatabaseOpenError when it cannot be used
 */
export async function isEmptyDatabase(url: string): Promise<boolean> {
  const db = postgresDatabase(url);
  try {
    const { rows } = await sql`select from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema') limit 1`.execute(db);
    return rows.length === 0;
  } catch (error) {
    throw asPostgresOpenError(url, error);
  } finally {
    await db.destroy();
  }
}

async function checkDump(file: string): Promise<void> {
  const list = await run('pg_restore', ['--list', file]).catch((error: Error) => {
    throw new DumpError(`${file} cannot be read as a backup: ${error.message}`);
  });
  if (!MARK.test(list)) throw new DumpError(`${file} is not a backup of this program's database.`);
}

/** Runs a program of PostgreSQL. The password is in its environment, which others cannot read. */
async function run(program: string, words: readonly string[], url?: string): Promise<string> {
  const env = { ...process.env };
  const all = [...words];
  if (url !== undefined) {
    const parsed = parsePostgresUrl(url);
    if (parsed === undefined) throw new DatabaseOpenError('bad_url', 'The URL is not valid.');
    env.PGPASSWORD = decodeURIComponent(parsed.password);
    parsed.password = '';
    all.unshift('--dbname', parsed.href);
  }
  const child = spawn(program, all, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', () => {
      reject(new DumpError(`${program} is not installed. Install the client of PostgreSQL.`));
    });
    child.on('close', resolve);
  });
  const [code, output, errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (code !== 0) throw new DumpError(`${program} failed: ${errors.trim()}`);
  return output;
}
