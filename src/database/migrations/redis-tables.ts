import { type Kysely, sql } from 'kysely';

/** PostgreSQL: the tables that the gates and workers of many nodes share. */
export async function createRedisTables(db: Kysely<unknown>): Promise<void> {
  await sql`create sequence redis_generations`.execute(db);
  await createOutbox(db);
  await db.schema
    .createTable('drifts')
    .addColumn('id', 'bigserial', (column) => column.primaryKey())
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('mode', 'text', (column) => column.notNull())
    .addColumn('counter', 'text', (column) => column.notNull())
    .addColumn('found', 'bigint', (column) => column.notNull())
    .addColumn('expected', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('dead_letters')
    .addColumn('id', 'bigserial', (column) => column.primaryKey())
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addColumn('partition', 'integer', (column) => column.notNull())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('event_json', 'text', (column) => column.notNull())
    .addColumn('error', 'text', (column) => column.notNull())
    .addUniqueConstraint('dead_letters_event', ['partition', 'event_id'])
    .execute();
}

async function createOutbox(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('redis_outbox')
    .addColumn('id', 'bigserial', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('mode', 'text', (column) => column.notNull())
    .addColumn('key_hash', 'text')
    .addColumn('partition', 'integer', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) =>
      column.notNull().defaultTo(sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`),
    )
    .addColumn('applied_at_ms', 'bigint')
    .addCheckConstraint(
      'redis_outbox_kind',
      sql`(kind = 'key' and key_hash is not null) or (kind = 'credits' and key_hash is null)`,
    )
    .execute();
  await sql`create function redis_outbox_add(row_kind text, row_account text, row_mode text,
      row_hash text) returns void language plpgsql as $$
    begin
      insert into redis_outbox (kind, account_id, mode, key_hash, partition)
        select row_kind, id, row_mode, row_hash, accounts.partition from accounts
        where id = row_account;
      perform pg_notify('vitruvia_outbox', '');
    end $$`.execute(db);
  await sql`create function redis_outbox_key() returns trigger language plpgsql as $$
    begin
      perform redis_outbox_add('key', old.account_id, old.mode, old.hash);
      return null;
    end $$`.execute(db);
  await sql`create trigger api_keys_revoked after update on api_keys for each row
    when (old.revoked_at_ms is null and new.revoked_at_ms is not null)
    execute function redis_outbox_key()`.execute(db);
  await sql`create trigger api_keys_deleted after delete on api_keys for each row
    execute function redis_outbox_key()`.execute(db);
  await sql`create function redis_outbox_credits() returns trigger language plpgsql as $$
    begin
      perform redis_outbox_add('credits', new.account_id, new.mode, null);
      return null;
    end $$`.execute(db);
  await sql`create trigger balances_credited after update on balances for each row
    when (old.credit_version <> new.credit_version)
    execute function redis_outbox_credits()`.execute(db);
}
