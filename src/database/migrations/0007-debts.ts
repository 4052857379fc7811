import { type Kysely, type Migration, sql } from 'kysely';
import { isPostgres, refuseChanges } from '../dialect.js';

/** Debts of accounts, accounts closed not long ago, and when an account's owner was confirmed. */
export const debts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await createDebts(db);
    await sumDebts(db);
    await createClosedAccounts(db);
    await db.schema.alterTable('accounts').addColumn('confirmed_at_ms', 'bigint').execute();
    // Until now an account was created only by the operator or by confirming an address.
    await sql`update accounts set confirmed_at_ms = created_at_ms`.execute(db);
  },
};

async function createDebts(db: Kysely<unknown>): Promise<void> {
  for (const column of ['debt_credits', 'debt_version']) {
    await db.schema
      .alterTable('balances')
      .addColumn(column, 'bigint', (definition) =>
        definition
          .notNull()
          .defaultTo(0)
          .check(sql`${sql.ref(column)} >= 0`),
      )
      .execute();
  }
  // For the command and the metrics that list debts. It holds few rows and costs charges nothing.
  await db.schema
    .createIndex('balances_in_debt')
    .on('balances')
    .column('debt_credits')
    .where(sql.ref('debt_credits'), '>', sql.lit(0))
    .execute();
  await db.schema
    .createTable('debts')
    .addColumn('id', isPostgres(db) ? sql`text collate "C"` : 'text', (column) =>
      column.primaryKey().notNull(),
    )
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('credits', 'bigint', (column) => column.notNull())
    .addColumn('reversal', 'text', (column) => column.notNull())
    .addColumn('cause', 'text', (column) => column.notNull())
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('debts_cause', ['account_id', 'kind', 'cause', 'reversal'])
    .addCheckConstraint(
      'debts_kind',
      sql`(kind = 'reversed' and credits > 0)
        or (kind in ('paid', 'forgiven', 'cancelled') and credits < 0)
        or (kind = 'moved' and credits <> 0)`,
    )
    .execute();
  await db.schema.createIndex('debts_reversal').on('debts').column('reversal').execute();
  await refuseChanges(db, 'debts');
}

/** The database itself adds up the debts, and refuses a sum that differs from its entries. */
async function sumDebts(db: Kysely<unknown>): Promise<void> {
  const add = sql`update balances set debt_credits = debt_credits + new.credits,
    debt_version = debt_version + 1 where account_id = new.account_id and mode = 'live'`;
  const differs = (row: string) =>
    sql.raw(`${row}.debt_credits <>
    (select coalesce(sum(debts.credits), 0) from debts
      where debts.account_id = ${row}.account_id and ${row}.mode = 'live')`);
  if (!isPostgres(db)) {
    await sql`create trigger debts_add_up after insert on debts begin ${add}; end`.execute(db);
    await sql`create trigger balances_debt_agrees after update of debt_credits on balances
      when ${differs('new')} begin
      select raise(abort, 'the debt of an account is not the sum of its entries'); end`.execute(db);
    return;
  }
  await sql`create function debts_add_up() returns trigger language plpgsql as $$
    begin
      ${add};
      return null;
    end $$`.execute(db);
  await sql`create trigger debts_add_up after insert on debts for each row
    execute function debts_add_up()`.execute(db);
  // Deferred: with several entries in one statement, the sum is right only after the last one.
  await sql`create function balances_debt_agrees() returns trigger language plpgsql as $$
    begin
      if exists (select from balances where account_id = old.account_id
          and mode = old.mode and ${differs('balances')}) then
        raise exception 'the % debt of % is not the sum of its entries', old.mode, old.account_id
          using errcode = 'check_violation', constraint = 'balances_debt_agrees';
      end if;
      return null;
    end $$`.execute(db);
  await sql`create constraint trigger balances_debt_agrees after update on balances
    deferrable initially deferred for each row when (new.debt_credits <> old.debt_credits)
    execute function balances_debt_agrees()`.execute(db);
  await sql`create trigger balances_indebted after update on balances for each row
    when (old.debt_version <> new.debt_version)
    execute function redis_outbox_credits()`.execute(db);
}

async function createClosedAccounts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('closed_accounts')
    .addColumn('account_id', 'text', (column) =>
      column.primaryKey().notNull().references('accounts.id'),
    )
    .addColumn('address_hash', 'text', (column) => column.notNull())
    .addColumn('successor_id', 'text', (column) => column.references('accounts.id'))
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .addCheckConstraint('closed_accounts_hash', sql`length(address_hash) = 64`)
    .execute();
  for (const column of ['address_hash', 'successor_id', 'expires_at_ms']) {
    await db.schema
      .createIndex(`closed_accounts_${column}`)
      .on('closed_accounts')
      .column(column)
      .execute();
  }
}
