import type { Database } from '../database/schema.js';
import { lockBalance } from '../ledger/book-credits.js';
import { settleDebt } from '../ledger/debts.js';
import { findAccount } from './accounts.js';
import { AccountError } from './errors.js';

/** Options of `forgiveDebt`. */
export interface ForgiveOptions {
  readonly cause: string;
  readonly creditsMax?: number;
}

/** Result of forgiving a debt. */
export interface Forgiven {
  readonly accountId: string;
  /** By how much the debt is smaller now. */
  readonly forgiven: number;
  /** Credits that the account still owes. */
  readonly debt: number;
}

/**
 * Forgives what an account owes for reversed payments, or a part of it.
 *
 * @param account id or name
 * @param cause the reason, which is stored; each cause is booked once for an account
 * @param creditsMax the largest number of credits to forgive, 1 or more; by default the whole debt
 * @throws AccountError `unknown_account`, `invalid_amount`, `not_in_debt` or `cause_conflict`
 */
export async function forgiveDebt(
  db: Database,
  account: string,
  { cause, creditsMax }: ForgiveOptions,
): Promise<Forgiven> {
  if (creditsMax !== undefined && (!Number.isInteger(creditsMax) || creditsMax < 1)) {
    throw new AccountError('invalid_amount', 'The credits must be a whole number, 1 or more.');
  }
  return await db.transaction().execute(async (trx) => {
    const { id: accountId, name } = await findAccount(trx, account);
    const { debtCredits } = await lockBalance(trx, accountId, 'live');
    const stored = `forgiven:${cause}`;
    const before = await trx
      .selectFrom('debts')
      .select('id')
      .where('account_id', '=', accountId)
      .where('cause', '=', stored)
      .executeTakeFirst();
    if (before !== undefined) {
      const message = `The cause "${stored}" was already used for this account; nothing changed.`;
      throw new AccountError('cause_conflict', message);
    }
    if (debtCredits === 0) throw new AccountError('not_in_debt', `${name} owes nothing.`);
    const settlement = { accountId, kind: 'forgiven', cause: stored, atMs: Date.now() } as const;
    const forgiven = await settleDebt(trx, {
      ...settlement,
      creditsMax: Math.min(creditsMax ?? debtCredits, debtCredits),
    });
    return { accountId, forgiven, debt: debtCredits - forgiven };
  });
}

/**
 * Credits that an account owes for reversed payments.
 *
 * @param account id or name
 * @throws AccountError `unknown_account`
 */
export async function debtOf(db: Database, account: string): Promise<number> {
  const { id } = await findAccount(db, account);
  const row = await db
    .selectFrom('balances')
    .select('debt_credits')
    .where('account_id', '=', id)
    .where('mode', '=', 'live')
    .executeTakeFirst();
  return row?.debt_credits ?? 0;
}

/** An account in debt. */
export interface Debtor {
  readonly accountId: string;
  readonly name: string;
  readonly credits: number;
  /** When the account's debt last changed, ms since the epoch. */
  readonly changedAtMs: number;
}

/** The accounts in debt, the largest debt first. */
export async function listDebtors(db: Database): Promise<readonly Debtor[]> {
  const rows = await db
    .selectFrom('balances')
    .innerJoin('accounts', 'accounts.id', 'balances.account_id')
    .select((eb) => [
      'accounts.id',
      'accounts.name',
      'balances.debt_credits',
      eb
        .selectFrom('debts')
        .select(({ fn }) => fn.max('debts.at_ms').as('at'))
        .whereRef('debts.account_id', '=', 'accounts.id')
        .as('changed_at_ms'),
    ])
    .where('balances.debt_credits', '>', 0)
    .orderBy('balances.debt_credits', 'desc')
    .orderBy('accounts.id')
    .execute();
  return rows.map((row) => ({
    accountId: row.id,
    name: row.name,
    credits: row.debt_credits,
    changedAtMs: Number(row.changed_at_ms),
  }));
}

/** Number of accounts in debt, and the sum of their debts in credits. */
export async function sumDebts(
  db: Database,
): Promise<{ readonly accounts: number; readonly credits: number }> {
  const { accounts, credits } = await db
    .selectFrom('balances')
    .select((eb) => [
      eb.fn.countAll<number>().as('accounts'),
      eb.fn.coalesce(eb.fn.sum<number>('debt_credits'), eb.lit(0)).as('credits'),
    ])
    .where('debt_credits', '>', 0)
    .executeTakeFirstOrThrow();
  return { accounts: Number(accounts), credits: Number(credits) };
}
