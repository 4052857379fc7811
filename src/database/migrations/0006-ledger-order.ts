import { type Kysely, type Migration, sql } from 'kysely';
import { isPostgres, refuseChanges, utcDay } from '../dialect.js';

/**
 * SQLite only: the ledger gets integer ids in the order of booking, an index by account, and usage
 * per day that is booked in pieces.
 *
 * The index by account and the usage per day follow the ledger: `ledger_follow` holds the last
 * entry that is in both. The gate books the entries after it up to four times a second, in one
 * transaction, and both views add the entries after it. So they are exact at every moment, and a
 * crash loses nothing. Booking both with each batch of charges took a third of the writer's time.
 */
export const ledgerOrder: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    if (isPostgres(db)) return;
    await orderLedger(db);
    await sql`create table ledger_follow (
      only_row integer primary key not null check (only_row = 0),
      entry_id integer not null)`.execute(db);
    await sql`insert into ledger_follow values (0,
      (select coalesce(max(id), 0) from ledger_entries))`.execute(db);
    await indexByAccount(db);
    await splitUsage(db);
  },
};

const COLUMNS = sql.raw(`account_id, mode, kind, credits, free_calls, cause, operation, key_id,
  rate_hits, at_ms, balance_after`);

async function orderLedger(db: Kysely<unknown>): Promise<void> {
  await sql`alter table ledger_entries rename to old_entries`.execute(db);
  for (const index of ['ledger_entries_free', 'ledger_entries_credits']) {
    await db.schema.dropIndex(index).execute();
  }
  // Without AUTOINCREMENT, which writes another row for each entry. Ids are still never used
  // twice, because no entry can be deleted.
  await sql`create table ledger_entries (
    id integer primary key not null,
    account_id text not null,
    mode text not null,
    kind text not null,
    credits bigint not null,
    free_calls integer not null,
    cause text not null unique,
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
    constraint ledger_entries_counts check (rate_hits >= 0 and balance_after >= 0))`.execute(db);
  await sql`insert into ledger_entries (${COLUMNS})
    select ${COLUMNS} from old_entries order by id`.execute(db);
  await sql`drop table old_entries`.execute(db);
  await sql`create index ledger_entries_free on ledger_entries (account_id, mode, at_ms)
    where free_calls > 0`.execute(db);
  await sql`create index ledger_entries_credits on ledger_entries (account_id, mode, at_ms)
    where kind <> 'usage'`.execute(db);
  await refuseChanges(db, 'ledger_entries');
}

async function indexByAccount(db: Kysely<unknown>): Promise<void> {
  await sql`create table ledger_by_account (
    account_id text not null,
    mode text not null,
    id integer not null,
    primary key (account_id, mode, id)) without rowid`.execute(db);
  await sql`insert into ledger_by_account
    select account_id, mode, id from ledger_entries order by account_id, mode, id`.execute(db);
  // The columns of the index come first: SQLite then reads a range of it.
  const rest = sql.raw(
    'kind, credits, free_calls, cause, operation, key_id, rate_hits, at_ms, balance_after',
  );
  await sql`create view account_entries as
    select own.account_id as account_id, own.mode as mode, own.id as id, ${rest}
      from ledger_by_account as own join ledger_entries as entry on entry.id = own.id
    union all select account_id, mode, id, ${rest} from ledger_entries
      where id > (select entry_id from ledger_follow)`.execute(db);
}

async function splitUsage(db: Kysely<unknown>): Promise<void> {
  await sql`alter table usage_days rename to usage_days_booked`.execute(db);
  // Without GROUP BY, so that SQLite applies the conditions of a query to both parts: readers sum.
  await sql`create view usage_days as
    select account_id, mode, day, key_id, operation, calls, credits, free_calls, last_at_ms
      from usage_days_booked
    union all
    select account_id, mode, ${utcDay(db, 'at_ms')}, key_id, operation, 1, 0 - credits,
        free_calls, at_ms
      from ledger_entries
      where id > (select entry_id from ledger_follow) and kind = 'usage'`.execute(db);
}
