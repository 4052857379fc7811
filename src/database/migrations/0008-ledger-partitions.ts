import { type Kysely, type Migration, sql } from 'kysely';
import { isPostgres, refuseChanges } from '../dialect.js';

const DAY_MS = 24 * 3600 * 1000;

/**
 * PostgreSQL: splits the ledger into partitions by time, so that old entries can be archived and then
 * dropped as whole tables. The entries are not moved: the existing table becomes the first partition. It
 * takes entries until two days from now.
 */
export const ledgerPartitions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    if (!isPostgres(db)) return;
    await keepCredits(db);
    await createFunctions(db);
    await createParent(db);
    await attachFirst(db);
    await createArchives(db);
  },
};

/**
 * Copies every entry that is not usage into a table that is never archived. So no cause is booked twice,
 * however old it is, and the ledger page of an account stays complete.
 */
async function keepCredits(db: Kysely<unknown>): Promise<void> {
  await sql`create table ledger_credits
    (like ledger_entries including defaults including constraints, primary key (id))`.execute(db);
  await sql`insert into ledger_credits select * from ledger_entries
    where kind <> 'usage'`.execute(db);
  await sql`alter table ledger_credits
    add constraint ledger_credits_cause unique (cause)`.execute(db);
  await sql`create index ledger_credits_account on ledger_credits
    (account_id, mode, at_ms)`.execute(db);
  await sql`drop index ledger_entries_credits`.execute(db);
  await refuseChanges(db, 'ledger_credits');
}

async function createFunctions(db: Kysely<unknown>): Promise<void> {
  await sql`create or replace function ledger_entries_add_up() returns trigger language plpgsql as $$
    begin
      update balances set ledger_sum = balances.ledger_sum + added.credits
      from (select account_id, mode, sum(credits) as credits from new_entries
        group by account_id, mode having sum(credits) <> 0) as added
      where balances.account_id = added.account_id and balances.mode = added.mode;
      insert into ledger_credits select * from new_entries where kind <> 'usage';
      return null;
    end $$`.execute(db);
  // The triggers of the parent do not run for statements that name a partition.
  await sql`create function ledger_guard_partition(name text) returns void language plpgsql as $$
    begin
      execute format('create unique index %I on %I (cause)', name || '_cause', name);
      execute format('create trigger ledger_entries_refuse_changes
        before update or delete or truncate on %I
        for each statement execute function ledger_entries_refuse_changes()', name);
      execute format('create trigger ledger_entries_add_up after insert on %I
        referencing new table as new_entries
        for each statement execute function ledger_entries_add_up()', name);
    end $$`.execute(db);
  // Entries that the default partition took meanwhile are moved. They are counted already, so the
  // triggers are added afterwards.
  await sql`create function ledger_add_partition(name text, from_id text, to_id text)
    returns void language plpgsql as $$
    begin
      execute format('create table %I (like ledger_entries including all)', name);
      if exists (select from ledger_entries_default where id >= from_id and id < to_id) then
        lock table ledger_entries in access exclusive mode;
        alter table ledger_entries_default disable trigger user;
        execute format('with moved as (delete from ledger_entries_default
            where id >= %L and id < %L returning *)
          insert into %I select * from moved', from_id, to_id, name);
        alter table ledger_entries_default enable trigger user;
      end if;
      perform ledger_guard_partition(name);
      execute format('alter table ledger_entries attach partition %I
        for values from (%L) to (%L)', name, from_id, to_id);
    end $$`.execute(db);
}

/**
 * The parent has no primary key: no query needs an index of ids alone, and with one the planner
 * would read a whole range of ids to find the causes of a batch. The cause identifies a row.
 */
async function createParent(db: Kysely<unknown>): Promise<void> {
  await sql`alter table ledger_entries drop constraint ledger_entries_pkey`.execute(db);
  await sql`alter table ledger_entries rename to ledger_entries_first`.execute(db);
  for (const index of ['free', 'account']) {
    const name = sql.id(`ledger_entries_${index}`);
    await sql`alter index ${name} rename to ${sql.id(`ledger_entries_first_${index}`)}`.execute(db);
  }
  await sql`create table ledger_entries
    (like ledger_entries_first including defaults including constraints)
    partition by range (id)`.execute(db);
  await sql`alter table ledger_entries add constraint ledger_entries_balance
    foreign key (account_id, mode) references balances (account_id, mode)`.execute(db);
  await sql`create index ledger_entries_free on ledger_entries (account_id, mode, at_ms)
    where free_calls > 0`.execute(db);
  await sql`create index ledger_entries_account on ledger_entries
    (account_id, mode, id)`.execute(db);
  await sql`create trigger ledger_entries_refuse_changes
    before update or delete or truncate on ledger_entries
    for each statement execute function ledger_entries_refuse_changes()`.execute(db);
  await sql`create trigger ledger_entries_add_up after insert on ledger_entries
    referencing new table as new_entries
    for each statement execute function ledger_entries_add_up()`.execute(db);
  await sql`create table ledger_entries_default partition of ledger_entries default`.execute(db);
  await sql`select ledger_guard_partition('ledger_entries_default')`.execute(db);
}

async function attachFirst(db: Kysely<unknown>): Promise<void> {
  const endMs = (Math.floor(Date.now() / DAY_MS) + 2) * DAY_MS;
  const end = sql.lit(endMs.toString(36).padStart(9, '0'));
  // A clock that was ahead may have written ids beyond the end.
  await sql`alter table ledger_entries_first disable trigger user`.execute(db);
  await sql`alter table ledger_entries_default disable trigger user`.execute(db);
  await sql`with moved as (delete from ledger_entries_first where id >= ${end} returning *)
    insert into ledger_entries_default select * from moved`.execute(db);
  await sql`alter table ledger_entries_default enable trigger user`.execute(db);
  await sql`alter table ledger_entries_first enable trigger user`.execute(db);
  await sql`alter table ledger_entries attach partition ledger_entries_first
    for values from (minvalue) to (${end})`.execute(db);
}

/** Sums of archived partitions: without them, balances would not be the sum of the ledger. */
async function createArchives(db: Kysely<unknown>): Promise<void> {
  await sql`create table ledger_archives (
    name text primary key,
    from_day text not null,
    to_day text not null,
    entries bigint not null,
    sha256 text not null,
    file text not null,
    archived_at_ms bigint not null,
    check (from_day < to_day))`.execute(db);
  await sql`create table ledger_archived_sums (
    archive text not null references ledger_archives (name),
    account_id text not null,
    mode text not null,
    entries bigint not null,
    credits bigint not null,
    credited bigint not null,
    credit_version bigint not null,
    calls bigint not null,
    usage_credits bigint not null,
    free_calls bigint not null,
    primary key (archive, account_id, mode),
    foreign key (account_id, mode) references balances (account_id, mode))`.execute(db);
  await refuseChanges(db, 'ledger_archives');
  await refuseChanges(db, 'ledger_archived_sums');
}
