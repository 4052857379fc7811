import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { DatabaseOpenError, errorCode } from './errors.js';
import type { Database, Schema } from './schema.js';
import { parsePostgresUrl } from './url.js';

/** Maximum number of connections of one process; by default PostgreSQL accepts 100 in all. */
const POOL_MAX = 10;
const CONNECT_TIMEOUT_MS = 5000;
const IDLE_TIMEOUT_MS = 30_000;
/** Time limit of a statement; the verification of a whole ledger takes the longest. */
const STATEMENT_TIMEOUT_MS = 60_000;
/** If even the server's own timeout does not end a query in this time, the server is gone. */
const QUERY_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5000;
/** A process that hangs in a transaction must not hold its locks for ever. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;
const TIMEOUTS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  query_timeout: QUERY_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
};
/** The oldest release on which the migrations are tested. */
const OLDEST_MAJOR = 15;

/**
 * Whether statements are limited in time (`service`) or may read the whole ledger, however large it
 * is (`bulk`).
 */
export type Pace = 'service' | 'bulk';

/** A Kysely database on PostgreSQL; it connects at the first use. */
export function postgresDatabase(url: string, pace: Pace = 'service'): Database {
  const pool = new pg.Pool({ ...connectionOptions(url, pace), max: POOL_MAX });
  // A lost connection also fails its next statement, so the errors need no handling here.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
}

/** Settings of every connection to the server. */
export function connectionOptions(url: string, pace: Pace = 'service'): pg.PoolConfig {
  return {
    connectionString: checkedUrl(url).href,
    application_name: 'vitruvia',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser },
    ...(pace === 'bulk' ? {} : TIMEOUTS),
  };
}

/** Every bigint of the schema stays below 2^53, so it is read as a number, as from SQLite. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.INT8 && format !== 'binary'
    ? Number
    : pg.types.getTypeParser(oid, format as 'text');

/**
 * Checks the release of the server.
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

/** The error that says why the server cannot be used; returns unrelated errors unchanged. */
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
  // Only one side uses TLS, or the certificate is not trusted.
  const isTls = /SSL connection|certificate/.test(error.message);
  if (isTls || /SSL|TLS|CERT|SIGNATURE|EPROTO/.test(code)) return 'tls';
  if (code.startsWith('28')) return 'access_denied';
  if (code === '3D000') return 'no_database';
  if (code === '53100') return 'disk_full';
  if (code === '42501' || code === '25006') return 'not_writable';
  // Shutting down, starting up, out of connections, or an error code of Node. A timeout has no
  // code.
  const away =
    /^(57P0\d|53300|08\w{3}|E[A-Z_]+)$/.test(code) ||
    /timeout|terminated unexpectedly/.test(error.message);
  return away ? 'unreachable' : undefined;
}

function checkedUrl(url: string): URL {
  const parsed = parsePostgresUrl(url);
  if (parsed !== undefined) return parsed;
  // The message leaves out the URL, which may hold a password.
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
