import { type Kysely, type Migration, sql } from 'kysely';

async function createPeople(db: Kysely<unknown>): Promise<void> {
  // No new key for an account closed: see createKey.
  await db.schema.alterTable('accounts').addColumn('closed_at_ms', 'bigint').execute();
  await db.schema
    .createTable('people')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().unique().references('accounts.id'),
    )
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('email_key', 'text', (column) => column.notNull().unique())
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('signed_in_at_ms', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('person_id', 'text', (column) =>
      column.notNull().references('people.id').onDelete('cascade'),
    )
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('seen_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('user_agent', 'text', (column) => column.notNull())
    .addCheckConstraint('sessions_hash', sql`length(token_hash) = 64`)
    .execute();
  await db.schema
    .createIndex('sessions_person')
    .on('sessions')
    .columns(['person_id', 'seen_at_ms'])
    .execute();
}

async function createLinks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sign_ups')
    .addColumn('token_hash', 'text', (column) => column.primaryKey().notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('email_key', 'text', (column) => column.notNull())
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .addCheckConstraint('sign_ups_hash', sql`length(token_hash) = 64`)
    .execute();
  await db.schema
    .createTable('email_tokens')
    .addColumn('token_hash', 'text', (column) => column.primaryKey().notNull())
    .addColumn('person_id', 'text', (column) =>
      column.notNull().references('people.id').onDelete('cascade'),
    )
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('new_email', 'text')
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .addCheckConstraint('email_tokens_hash', sql`length(token_hash) = 64`)
    .addCheckConstraint(
      'email_tokens_purpose',
      sql`(purpose = 'reset' and new_email is null) or (purpose = 'email' and new_email is not null)`,
    )
    .execute();
  const indexes = [
    ['sign_ups', 'email_key'],
    ['sign_ups', 'expires_at_ms'],
    ['email_tokens', 'person_id'],
    ['email_tokens', 'expires_at_ms'],
  ] as const;
  for (const [table, column] of indexes) {
    await db.schema.createIndex(`${table}_${column}`).on(table).column(column).execute();
  }
}

async function createAttempts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('attempts')
    .addColumn('bucket', 'text', (column) => column.primaryKey().notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('ends_at_ms', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('attempts_end').on('attempts').column('ends_at_ms').execute();
}

/** People, their sessions, the links sent to them, and attempts counted. */
export const people: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await createPeople(db);
    await createLinks(db);
    await createAttempts(db);
  },
};
