import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import {
  type AccountFunds,
  FREE_CALLS_PER_WINDOW,
  FREE_WINDOW_MS,
  type Mode,
  TEST_CREDITS_PER_DAY,
  TEST_CREDITS_UNCONFIRMED,
} from '../core/billing-terms.js';
import { DAY_MS } from '../core/time.js';
import { isUniqueViolation } from '../database/errors.js';
import type { Database, Schema } from '../database/schema.js';
import { bookCredits, lockBalance } from '../ledger/book-credits.js';
import { receiveCredits } from '../ledger/debts.js';
import { findAccount, hasHiddenCharacters, isConfirmed } from './accounts.js';
import { AccountError } from './errors.js';

/** Maximum number of credits in one grant, purchase or correction. */
export const GRANT_CREDITS_MAX = 1_000_000_000;

/** Options of a grant. */
export interface GrantOptions {
  /**
   * Identifies the booking. Each cause is booked once, so a repeat changes nothing. The ledger
   * stores it as `<kind>:<cause>`. The default is a random cause.
   */
  readonly cause?: string;
  /**
   * `purchase` for paid credits, which first pay a debt of the account; `grant` (default) and
   * `correction` for other credits, which never pay a debt. Only a correction may take credits.
   */
  readonly kind?: 'grant' | 'purchase' | 'correction';
  readonly nowMs?: number;
}

/** Result of a grant. */
export interface Granted {
  readonly accountId: string;
  readonly mode: Mode;
  readonly amount: number;
  /** Paid balance after the booking. A purchase may have paid a debt with some of its credits. */
  readonly balance: number;
  /** False if this cause was already booked, so that nothing changed. */
  readonly applied: boolean;
}

/**
 * Books credits for an account: the ledger entry and the balance in one transaction.
 *
 * @param account id or name
 * @param amount whole credits, 1 to 1,000,000,000; of a correction also -1 to -1,000,000,000, but no
 *   more than the paid balance
 * @throws AccountError `unknown_account`, `invalid_amount`, `test_credit_limit` (over 1,000 test
 *   credits in 24 hours) or `cause_conflict` (the cause was used for another booking)
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
    // A concurrent grant to another account used the cause. Its entry can be read now.
    return await grant();
  }
}

/**
 * `grantCredits` within the caller's transaction.
 *
 * @throws also the database's unique violation if a concurrent grant to another account uses the same
 *   cause
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
  const size = kind === 'correction' ? Math.abs(amount) : amount;
  if (!Number.isInteger(amount) || size < 1 || size > GRANT_CREDITS_MAX) {
    const range = `from 1 to ${GRANT_CREDITS_MAX}${size === amount ? '' : ', with - to take them'}`;
    throw new AccountError(
      'invalid_amount',
      `The credits must be a whole number ${range}, not ${amount}.`,
    );
  }
  const { id: accountId } = await findAccount(trx, account);
  const { paidCredits } = await lockBalance(trx, accountId, mode);
  const booked = await bookedBefore(trx, cause, { accountId, mode, amount });
  if (booked !== undefined) return booked;
  if (paidCredits + amount < 0) {
    const message = `The account has ${paidCredits} ${mode} credits, so ${size} cannot be taken; nothing changed.`;
    throw new AccountError('invalid_amount', message);
  }
  if (mode === 'test' && amount > 0) await refuseTooManyTestCredits(trx, accountId, amount, nowMs);
  const entry = { accountId, mode, kind, credits: amount, cause, atMs: nowMs };
  const balance = await (kind === 'purchase'
    ? receiveCredits(trx, entry)
    : bookCredits(trx, entry));
  return { accountId, mode, amount, balance, applied: true };
}

/** Maximum length of the reason of a correction. */
const REASON_CHARS_MAX = 200;

/**
 * Corrects the credits of an account up or down, as the operator decides. The ledger stores the
 * reason, and the customer can read it.
 *
 * @param account id or name
 * @param amount whole credits, below zero to take them; the balance never falls below zero
 * @param reason 1 to 200 visible characters; booked once for an account, so a repeat changes nothing
 * @throws AccountError as `grantCredits`, and `invalid_reason`
 */
export async function correctCredits(
  db: Database,
  account: string,
  mode: Mode,
  amount: number,
  reason: string,
): Promise<Granted> {
  const text = reason.trim();
  if (text === '' || text.length > REASON_CHARS_MAX || hasHiddenCharacters(text)) {
    const message = `The reason must have 1 to ${REASON_CHARS_MAX} characters and no control or invisible characters.`;
    throw new AccountError('invalid_reason', message);
  }
  const { id } = await findAccount(db, account);
  return await grantCredits(db, id, mode, amount, { kind: 'correction', cause: `${id}:${text}` });
}

/** The reason of a correction of the operator, from the cause of its entry; undefined for another entry. */
export function reasonOfCorrection(cause: string): string | undefined {
  return /^correction:acc_\w+:(.+)$/.exec(cause)?.[1];
}

/**
 * Books back the price of a request whose answer could not be sent completely. Happens at most once
 * for a request.
 *
 * @param account id and mode, as the gate reports them
 * @param requestId id of the charged request
 */
export async function returnCharge(
  db: Database,
  account: string,
  credits: number,
  requestId: string,
): Promise<void> {
  const [accountId, mode] = account.split(' ') as [string, Mode];
  const cause = `correction:unsent:${requestId}`;
  const entry = { accountId, mode, kind: 'correction', credits, cause, atMs: Date.now() } as const;
  await db.transaction().execute(async (trx) => {
    await lockBalance(trx, accountId, mode);
    await bookCredits(trx, entry);
  });
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
    throw new AccountError(
      'cause_conflict',
      `The cause "${cause}" was already used for another booking.`,
    );
  }
  return { ...wanted, balance: entry.balance_after, applied: false };
}

/**
 * Refuses more test credits than an account may get in 24 hours.
 *
 * @throws AccountError `test_credit_limit`
 */
export async function refuseTooManyTestCredits(
  db: Database | Transaction<Schema>,
  accountId: string,
  credits: number,
  nowMs: number,
): Promise<void> {
  const confirmed = await isConfirmed(db, accountId);
  const perDay = confirmed ? TEST_CREDITS_PER_DAY : TEST_CREDITS_UNCONFIRMED;
  const { granted } = await db
    .selectFrom('ledger_entries')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('credits'), eb.lit(0)).as('granted'))
    .where('account_id', '=', accountId)
    .where('mode', '=', 'test')
    .where('kind', '<>', 'usage')
    .where('credits', '>', 0)
    .where('at_ms', '>', nowMs - DAY_MS)
    .executeTakeFirstOrThrow();
  const left = Math.max(0, perDay - Number(granted));
  if (credits <= left) return;
  const more = !confirmed && Number(granted) < TEST_CREDITS_PER_DAY;
  const reason = more ? ' Confirm your e-mail address to get more.' : '';
  throw new AccountError(
    'test_credit_limit',
    `This account can get at most ${perDay} test credits in 24 hours; ${left} are left.${reason}`,
  );
}

/** Free calls of an account. */
export interface FreeCalls {
  readonly left: number;
  /** Used calls with the times at which they become available again, the earliest first. */
  readonly returning: readonly { readonly atMs: number; readonly calls: number }[];
}

/** The free calls left; a used call becomes available again exactly 24 hours later. */
export function freeCallsOf({ freeUses }: AccountFunds, nowMs: number): FreeCalls {
  const returning = freeUses
    .map(({ atMs, calls }) => ({ atMs: atMs + FREE_WINDOW_MS, calls }))
    .filter(({ atMs }) => atMs > nowMs);
  const used = returning.reduce((sum, { calls }) => sum + calls, 0);
  return { left: Math.max(0, FREE_CALLS_PER_WINDOW - used), returning };
}
