import { type Kysely, sql } from 'kysely';
import { isPostgres, refuseChanges, runAll } from '../dialect.js';

/**
 * Creates the table of entries, which every charge writes, without its indexes and rules. Each
 * further index or reference costs a charge as much as the row itself. On PostgreSQL, ids are texts
 * that sort by time, and no query needs an index of ids alone. On SQLite, ids are integers in the
 * order of booking, without AUTOINCREMENT, which would write another row for each entry. No id is
 * used twice, because no entry can be deleted.
 */
export async function createEntries(db: Kysely<unknown>): Promise<void> {
  const onPostgres = isPostgres(db);
  await runAll(db, [
    `create table ledger_entries (
      id ${onPostgres ? 'text collate "C" not null' : 'integer primary key not null'},
      account_id text not null,
      mode text not null,
      kind text not null,
      credits bigint not null,
      free_calls integer not null,
      cause text not null${onPostgres ? '' : ' unique'},
      operation text,
      key_id text,
      rate_hits integer not null,
      at_ms bigint not null,
      balance_after bigint not null,
      constraint ledger_entries_mode check (mode in ('live', 'test')),
      constraint ledger_entries_kind check (
        (kind = 'usage' and ((credits < 0 and free_calls = 0) or (credits = 0 and free_calls > 0)))
        or (kind in ('grant', 'purchase') and credits > 0 and free_calls = 0)
        or (kind = 'correction' and free_calls = 0)),
      constraint ledger_entries_counts check (rate_hits >= 0 and balance_after >= 0))`,
  ]);
}

/** Indexes of the ledger and the rules that the database keeps for it. */
export async function guardEntries(db: Kysely<unknown>): Promise<void> {
  // Indexes of free calls and of received credits. They hold few rows and cost paid usage nothing.
  await runAll(db, [
    `create index ledger_entries_free on ledger_entries (account_id, mode, at_ms)
    where free_calls > 0`,
    `create index ledger_entries_credits on ledger_entries (account_id, mode, at_ms)
    where kind <> 'usage'`,
  ]);
  await refuseChanges(db, 'ledger_entries');
  if (isPostgres(db)) await runAll(db, POSTGRES_RULES);
}

const POSTGRES_RULES: readonly string[] = [
  'create unique index ledger_entries_cause on ledger_entries (cause)',
  'create index ledger_entries_account on ledger_entries (account_id, mode, id)',
  // The entry refers to the balance, which refers to the account, so every entry has both.
  `alter table ledger_entries add constraint ledger_entries_balance
    foreign key (account_id, mode) references balances (account_id, mode)`,
  // A commit is refused unless each balance is the sum of its entries. The sum is stored beside the
  // balance, because computing it from the ledger would cost more with every entry.
  `create function ledger_entries_add_up() returns trigger language plpgsql as $$
    begin
      update balances set ledger_sum = balances.ledger_sum + added.credits
      from (select account_id, mode, sum(credits) as credits from new_entries
        group by account_id, mode having sum(credits) <> 0) as added
      where balances.account_id = added.account_id and balances.mode = added.mode;
      return null;
    end $$`,
  `create trigger ledger_entries_add_up after insert on ledger_entries
    referencing new table as new_entries
    for each statement execute function ledger_entries_add_up()`,
];

/** Free calls used, each with the date that counts. The entries of the ledger keep their dates. */
export async function viewFreeUses(db: Kysely<unknown>): Promise<void> {
  await sql`create view free_uses as
    select id, account_id, mode, at_ms, free_calls from ledger_entries as entry
      where free_calls > 0 and not exists (select 1 from free_use_dates where entry_id = entry.id)
    union all
    select entry.id, dated.account_id, dated.mode, dated.at_ms, entry.free_calls
      from free_use_dates as dated join ledger_entries as entry on entry.id = dated.entry_id
        and entry.account_id = dated.account_id and entry.mode = dated.mode`.execute(db);
}
