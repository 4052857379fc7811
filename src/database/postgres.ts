import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { DatabaseOpenError, errorCode } from './errors.js';
import type { Database, Schema } from './schema.js';
import { parsePostgresUrl } from './url.js';

/** Connections one process holds at most; PostgreSQL's own default serves 100 in all. */
const POOL_MAX = 10;
const CONNECT_TIMEOUT_MS = 5000;
const IDLE_TIMEOUT_MS = 30_000;
/** Longest statement; verifying a whole ledger is the longest there is. */
const STATEMENT_TIMEOUT_MS = 60_000;
/** When even the server's own timeout does not end a query, the server is gone. */
const QUERY_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5000;
/** A process that stands still in a transaction must not hold its locks for ever. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;
/** The oldest release the migrations are tested on. */
const OLDEST_MAJOR = 15;

/** PostgreSQL behind Kysely; connects when first used. */
export function postgresDatabase(url: string): Database {
  const pool = new pg.Pool({ ...connectionOptions(url), max: POOL_MAX });
  // A connection that is lost while idle, or between two statements, says so to its next user too.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
}

/** What every connection to the server shares. */
export function connectionOptions(url: string): pg.PoolConfig {
  return {
    connectionString: checkedUrl(url).href,
    application_name: 'vitruvia',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser },
  };
}

/** Every bigint of the schema stays below 2^53, so it is a number, as SQLite gives it. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.INT8 && format !== 'binary'
    ? Number
    : pg.types.getTypeParser(oid, format as 'text');

/**
 * Asks the server for its release.
 *
 * @throws DatabaseOpenError `too_old`
 */
export async function refuseOldServer(db: Database, url: string): Promise<void> {
  const { rows } = await sql<{ version: string }>`select
    current_setting('server_version_num') as version`.execute(db);
  const major = Math.floor(Number(rows[0]?.version) / 10_000);
  if (major >= OLDEST_MAJOR) return;
  const message = `${serverName(url)} is release ${major}; ${OLDEST_MAJOR} is the oldest supported.`;
  throw new DatabaseOpenError('too_old', message);
}

/** Names why the server cannot be used; errors that say nothing about it pass unchanged. */
export function asPostgresOpenError(url: string, error: unknown): unknown {
  if (error instanceof DatabaseOpenError || !(error instanceof Error)) return error;
  const reason = openReason(error);
  if (reason === undefined) return error;
  const why = error.message === '' ? errorCode(error) : error.message;
  const message = `${serverName(url)} cannot be used (${withoutPassword(url, `${why}`)}).`;
  return new DatabaseOpenError(reason, message, { cause: error });
}

function openReason(error: Error): DatabaseOpenError['reason'] | undefined {
  const code = errorCode(error) ?? '';
  if (code.startsWith('28')) return 'access_denied';
  if (code === '3D000') return 'no_database';
  if (code === '42501' || code === '25006') return 'not_writable';
  // Shutting down, starting up, out of connections; Node's own codes; the time-out has none.
  const away =
    /^(57P0\d|53300|08\w{3}|E[A-Z_]+)$/.test(code) ||
    /timeout|terminated unexpectedly|SSL|certificate/.test(error.message);
  return away ? 'unreachable' : undefined;
}

function checkedUrl(url: string): URL {
  const parsed = parsePostgresUrl(url);
  if (parsed !== undefined) return parsed;
  // Without the URL itself: it may hold a password.
  const form = 'postgres://user:password@host:5432/database';
  throw new DatabaseOpenError('bad_url', `A PostgreSQL URL has the form ${form}.`);
}

function serverName(url: string): string {
  const { hostname, port, pathname } = checkedUrl(url);
  return `PostgreSQL at ${hostname}:${port || 5432}, database ${pathname.slice(1)},`;
}

function withoutPassword(url: string, text: string): string {
  const { password } = checkedUrl(url);
  if (password === '') return text;
  return text.replaceAll(password, '…').replaceAll(decodeURIComponent(password), '…');
}
