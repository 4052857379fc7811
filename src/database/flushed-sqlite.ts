import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { type SqliteDatabase, SqliteDialect, SqliteDriver } from 'kysely';

const flushFile = promisify(fdatasync);

/**
 * Statements that certainly change nothing. After all other statements the log is flushed, even if
 * they changed nothing.
 */
const READS = /^\s*(?:select|begin|rollback)\b/i;

/**
 * Kysely's dialect for SQLite on a connection with `synchronous = NORMAL`. The result of a write is
 * returned only when the write-ahead log is on the disk, as with FULL. The thread pool waits for
 * the disk instead of the event loop, and the write lock is free during the wait.
 */
export class FlushedSqliteDialect extends SqliteDialect {
  readonly #database: SqliteDatabase;
  readonly #path: string;

  /** @param path file name of the database */
  constructor(database: SqliteDatabase, path: string) {
    super({ database });
    this.#database = database;
    this.#path = path;
  }

  override createDriver(): SqliteDriver {
    return new FlushedDriver(this.#database, new LogFlush(this.#path));
  }
}

class FlushedDriver extends SqliteDriver {
  readonly #log: LogFlush;
  readonly #written: { any: boolean };

  constructor(database: SqliteDatabase, log: LogFlush) {
    const written = { any: false };
    super({
      database: {
        close: () => database.close(),
        prepare: (statement) => {
          if (!READS.test(statement)) written.any = true;
          return database.prepare(statement);
        },
      },
    });
    this.#log = log;
    this.#written = written;
  }

  // Kysely awaits this method before it returns the result. The next user of the connection need not wait.
  override async releaseConnection(): Promise<void> {
    const hasWritten = this.#written.any;
    this.#written.any = false;
    await super.releaseConnection();
    if (hasWritten) await this.#log.flush();
  }

  override async destroy(): Promise<void> {
    await super.destroy();
    this.#log.close();
  }
}

/** Flushes a write-ahead log, one flush at a time. Writes made during a flush share the next flush. */
class LogFlush {
  readonly #path: string;
  #descriptor: number | undefined;
  #last: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Resolves once everything written before the call is on the disk. */
  flush(): Promise<void> {
    this.#next ??= this.#last.then(() => this.#flush());
    return this.#next;
  }

  #flush(): Promise<void> {
    this.#next = undefined;
    // The log stays the same file while the connection is open.
    this.#descriptor ??= openSync(`${this.#path}-wal`, 'r');
    const flushing = flushFile(this.#descriptor);
    this.#last = flushing.catch(() => undefined);
    return flushing;
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}
