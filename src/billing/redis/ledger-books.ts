import { sql } from 'kysely';
import { FREE_CALLS_PER_WINDOW, IDEMPOTENCY_TTL_MS, type Mode } from '../../core/billing-terms.js';
import type { Database } from '../../database/schema.js';
import { type AnswerScope, firstEntryId, type StoredAnswer } from '../../ledger/charge.js';
import { packFreeUses } from './keys.js';

/** An API key as the database has it. */
export interface BookedKey {
  readonly id: string;
  readonly accountId: string;
  readonly mode: Mode;
  readonly revoked: boolean;
}

/** An account's funds in the ledger, in the fields of Redis (see `fundsKey`). */
export interface BookedFunds {
  readonly credited: number;
  readonly version: number;
  readonly debt: number;
  readonly debtVersion: number;
  readonly spent: number;
  readonly free: string;
  /** Whether the account was used within the time for which idempotent answers are kept. */
  readonly recentUsage: boolean;
}

/** A stored answer, and when its charge was booked, ms since the epoch. */
export interface BookedAnswer extends StoredAnswer {
  readonly atMs: number;
}

/** Reads from PostgreSQL what the gate does not find in Redis. */
export class LedgerBooks {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** A number that no generation of any partition has had. */
  async nextGeneration(): Promise<number> {
    const { rows } = await sql<{
      generation: number | string;
    }>`select nextval('redis_generations') as generation`.execute(this.#db);
    return Number(rows[0]?.generation);
  }

  /** The key with that hash, or null. */
  async key(hash: string): Promise<BookedKey | null> {
    const row = await this.#db
      .selectFrom('api_keys')
      .select(['id', 'account_id', 'mode', 'revoked_at_ms'])
      .where('hash', '=', hash)
      .executeTakeFirst();
    if (row === undefined) return null;
    const { id, account_id: accountId, mode } = row;
    return { id, accountId, mode, revoked: row.revoked_at_ms !== null };
  }

  /**
   * Funds of an account with its latest free uses, including uses that have left the window.
   * Returns null if there is no such account.
   */
  async funds(accountId: string, mode: Mode, nowMs: number): Promise<BookedFunds | null> {
    const { rows } = await sql<{
      credited: number | string;
      version: number | string;
      debt: number | string;
      debt_version: number | string;
      paid: number | string;
      uses: { at: number; calls: number }[] | null;
      recent: boolean;
    }>`select credited, credit_version as version, paid_credits as paid,
        debt_credits as debt, debt_version,
        (select json_agg(json_build_object('at', at_ms, 'calls', free_calls) order by at_ms, id)
          from (select at_ms, id, free_calls from (values (${accountId}) union all
                select account_id from closed_accounts where successor_id = ${accountId})
                as owners (account_id)
              cross join lateral (select at_ms, id, free_calls from free_uses
                where free_uses.account_id = owners.account_id and free_uses.mode = ${mode}
                order by at_ms desc, id desc limit ${FREE_CALLS_PER_WINDOW}) as latest
            order by at_ms desc, id desc limit ${FREE_CALLS_PER_WINDOW}) as used) as uses,
        exists (select 1 from ledger_entries as entry
          where entry.account_id = ${accountId} and entry.mode = ${mode} and kind = 'usage'
            and id >= ${firstEntryId(nowMs - IDEMPOTENCY_TTL_MS)}) as recent
      from balances where account_id = ${accountId} and mode = ${mode}`.execute(this.#db);
    const [row] = rows;
    if (row === undefined) return null;
    const uses = (row.uses ?? []).map(({ at, calls }) => ({ atMs: at, calls }));
    return {
      credited: Number(row.credited),
      version: Number(row.version),
      debt: Number(row.debt),
      debtVersion: Number(row.debt_version),
      spent: Number(row.credited) - Number(row.paid),
      free: packFreeUses(uses),
      recentUsage: row.recent,
    };
  }

  /** The answer under an idempotency key that has not expired, or null. */
  async answer(scope: AnswerScope, nowMs: number): Promise<BookedAnswer | null> {
    const row = await this.#db
      .selectFrom('idempotent_answers')
      .select(['fingerprint', 'answer_json', 'remaining_free_calls', 'at_ms'])
      .where('account_id', '=', scope.accountId)
      .where('mode', '=', scope.mode)
      .where('operation', '=', scope.operation)
      .where('key', '=', scope.key)
      .where('at_ms', '>', nowMs - IDEMPOTENCY_TTL_MS)
      .executeTakeFirst();
    if (row === undefined) return null;
    const { fingerprint, answer_json: json, at_ms: atMs } = row;
    return { fingerprint, json, remainingFreeCalls: row.remaining_free_calls, atMs };
  }
}
