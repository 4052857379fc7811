import { sql, type Transaction } from 'kysely';
import type { Mode } from '../core/billing-terms.js';
import type { Schema } from '../database/schema.js';

/** New dates of free uses of an account. They replace the dates of the entries. */
export interface UseDates {
  readonly accountId: string;
  readonly mode: Mode;
  /** The uses, with the dates from which they counted so far. */
  readonly uses: readonly { readonly atMs: number }[];
  /** From when on they count, ms since the epoch. */
  readonly atMs: number;
}

/**
 * Books new dates of free uses on PostgreSQL. The entries stay as they are. Booking the same dates
 * again changes nothing. The uses of an account include those of the accounts that it succeeded.
 *
 * @throws the error of PostgreSQL
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
