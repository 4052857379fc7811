import { type Kysely, type Migration, sql } from 'kysely';
import { isPostgres, refuseChanges } from '../dialect.js';

async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('accounts')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('partition', 'integer', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addCheckConstraint('accounts_partition', sql`"partition" between 0 and 1023`)
    .execute();
  await db.schema
    .createTable('api_keys')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('mode', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('display_start', 'text', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('revoked_at_ms', 'bigint')
    .addCheckConstraint('api_keys_mode', sql`mode in ('live', 'test')`)
    .addCheckConstraint('api_keys_hash', sql`length(hash) = 64`)
    .execute();
  await db.schema
    .createIndex('api_keys_account')
    .on('api_keys')
    .columns(['account_id', 'created_at_ms'])
    .execute();
}

async function createLedger(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('balances')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('mode', 'text', (column) => column.notNull())
    .addColumn('paid_credits', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('balances_key', ['account_id', 'mode'])
    .addCheckConstraint('balances_mode', sql`mode in ('live', 'test')`)
    .addCheckConstraint('balances_not_negative', sql`paid_credits >= 0`)
    .execute();
  // This is the hot table: every further index or reference costs each charge as much as the row
  // itself. It does not refer to the account; the balance, booked in the same transaction, does.
  // The history of an account is read in order of time from the primary key.
  await db.schema
    .createTable('ledger_entries')
    .addColumn('id', isPostgres(db) ? sql`text collate "C"` : 'text', (column) =>
      column.primaryKey().notNull(),
    )
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('mode', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('credits', 'bigint', (column) => column.notNull())
    .addColumn('free_calls', 'integer', (column) => column.notNull())
    .addColumn('cause', 'text', (column) => column.notNull().unique())
    .addColumn('operation', 'text')
    .addColumn('key_id', 'text')
    .addColumn('rate_hits', 'integer', (column) => column.notNull())
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addColumn('balance_after', 'bigint', (column) => column.notNull())
    .addCheckConstraint('ledger_entries_mode', sql`mode in ('live', 'test')`)
    .addCheckConstraint(
      'ledger_entries_kind',
      sql`(kind = 'usage' and ((credits < 0 and free_calls = 0) or (credits = 0 and free_calls > 0)))
        or (kind in ('grant', 'purchase') and credits > 0 and free_calls = 0)
        or (kind = 'correction' and free_calls = 0)`,
    )
    .addCheckConstraint('ledger_entries_counts', sql`rate_hits >= 0 and balance_after >= 0`)
    .modifyEnd(isPostgres(db) ? sql`` : sql`without rowid`) // Clustered by id.
    .execute();
  await indexLedger(db);
  await refuseChanges(db, 'ledger_entries');
}

async function indexLedger(db: Kysely<unknown>): Promise<void> {
  // Indexes of free calls and of credits received: they hold few rows and cost paid usage nothing.
  await db.schema
    .createIndex('ledger_entries_free')
    .on('ledger_entries')
    .columns(['account_id', 'mode', 'at_ms'])
    .where(sql.ref('free_calls'), '>', sql.lit(0))
    .execute();
  await db.schema
    .createIndex('ledger_entries_credits')
    .on('ledger_entries')
    .columns(['account_id', 'mode', 'at_ms'])
    .where(sql.ref('kind'), '<>', sql.lit('usage'))
    .execute();
}

async function createRequestMemory(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('idempotent_answers')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('mode', 'text', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('answer_json', 'text', (column) => column.notNull())
    .addColumn('remaining_free_calls', 'integer')
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotent_answers_key', ['account_id', 'mode', 'operation', 'key'])
    .execute();
  await db.schema
    .createIndex('idempotent_answers_age')
    .on('idempotent_answers')
    .column('at_ms')
    .execute();
  await db.schema
    .createTable('rate_hits')
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('hits', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('rate_hits_key', ['at_ms', 'key_id'])
    .execute();
}

/** Accounts, keys, balances, ledger, idempotent answers and rate hits. */
export const accountsAndLedger: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await createAccounts(db);
    await createLedger(db);
    await createRequestMemory(db);
  },
};
