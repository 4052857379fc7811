import { type Kysely, type Migration, sql } from 'kysely';
import { isPostgres, utcDay } from '../dialect.js';
import { balanceByConstraint } from './balance-by-constraint.js';
import { createRedisTables } from './redis-tables.js';

async function countCredits(db: Kysely<unknown>): Promise<void> {
  for (const column of ['credited', 'credit_version']) {
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
  const received = sql`from ledger_entries where ledger_entries.account_id = balances.account_id
    and ledger_entries.mode = balances.mode and ledger_entries.kind <> 'usage'`;
  await sql`update balances set
    credited = (select coalesce(sum(credits), 0) ${received}),
    credit_version = (select count(*) ${received})`.execute(db);
}

async function createUsageDays(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('usage_days')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('mode', 'text', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('calls', 'bigint', (column) => column.notNull())
    .addColumn('credits', 'bigint', (column) => column.notNull())
    .addColumn('free_calls', 'bigint', (column) => column.notNull())
    .addColumn('last_at_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_days_key', [
      'account_id',
      'mode',
      'day',
      'key_id',
      'operation',
    ] as never)
    .addCheckConstraint('usage_days_mode', sql`mode in ('live', 'test')`)
    .addCheckConstraint(
      'usage_days_counts',
      sql`calls > 0 and credits >= 0 and free_calls >= 0 and credits + free_calls >= calls`,
    )
    .modifyEnd(isPostgres(db) ? sql`` : sql`without rowid`)
    .execute();
  await sql`insert into usage_days (account_id, mode, day, key_id, operation, calls, credits,
      free_calls, last_at_ms)
    select account_id, mode, ${utcDay(db, 'at_ms')}, key_id, operation, count(*), -sum(credits),
      sum(free_calls), max(at_ms)
    from ledger_entries where kind = 'usage'
    group by account_id, mode, ${utcDay(db, 'at_ms')}, key_id, operation`.execute(db);
}

/**
 * Totals that only grow, which are sent to Redis, and usage per day. On PostgreSQL also the
 * constraints that keep each balance equal to its entries, and the tables that gates and workers
 * share.
 */
export const manyNodes: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await countCredits(db);
    await createUsageDays(db);
    if (!isPostgres(db)) return;
    await balanceByConstraint(db);
    await createRedisTables(db);
  },
};
