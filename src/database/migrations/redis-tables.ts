/** PostgreSQL: the tables that the gates and workers of many nodes share. */
export const REDIS_TABLES: readonly string[] = [
  'create sequence redis_generations',
  `create table redis_outbox (
    id bigserial primary key,
    kind text not null,
    account_id text not null,
    mode text not null,
    key_hash text,
    partition integer not null,
    created_at_ms bigint not null default (extract(epoch from clock_timestamp()) * 1000)::bigint,
    applied_at_ms bigint,
    constraint redis_outbox_kind check ((kind = 'key' and key_hash is not null)
      or (kind = 'credits' and key_hash is null)))`,
  `create function redis_outbox_add(row_kind text, row_account text, row_mode text,
      row_hash text) returns void language plpgsql as $$
    begin
      insert into redis_outbox (kind, account_id, mode, key_hash, partition)
        select row_kind, id, row_mode, row_hash, accounts.partition from accounts
        where id = row_account;
      perform pg_notify('vitruvia_outbox', '');
    end $$`,
  `create function redis_outbox_key() returns trigger language plpgsql as $$
    begin
      perform redis_outbox_add('key', old.account_id, old.mode, old.hash);
      return null;
    end $$`,
  `create trigger api_keys_revoked after update on api_keys for each row
    when (old.revoked_at_ms is null and new.revoked_at_ms is not null)
    execute function redis_outbox_key()`,
  `create trigger api_keys_deleted after delete on api_keys for each row
    execute function redis_outbox_key()`,
  `create function redis_outbox_credits() returns trigger language plpgsql as $$
    begin
      perform redis_outbox_add('credits', new.account_id, new.mode, null);
      return null;
    end $$`,
  `create trigger balances_credited after update on balances for each row
    when (old.credit_version <> new.credit_version)
    execute function redis_outbox_credits()`,
  `create trigger balances_indebted after update on balances for each row
    when (old.debt_version <> new.debt_version)
    execute function redis_outbox_credits()`,
  `create table drifts (
    id bigserial primary key,
    at_ms bigint not null,
    account_id text not null,
    mode text not null,
    counter text not null,
    found bigint not null,
    expected bigint not null)`,
  `create table dead_letters (
    id bigserial primary key,
    at_ms bigint not null,
    partition integer not null,
    event_id text not null,
    event_json text not null,
    error text not null,
    constraint dead_letters_event unique (partition, event_id))`,
];
