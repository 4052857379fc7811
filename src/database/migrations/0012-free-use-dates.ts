import { type Kysely, type Migration, sql } from 'kysely';
import { isPostgres } from '../dialect.js';

/**
 * The dates from which free calls count that were booked by a clock that ran ahead (decision 0023).
 * The entries of the ledger keep their dates. The view `free_uses` has the date that counts.
 */
export const freeUseDates: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const id = isPostgres(db) ? sql`text collate "C"` : sql`integer`;
    await sql`create table free_use_dates (
      entry_id ${id} primary key not null,
      account_id text not null,
      mode text not null,
      at_ms bigint not null)`.execute(db);
    await sql`create index free_use_dates_account on free_use_dates (account_id, mode)`.execute(db);
    await sql`create view free_uses as
      select id, account_id, mode, at_ms, free_calls from ledger_entries as entry
        where free_calls > 0
          and not exists (select 1 from free_use_dates where entry_id = entry.id)
      union all
      select entry.id, dated.account_id, dated.mode, dated.at_ms, entry.free_calls
        from free_use_dates as dated join ledger_entries as entry on entry.id = dated.entry_id`.execute(
      db,
    );
  },
};
