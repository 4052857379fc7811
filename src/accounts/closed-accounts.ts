import { hash } from 'node:crypto';
import type { Transaction } from 'kysely';
import { FREE_WINDOW_MS } from '../core/billing-terms.js';
import { DAY_MS } from '../core/time.js';
import { forgetDeleted } from '../database/forget-deleted.js';
import type { Database, Schema } from '../database/schema.js';
import { lockBalance } from '../ledger/book-credits.js';
import { moveDebt } from '../ledger/debts.js';
import { findAccount } from './accounts.js';

/** Names of a closed account and of its keys. */
const ERASED_NAME = 'deleted account';
const ERASED_KEY_NAME = 'deleted';
/**
 * How long a hash of the address is remembered after an account that bought credits was deleted.
 * Nearly every chargeback takes less time.
 */
const BUYER_MEMORY_MS = 365 * DAY_MS;

/**
 * Closes an account: it gets no new key, its keys are revoked, and its names are erased. The ledger
 * stays.
 */
async function closeAccount(
  trx: Transaction<Schema>,
  accountId: string,
  nowMs: number,
): Promise<void> {
  // The account comes first: a key that is being created waits for this row and is then refused.
  await trx
    .updateTable('accounts')
    .set({ name: ERASED_NAME, closed_at_ms: nowMs })
    .where('id', '=', accountId)
    .execute();
  await trx
    .updateTable('api_keys')
    .set({ revoked_at_ms: nowMs })
    .where('account_id', '=', accountId)
    .where('revoked_at_ms', 'is', null)
    .execute();
  await trx
    .updateTable('api_keys')
    .set({ name: ERASED_KEY_NAME })
    .where('account_id', '=', accountId)
    .execute();
}

/**
 * Closes an account, and deletes its user if it has one, with sessions, known networks, links and
 * saved populations (ON DELETE CASCADE). A hash of a confirmed address is kept for some time, see
 * `rememberClosedAccount`.
 */
export async function eraseAccount(
  trx: Transaction<Schema>,
  accountId: string,
  nowMs: number,
): Promise<void> {
  await closeAccount(trx, accountId, nowMs);
  const user = await trx
    .selectFrom('people')
    .innerJoin('accounts', 'accounts.id', 'people.account_id')
    .select(['people.email_key', 'accounts.confirmed_at_ms'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (user === undefined) return;
  if (user.confirmed_at_ms !== null) {
    await rememberClosedAccount(trx, accountId, user.email_key, nowMs);
  }
  await trx.deleteFrom('people').where('account_id', '=', accountId).execute();
}

/**
 * Deletes an account as the operator decides: revokes its keys, and erases names, address and
 * password. The ledger stays.
 *
 * @param account id or name
 * @returns `applied` is false if the account was deleted before, so that nothing changed
 * @throws AccountError `unknown_account` or `ambiguous_name`
 */
export async function deleteAccount(
  db: Database,
  account: string,
): Promise<{ readonly accountId: string; readonly applied: boolean }> {
  const nowMs = Date.now();
  const { id: accountId } = await findAccount(db, account);
  const applied = await db.transaction().execute(async (trx) => {
    const open = await trx
      .updateTable('accounts')
      .set({ closed_at_ms: nowMs })
      .where('id', '=', accountId)
      .where('closed_at_ms', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (open !== undefined) await eraseAccount(trx, accountId, nowMs);
    return open !== undefined;
  });
  await forgetDeleted(db);
  return { accountId, applied };
}

/**
 * Remembers a hash of a deleted account's address. A later sign-up with the address then gets no
 * new free calls and takes over the debt. The hash is kept for 24 hours, until all used free calls
 * have left their window. It is kept for a year if the account bought live credits or owes credits.
 * An account that succeeded other accounts is remembered at least as long as they are.
 */
export async function rememberClosedAccount(
  trx: Transaction<Schema>,
  accountId: string,
  emailKey: string,
  nowMs: number,
): Promise<void> {
  const { debtCredits } = await lockBalance(trx, accountId, 'live');
  const bought = await trx
    .selectFrom('purchases')
    .select('id')
    .where('account_id', '=', accountId)
    .where('mode', '=', 'live')
    .where('state', '=', 'paid')
    .limit(1)
    .executeTakeFirst();
  const { latest } = await trx
    .selectFrom('closed_accounts')
    .select((eb) => eb.fn.max('expires_at_ms').as('latest'))
    .where('successor_id', '=', accountId)
    .executeTakeFirstOrThrow();
  const memoryMs = bought !== undefined || debtCredits > 0 ? BUYER_MEMORY_MS : FREE_WINDOW_MS;
  await trx
    .insertInto('closed_accounts')
    .values({
      account_id: accountId,
      address_hash: hashAddress(emailKey),
      successor_id: null,
      expires_at_ms: Math.max(nowMs + memoryMs, Number(latest)),
    })
    .execute();
}

/**
 * Makes a new account the successor of the deleted accounts with the same e-mail address. The new account
 * takes over their debts, and the gates count their free calls as its own.
 */
export async function succeedClosedAccounts(
  trx: Transaction<Schema>,
  accountId: string,
  emailKey: string,
  nowMs: number,
): Promise<void> {
  const closed = await trx
    .updateTable('closed_accounts')
    .set({ successor_id: accountId })
    .where('address_hash', '=', hashAddress(emailKey))
    .where('expires_at_ms', '>', nowMs)
    .returning('account_id')
    .execute();
  for (const { account_id: closedId } of closed) {
    await moveDebt(trx, closedId, accountId, nowMs);
  }
}

/**
 * Returns the account that is responsible for the payments of an account: the account itself, or
 * its successor if it was deleted. The caller has locked the live balance of the account.
 */
export async function answerableAccount(
  trx: Transaction<Schema>,
  accountId: string,
): Promise<string> {
  const closed = await trx
    .selectFrom('closed_accounts')
    .select('successor_id')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return closed?.successor_id ?? accountId;
}

/** Forgets closed accounts, with the hashes of their addresses, once they have expired. */
export async function forgetClosedAccounts(db: Database, nowMs: number): Promise<void> {
  await db.deleteFrom('closed_accounts').where('expires_at_ms', '<=', nowMs).execute();
}

function hashAddress(emailKey: string): string {
  return hash('sha256', `closed account:${emailKey}`, 'hex');
}
