const ADD = `update balances set debt_credits = debt_credits + new.credits,
    debt_version = debt_version + 1 where account_id = new.account_id and mode = 'live'`;

function differs(row: string): string {
  return `${row}.debt_credits <>
    (select coalesce(sum(debts.credits), 0) from debts
      where debts.account_id = ${row}.account_id and ${row}.mode = 'live')`;
}

/** SQLite: the database itself adds up the debts, and refuses a sum that differs from its entries. */
export const SQLITE_DEBT_RULES: readonly string[] = [
  `create trigger debts_add_up after insert on debts begin ${ADD}; end`,
  `create trigger balances_debt_agrees after update of debt_credits on balances
      when ${differs('new')} begin
      select raise(abort, 'the debt of an account is not the sum of its entries'); end`,
];

/**
 * PostgreSQL: the same rule. It is deferred, because a statement may add several entries, and the
 * sum is right only after the last entry.
 */
export const POSTGRES_DEBT_RULES: readonly string[] = [
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
