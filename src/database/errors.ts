/** Why a database could not be opened. */
export type DatabaseOpenReason = 'bad_url' | 'not_a_database' | 'not_writable' | 'newer';

/** The database cannot be used; the message names the file and says what to do. */
export class DatabaseOpenError extends Error {
  readonly reason: DatabaseOpenReason;

  constructor(reason: DatabaseOpenReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DatabaseOpenError';
    this.reason = reason;
  }
}

/** The result code of a SQLite error, such as `SQLITE_BUSY`; undefined for any other error. */
export function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
