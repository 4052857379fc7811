import { type Kysely, type Migration, sql } from 'kysely';

/** Purchases and refunds. */
export const payments: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await createPurchases(db);
    await createRefunds(db);
  },
};

async function createPurchases(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('purchases')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('mode', 'text', (column) => column.notNull())
    .addColumn('credits', 'integer', (column) => column.notNull())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('session_id', 'text', (column) => column.notNull())
    .addColumn('payment_id', 'text')
    .addColumn('amount_minor', 'bigint', (column) => column.notNull())
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('note', 'text')
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('settled_at_ms', 'bigint')
    .addUniqueConstraint('purchases_session', ['provider', 'session_id'])
    .addUniqueConstraint('purchases_payment', ['provider', 'payment_id'])
    .addCheckConstraint('purchases_mode', sql`mode in ('live', 'test')`)
    .addCheckConstraint('purchases_amounts', sql`credits > 0 and amount_minor > 0`)
    .addCheckConstraint(
      'purchases_state',
      sql`state in ('open', 'processing', 'paid', 'failed', 'expired', 'refused')`,
    )
    .addCheckConstraint('purchases_paid', sql`state <> 'paid' or payment_id is not null`)
    .execute();
  await db.schema
    .createIndex('purchases_account')
    .on('purchases')
    .columns(['account_id', 'created_at_ms'])
    .execute();
}

async function createRefunds(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('refunds')
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('payment_id', 'text', (column) => column.notNull())
    .addColumn('purchase_id', 'text', (column) => column.references('purchases.id'))
    .addColumn('amount_minor', 'bigint', (column) => column.notNull())
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('failed', 'integer', (column) => column.notNull())
    .addColumn('credits_due', 'integer', (column) => column.notNull())
    .addColumn('credits_taken', 'integer', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('refunds_key', ['provider', 'id'])
    .addCheckConstraint('refunds_taken', sql`credits_taken between 0 and credits_due`)
    .execute();
  await db.schema
    .createIndex('refunds_payment')
    .on('refunds')
    .columns(['provider', 'payment_id'])
    .execute();
}
