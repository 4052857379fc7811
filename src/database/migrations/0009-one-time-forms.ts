import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Forms that were used, and sign-ups that have an account at once.
 *
 * A sign-up used to be a row without an account. Now it refers to a person whose address is not
 * confirmed yet. The rows of before are at most a day old and have no such person; these people
 * sign up again.
 */
export const oneTimeForms: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('used_forms')
      .addColumn('token_hash', 'text', (column) => column.primaryKey().notNull())
      .addColumn('made_id', 'text', (column) => column.notNull())
      .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
      .addCheckConstraint('used_forms_hash', sql`length(token_hash) = 64`)
      .execute();
    await db.schema.dropTable('sign_ups').execute();
    await db.schema
      .createTable('sign_ups')
      .addColumn('token_hash', 'text', (column) => column.primaryKey().notNull())
      .addColumn('person_id', 'text', (column) =>
        column.notNull().references('people.id').onDelete('cascade'),
      )
      .addColumn('email_key', 'text', (column) => column.notNull())
      .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
      .addCheckConstraint('sign_ups_hash', sql`length(token_hash) = 64`)
      .execute();
    const indexes = [
      ['used_forms', 'expires_at_ms'],
      ['sign_ups', 'person_id'],
      ['sign_ups', 'expires_at_ms'],
    ] as const;
    for (const [table, column] of indexes) {
      await db.schema.createIndex(`${table}_${column}`).on(table).column(column).execute();
    }
    // For the deletion of accounts that were never confirmed; it holds only these.
    await db.schema
      .createIndex('accounts_unconfirmed')
      .on('accounts')
      .column('created_at_ms')
      .where(sql.ref('confirmed_at_ms'), 'is', null)
      .execute();
  },
};
