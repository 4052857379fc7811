import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import { type Mode, TEST_CREDITS_PER_DAY } from '../core/billing-terms.js';
import { isUniqueViolation } from '../database/errors.js';
import type { Database, Schema } from '../database/schema.js';
import { bookCredits, lockBalance } from '../ledger/book-credits.js';
import { findAccount } from './accounts.js';
import { AccountError } from './errors.js';

/** Most credits one grant or purchase may bring. */
export const GRANT_CREDITS_MAX = 1_000_000_000;
const DAY_MS = 24 * 3600 * 1000;

/** Details of credits to book. */
export interface GrantOptions {
  /**
   * Makes repeats harmless: a cause books once. It is stored as `<kind>:<cause>`; a random one is
   * used where it is left out.
   */
  readonly cause?: string;
  /** `purchase` for credits that were paid for; `grant` (default) for any others. */
  readonly kind?: 'grant' | 'purchase';
  readonly nowMs?: number;
}

/** Result of a grant. */
export interface Granted {
  readonly accountId: string;
  readonly mode: Mode;
  readonly amount: number;
  /** Paid balance once it was booked. */
  readonly balance: number;
  /** False when this cause had been booked before, so that nothing changed now. */
  readonly applied: boolean;
}

/**
 * Books credits for an account: a ledger entry and the balance in one transaction.
 *
 * @param account id or name
 * @param amount whole credits, 1 to 1,000,000,000
 * @throws AccountError `unknown_account`, `invalid_amount`, `test_credit_limit` (over 1,000 test
 *   credits in 24 hours) or `cause_conflict` (the cause has booked something else)
 */
export async function grantCredits(
  db: Database,
  account: string,
  mode: Mode,
  amount: number,
  options: GrantOptions = {},
): Promise<Granted> {
  const grant = () =>
    db.transaction().execute((trx) => grantCreditsWithin(trx, account, mode, amount, options));
  try {
    return await grant();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    // Another account's grant took the cause at this moment; now it can be read.
    return await grant();
  }
}

/**
 * `grantCredits` as a part of the caller's transaction.
 *
 * @throws also the database's unique violation when another account's grant takes the same cause at
 *   the same moment
 */
export async function grantCreditsWithin(
  trx: Transaction<Schema>,
  account: string,
  mode: Mode,
  amount: number,
  options: GrantOptions = {},
): Promise<Granted> {
  const { kind = 'grant', nowMs = Date.now() } = options;
  const cause = `${kind}:${options.cause ?? randomUUID()}`;
  if (!Number.isInteger(amount) || amount < 1 || amount > GRANT_CREDITS_MAX) {
    throw new AccountError(
      'invalid_amount',
      `Credits are a whole number from 1 to ${GRANT_CREDITS_MAX}, not ${amount}.`,
    );
  }
  const { id: accountId } = await findAccount(trx, account);
  await lockBalance(trx, accountId, mode);
  const booked = await bookedBefore(trx, cause, { accountId, mode, amount });
  if (booked !== undefined) return booked;
  if (mode === 'test') await refuseTooManyTestCredits(trx, accountId, amount, nowMs);
  const entry = { accountId, mode, kind, credits: amount, cause, atMs: nowMs };
  const balance = await bookCredits(trx, entry);
  return { accountId, mode, amount, balance, applied: true };
}

/**
 * Paid credits of an account.
 *
 * @param account id or name
 * @throws AccountError `unknown_account`
 */
export async function balanceOf(db: Database, account: string, mode: Mode): Promise<number> {
  const { id } = await findAccount(db, account);
  const row = await db
    .selectFrom('balances')
    .select('paid_credits')
    .where('account_id', '=', id)
    .where('mode', '=', mode)
    .executeTakeFirst();
  return row?.paid_credits ?? 0;
}

async function bookedBefore(
  trx: Transaction<Schema>,
  cause: string,
  wanted: { accountId: string; mode: Mode; amount: number },
): Promise<Granted | undefined> {
  const entry = await trx
    .selectFrom('ledger_entries')
    .select(['account_id', 'mode', 'credits', 'balance_after'])
    .where('cause', '=', cause)
    .executeTakeFirst();
  if (entry === undefined) return undefined;
  const same =
    entry.account_id === wanted.accountId &&
    entry.mode === wanted.mode &&
    entry.credits === wanted.amount;
  if (!same) {
    throw new AccountError('cause_conflict', `The cause "${cause}" has booked something else.`);
  }
  return { ...wanted, balance: entry.balance_after, applied: false };
}

/** Test credits an account may still be granted at this moment. */
export async function testCreditsLeft(
  db: Database | Transaction<Schema>,
  accountId: string,
  nowMs: number = Date.now(),
): Promise<number> {
  const { granted } = await db
    .selectFrom('ledger_entries')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('credits'), eb.lit(0)).as('granted'))
    .where('account_id', '=', accountId)
    .where('mode', '=', 'test')
    .where('kind', '<>', 'usage')
    .where('credits', '>', 0)
    .where('at_ms', '>', nowMs - DAY_MS)
    .executeTakeFirstOrThrow();
  return Math.max(0, TEST_CREDITS_PER_DAY - Number(granted));
}

async function refuseTooManyTestCredits(
  trx: Transaction<Schema>,
  accountId: string,
  amount: number,
  nowMs: number,
): Promise<void> {
  const left = await testCreditsLeft(trx, accountId, nowMs);
  if (amount <= left) return;
  throw new AccountError(
    'test_credit_limit',
    `An account gets at most ${TEST_CREDITS_PER_DAY} test credits in 24 hours; ${left} are left.`,
  );
}
