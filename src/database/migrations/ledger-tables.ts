import { type Kysely, sql } from 'kysely';
import { isPostgres, refuseChanges, runAll, utcDay } from '../dialect.js';
import { createEntries, guardEntries, viewFreeUses } from './ledger-entries.js';

/** Balances, debts, usage per day and the ledger. */
export async function createLedger(db: Kysely<unknown>): Promise<void> {
  const onPostgres = isPostgres(db);
  const id = onPostgres ? 'text collate "C"' : 'text';
  await runAll(db, [
    `create table balances (
      account_id text not null references accounts (id),
      mode text not null,
      paid_credits bigint not null,
      credited bigint default 0 not null check (credited >= 0),
      credit_version bigint default 0 not null check (credit_version >= 0),${
        onPostgres ? ' ledger_sum bigint default 0 not null,' : ''
      }
      debt_credits bigint default 0 not null check (debt_credits >= 0),
      debt_version bigint default 0 not null check (debt_version >= 0),
      constraint balances_key primary key (account_id, mode),
      constraint balances_mode check (mode in ('live', 'test')),
      constraint balances_not_negative check (paid_credits >= 0))`,
    // For the command and the metrics that list debts. It holds few rows and costs charges nothing.
    'create index balances_in_debt on balances (debt_credits) where debt_credits > 0',
    `create table debts (
      id ${id} not null primary key,
      account_id text not null references accounts (id),
      kind text not null,
      credits bigint not null,
      reversal text not null,
      cause text not null,
      at_ms bigint not null,
      constraint debts_cause unique (account_id, kind, cause, reversal),
      constraint debts_kind check ((kind = 'reversed' and credits > 0)
        or (kind in ('paid', 'forgiven', 'cancelled') and credits < 0)
        or (kind = 'moved' and credits <> 0)))`,
    'create index debts_reversal on debts (reversal)',
    `create table ${onPostgres ? 'usage_days' : 'usage_days_booked'} (
      account_id text not null,
      mode text not null,
      day text not null,
      key_id text not null,
      operation text not null,
      calls bigint not null,
      credits bigint not null,
      free_calls bigint not null,
      last_at_ms bigint not null,
      constraint usage_days_key primary key (account_id, mode, day, key_id, operation),
      constraint usage_days_mode check (mode in ('live', 'test')),
      constraint usage_days_counts check
        (calls > 0 and credits >= 0 and free_calls >= 0 and credits + free_calls >= calls)
      )${onPostgres ? '' : ' without rowid'}`,
  ]);
  await refuseChanges(db, 'debts');
  await runAll(db, onPostgres ? POSTGRES_DEBT_RULES : SQLITE_DEBT_RULES);
  await createEntries(db);
  await guardEntries(db);
  if (onPostgres) await runAll(db, POSTGRES_BALANCE_RULES);
  else await followLedger(db);
  // New dates of free calls that a clock which ran ahead has booked (decision 0023).
  await runAll(db, [
    `create table free_use_dates (
      entry_id ${onPostgres ? id : 'integer'} primary key not null,
      account_id text not null,
      mode text not null,
      at_ms bigint not null)`,
    'create index free_use_dates_account on free_use_dates (account_id, mode)',
  ]);
  await viewFreeUses(db);
}

const POSTGRES_BALANCE_RULES: readonly string[] = [
  'alter table balances add constraint balances_spent check (paid_credits <= credited)',
  // Deferred: the trigger checks the row as it is at commit, not as the triggering update left it.
  `create function balances_agree() returns trigger language plpgsql as $$
    begin
      if exists (select from balances where account_id = new.account_id and mode = new.mode
          and paid_credits <> ledger_sum) then
        raise exception 'the % balance of % is not the sum of its ledger', new.mode, new.account_id
          using errcode = 'check_violation', constraint = 'balances_agree';
      end if;
      return null;
    end $$`,
  `create constraint trigger balances_agree after insert or update on balances
    deferrable initially deferred for each row when (new.paid_credits <> new.ledger_sum)
    execute function balances_agree()`,
];

/**
 * SQLite: an index by account, and the usage per day. Both are updated from the ledger later than
 * an entry is booked. `ledger_follow` holds the last entry that both contain. The gate books the
 * entries after it up to four times a second, in one transaction. The two views add the entries
 * that are still missing, so they are exact at every moment, and a crash loses nothing. Booking
 * both with each batch of charges took a third of the writer's time.
 */
async function followLedger(db: Kysely<unknown>): Promise<void> {
  await runAll(db, [
    `create table ledger_follow (
      only_row integer primary key not null check (only_row = 0),
      entry_id integer not null)`,
    'insert into ledger_follow values (0, 0)',
    `create table ledger_by_account (
      account_id text not null,
      mode text not null,
      id integer not null,
      primary key (account_id, mode, id)) without rowid`,
  ]);
  // The columns of the index come first: SQLite then reads a range of it.
  const rest = sql.raw(
    'kind, credits, free_calls, cause, operation, key_id, rate_hits, at_ms, balance_after',
  );
  await sql`create view account_entries as
    select own.account_id as account_id, own.mode as mode, own.id as id, ${rest}
      from ledger_by_account as own join ledger_entries as entry on entry.id = own.id
    union all select account_id, mode, id, ${rest} from ledger_entries
      where id > (select entry_id from ledger_follow)`.execute(db);
  // There is no GROUP BY, so that SQLite applies the conditions of a query to both parts. Readers
  // must sum the rows.
  await sql`create view usage_days as
    select account_id, mode, day, key_id, operation, calls, credits, free_calls, last_at_ms
      from usage_days_booked
    union all
    select account_id, mode, ${utcDay(db, 'at_ms')}, key_id, operation, 1, 0 - credits,
        free_calls, at_ms
      from ledger_entries
      where id > (select entry_id from ledger_follow) and kind = 'usage'`.execute(db);
}

const ADD = `update balances set debt_credits = debt_credits + new.credits,
    debt_version = debt_version + 1 where account_id = new.account_id and mode = 'live'`;

function differs(row: string): string {
  return `${row}.debt_credits <>
    (select coalesce(sum(debts.credits), 0) from debts
      where debts.account_id = ${row}.account_id and ${row}.mode = 'live')`;
}

/** SQLite: the database itself adds up the debts, and refuses a sum that differs from its entries. */
const SQLITE_DEBT_RULES: readonly string[] = [
  `create trigger debts_add_up after insert on debts begin ${ADD}; end`,
  `create trigger balances_debt_agrees after update of debt_credits on balances
      when ${differs('new')} begin
      select raise(abort, 'the debt of an account is not the sum of its entries'); end`,
];

/**
 * PostgreSQL: the same rule. It is deferred, because a statement may add several entries, and the
 * sum is right only after the last entry.
 */
const POSTGRES_DEBT_RULES: readonly string[] = [
  `create function debts_add_up() returns trigger language plpgsql as $$
    begin
      ${ADD};
      return null;
    end $$`,
  `create trigger debts_add_up after insert on debts for each row
    execute function debts_add_up()`,
  `create function balances_debt_agrees() returns trigger language plpgsql as $$
    begin
      if exists (select from balances where account_id = old.account_id
          and mode = old.mode and ${differs('balances')}) then
        raise exception 'the % debt of % is not the sum of its entries', old.mode, old.account_id
          using errcode = 'check_violation', constraint = 'balances_debt_agrees';
      end if;
      return null;
    end $$`,
  `create constraint trigger balances_debt_agrees after update on balances
    deferrable initially deferred for each row when (new.debt_credits <> old.debt_credits)
    execute function balances_debt_agrees()`,
];
