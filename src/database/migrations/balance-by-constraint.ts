import { type Kysely, sql } from 'kysely';

/**
 * PostgreSQL: a commit is refused unless each balance is the sum of its ledger entries. The sum is
 * kept beside the balance and updated once per statement that adds entries; computing it from the
 * ledger would cost more with every entry.
 */
export async function balanceByConstraint(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('ledger_entries_account')
    .on('ledger_entries')
    .columns(['account_id', 'mode', 'id'])
    .execute();
  // The entry refers to the balance, which refers to the account, so every entry has both.
  await sql`alter table ledger_entries add constraint ledger_entries_balance
    foreign key (account_id, mode) references balances (account_id, mode)`.execute(db);
  await sql`alter table balances add column ledger_sum bigint not null default 0`.execute(db);
  await sql`update balances set ledger_sum = (select coalesce(sum(credits), 0) from ledger_entries
    where ledger_entries.account_id = balances.account_id
      and ledger_entries.mode = balances.mode)`.execute(db);
  await sql`alter table balances
    add constraint balances_spent check (paid_credits <= credited)`.execute(db);
  await sql`create function ledger_entries_add_up() returns trigger language plpgsql as $$
    begin
      update balances set ledger_sum = balances.ledger_sum + added.credits
      from (select account_id, mode, sum(credits) as credits from new_entries
        group by account_id, mode having sum(credits) <> 0) as added
      where balances.account_id = added.account_id and balances.mode = added.mode;
      return null;
    end $$`.execute(db);
  await sql`create trigger ledger_entries_add_up after insert on ledger_entries
    referencing new table as new_entries
    for each statement execute function ledger_entries_add_up()`.execute(db);
  // Deferred: it checks the row as it is at commit, not as the triggering update left it.
  await sql`create function balances_agree() returns trigger language plpgsql as $$
    begin
      if exists (select from balances where account_id = new.account_id and mode = new.mode
          and paid_credits <> ledger_sum) then
        raise exception 'the % balance of % is not the sum of its ledger', new.mode, new.account_id
          using errcode = 'check_violation', constraint = 'balances_agree';
      end if;
      return null;
    end $$`.execute(db);
  await sql`create constraint trigger balances_agree after insert or update on balances
    deferrable initially deferred for each row when (new.paid_credits <> new.ledger_sum)
    execute function balances_agree()`.execute(db);
}
