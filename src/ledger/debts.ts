import type { Transaction } from 'kysely';
import type { DebtKind, Schema } from '../database/schema.js';
import { bookCredits, type CreditEntry, lockBalance } from './book-credits.js';
import { newEntryId } from './charge.js';

type Trx = Transaction<Schema>;

/** A change of what an account owes for one reversal of a payment. */
export interface DebtEntry {
  readonly accountId: string;
  readonly kind: DebtKind;
  /** Signed. */
  readonly credits: number;
  /** The reversal, such as `refund:<id>`. */
  readonly reversal: string;
  /** Booked once for an account, kind and reversal. */
  readonly cause: string;
  readonly atMs: number;
}

/** Books a change of a debt; triggers add it to the account's sum. */
export async function bookDebt(trx: Trx, entry: DebtEntry): Promise<void> {
  const { accountId, kind, credits, reversal, cause, atMs } = entry;
  const row = { id: newEntryId(atMs), account_id: accountId, kind, credits, reversal, cause };
  await trx
    .insertInto('debts')
    .values({ ...row, at_ms: atMs })
    .execute();
}

/** How to reduce a debt. */
export interface Settlement {
  readonly accountId: string;
  readonly kind: Extract<DebtKind, 'paid' | 'forgiven'>;
  /** Maximum number of credits. */
  readonly creditsMax: number;
  readonly cause: string;
  readonly atMs: number;
}

/**
 * Reduces what an account owes, oldest reversal first. The caller has locked the account's live
 * balance.
 *
 * @returns the credits by which the debt was reduced
 */
export async function settleDebt(
  trx: Trx,
  { creditsMax, accountId, ...change }: Settlement,
): Promise<number> {
  let settled = 0;
  for (const { reversal, credits: owed } of await debtsOf(trx, accountId)) {
    const credits = Math.min(owed, creditsMax - settled);
    if (credits === 0) break;
    await bookDebt(trx, { ...change, accountId, reversal, credits: -credits });
    settled += credits;
  }
  return settled;
}

/**
 * Pays as much of a debt as the account's credits can, with an entry in the ledger. The caller has
 * locked and read the live balance.
 *
 * @param payment.creditsMax the largest payment; the balance must hold it
 * @returns the paid credits
 */
export async function payDebt(
  trx: Trx,
  payment: Omit<Settlement, 'kind'>,
): Promise<{ readonly paid: number; readonly balance: number | undefined }> {
  const paid = await settleDebt(trx, { ...payment, kind: 'paid' });
  if (paid === 0) return { paid, balance: undefined };
  const { accountId, cause, atMs } = payment;
  const entry = { accountId, mode: 'live', kind: 'correction', credits: -paid, atMs } as const;
  return { paid, balance: await bookCredits(trx, { ...entry, cause: `debt:${cause}` }) };
}

/**
 * Books paid credits, and pays the account's debt with them first. Both get an entry of their own.
 *
 * @returns the paid balance afterwards
 * @throws what `bookCredits` throws
 */
export async function receiveCredits(trx: Trx, entry: CreditEntry): Promise<number> {
  const { accountId, mode, credits, cause, atMs } = entry;
  if (mode === 'live') await lockBalance(trx, accountId, mode);
  const balance = await bookCredits(trx, entry);
  if (mode !== 'live') return balance;
  const after = await payDebt(trx, { accountId, creditsMax: credits, cause, atMs });
  return after.balance ?? balance;
}

/**
 * Cancels the remaining debt of a reversal that failed.
 *
 * @returns the accounts that have paid some of this debt, with the credits to give back to each
 */
export async function cancelDebt(
  trx: Trx,
  reversal: string,
  cause: string,
  atMs: number,
): Promise<readonly { readonly accountId: string; readonly credits: number }[]> {
  const owners = await trx
    .selectFrom('debts')
    .select('account_id')
    .distinct()
    .where('reversal', '=', reversal)
    .orderBy('account_id')
    .execute();
  const payments: { accountId: string; credits: number }[] = [];
  for (const { account_id: accountId } of owners) {
    await lockBalance(trx, accountId, 'live');
    const entries = await trx
      .selectFrom('debts')
      .select(['kind', 'credits'])
      .where('reversal', '=', reversal)
      .where('account_id', '=', accountId)
      .execute();
    const owed = entries.reduce((sum, { credits }) => sum + credits, 0);
    if (owed > 0) {
      const entry = { accountId, kind: 'cancelled', credits: -owed, atMs } as const;
      await bookDebt(trx, { ...entry, reversal, cause });
    }
    const paid = entries.reduce((sum, one) => (one.kind === 'paid' ? sum - one.credits : sum), 0);
    if (paid > 0) payments.push({ accountId, credits: paid });
  }
  return payments;
}

/** Moves what a closed account owes to another account. */
export async function moveDebt(
  trx: Trx,
  fromId: string,
  toId: string,
  atMs: number,
): Promise<void> {
  await lockBalance(trx, fromId, 'live');
  const cause = `moved:${fromId}:${toId}`;
  for (const { reversal, credits } of await debtsOf(trx, fromId)) {
    const entry = { kind: 'moved', reversal, cause, atMs } as const;
    await bookDebt(trx, { ...entry, accountId: fromId, credits: -credits });
    await bookDebt(trx, { ...entry, accountId: toId, credits });
  }
}

/** Debts of an account by reversal, oldest first. */
async function debtsOf(
  trx: Trx,
  accountId: string,
): Promise<readonly { readonly reversal: string; readonly credits: number }[]> {
  const rows = await trx
    .selectFrom('debts')
    .select((eb) => ['reversal', eb.fn.sum<number>('credits').as('credits')])
    .where('account_id', '=', accountId)
    .groupBy('reversal')
    .orderBy((eb) => eb.fn.min('id'))
    .execute();
  return rows
    .map(({ reversal, credits }) => ({ reversal, credits: Number(credits) }))
    .filter(({ credits }) => credits > 0);
}
