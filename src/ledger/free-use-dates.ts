import { sql, type Transaction } from 'kysely';
import type { Mode } from '../core/billing-terms.js';
import type { Schema } from '../database/schema.js';

/** Free uses of an account that count from another moment than that of their entries. */
export interface UseDates {
  readonly accountId: string;
  readonly mode: Mode;
  /** The uses, by the dates from which they counted so far. */
  readonly uses: readonly { readonly atMs: number }[];
  /** From when on they count, ms since the epoch. */
  readonly atMs: number;
}

/**
 * Books on PostgreSQL from when on free uses count; their entries stay as they are. To book the same
 * again changes nothing. An account has the uses of those whose successor it is.
 *
 * @throws what PostgreSQL reports
 */
export async function dateFreeUses(trx: Transaction<Schema>, dates: UseDates): Promise<void> {
  const { accountId, mode, uses, atMs } = dates;
  const before = uses.map((use) => use.atMs);
  const owners = sql`(select ${accountId} union all
    select account_id from closed_accounts where successor_id = ${accountId})`;
  const which = sql`account_id in ${owners} and mode = ${mode} and at_ms = any(${before}::bigint[])`;
  await sql`update free_use_dates set at_ms = ${atMs} where ${which}`.execute(trx);
  await sql`insert into free_use_dates (entry_id, account_id, mode, at_ms)
    select id, account_id, mode, ${atMs} from ledger_entries where ${which} and free_calls > 0
    on conflict (entry_id) do nothing`.execute(trx);
}
