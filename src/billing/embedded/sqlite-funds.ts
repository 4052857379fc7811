import { type AccountFunds, FREE_WINDOW_MS, type Mode } from '../../core/billing-terms.js';
import { openSqlite, type SqliteConnection, type SqliteStatement } from '../../database/sqlite.js';
import { STATEMENTS } from './writer-sql.js';

/** Reads what accounts can spend, on a read connection of its own. */
export class SqliteFunds {
  readonly #connection: SqliteConnection;
  readonly #paidCredits: SqliteStatement;
  readonly #freeUses: SqliteStatement;

  /** @throws DatabaseOpenError when the file cannot be used */
  constructor(path: string) {
    this.#connection = openSqlite(path);
    this.#paidCredits = this.#connection.prepareRaw(STATEMENTS.paidCredits);
    this.#freeUses = this.#connection.prepareRaw(STATEMENTS.freeUses);
  }

  /** What an account has at that time, by the latest commit. */
  of(accountId: string, mode: Mode, nowMs: number): AccountFunds {
    const uses = this.#freeUses.all(accountId, mode, nowMs - FREE_WINDOW_MS);
    return {
      paidCredits: Number(this.#paidCredits.get(accountId, mode)?.[0] ?? 0),
      freeUses: uses.map(([atMs, calls]) => ({ atMs: Number(atMs), calls: Number(calls) })),
    };
  }

  close(): void {
    this.#connection.close();
  }
}
