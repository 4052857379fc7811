import { ReasonError } from '../core/errors.js';

/** Why a database could not be opened. */
export type DatabaseOpenReason =
  | 'bad_url'
  | 'not_a_database'
  | 'not_writable'
  | 'disk_full'
  | 'served'
  | 'newer'
  | 'outdated'
  | 'unreachable'
  | 'unavailable'
  | 'access_denied'
  | 'tls'
  | 'no_database'
  | 'too_old';

/** The database cannot be used; the message names the file or server, never a password. */
export class DatabaseOpenError extends ReasonError<DatabaseOpenReason> {}

/** The code of an error, such as `SQLITE_BUSY` or PostgreSQL's `23505`; undefined without one. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Whether a row was refused because another row has the same key. */
export function isUniqueViolation(error: unknown): boolean {
  const code = errorCode(error) ?? '';
  return code === '23505' || code === 'SQLITE_CONSTRAINT_UNIQUE';
}

/**
 * Whether PostgreSQL refused the data, as opposed to being unable to work at the moment: data
 * exceptions, constraint violations, program limits, and exceptions raised by our own triggers
 * (classes 21, 22, 23, 54 and P0 of its error codes).
 */
export function isDataError(error: unknown): error is Error {
  return /^(21|22|23|54|P0)...$/.test(errorCode(error) ?? '');
}

/**
 * Whether the disk refused to write because it is full, read-only or failing. The statement may
 * succeed later.
 */
export function isDiskError(error: unknown): boolean {
  return /^(SQLITE_(FULL|IOERR|READONLY|CANTOPEN)|53100$)/.test(errorCode(error) ?? '');
}

/** Why Redis cannot be used. */
export type RedisOpenReason =
  | 'unreachable'
  | 'access_denied'
  | 'no_database'
  | 'no_cluster'
  | 'settings'
  | 'tls';

/** Redis cannot be used; the message has its address and the cause, never a password. */
export class RedisOpenError extends ReasonError<RedisOpenReason> {}
