import type { Selectable, Transaction } from 'kysely';
import { answerableAccount } from '../accounts/closed-accounts.js';
import type { Database, PurchasesTable, RefundsTable, Schema } from '../database/schema.js';
import { bookCredits, lockBalance } from '../ledger/book-credits.js';
import { bookDebt, cancelDebt, payDebt, receiveCredits } from '../ledger/debts.js';
import type { PaymentEvent, ProviderName } from './provider.js';

type RefundEvent = Extract<PaymentEvent, { refundId: string }>;
type PurchaseRow = Selectable<PurchasesTable>;
type RefundRow = Selectable<RefundsTable>;

/** Stores a refund that a provider reports. A failed refund stays failed. */
export async function recordRefund(
  db: Database,
  provider: ProviderName,
  event: RefundEvent,
  nowMs: number,
): Promise<void> {
  const failed = event.kind === 'refund_failed' ? 1 : 0;
  await db
    .insertInto('refunds')
    .values({
      provider,
      id: event.refundId,
      payment_id: event.paymentId,
      purchase_id: null,
      amount_minor: event.price.amountMinor,
      currency: event.price.currency,
      failed,
      credits_due: 0,
      credits_taken: 0,
      created_at_ms: nowMs,
    })
    .onConflict((conflict) => conflict.columns(['provider', 'id']).doNothing())
    .execute();
  if (failed === 0) return;
  await db
    .updateTable('refunds')
    .set({ failed })
    .where('provider', '=', provider)
    .where('id', '=', event.refundId)
    .execute();
}

/**
 * Takes back credits in proportion to the refunded money, as far as they are unspent. The balance
 * never falls below zero; the account owes the other credits. If the refund failed, this debt is
 * cancelled, and the credits that were taken or paid are returned. Does nothing for a payment that
 * is not booked yet; booking the payment calls this function again.
 */
export async function settleRefunds(
  db: Database,
  provider: ProviderName,
  paymentId: string,
  nowMs: number,
): Promise<'refund_booked' | 'unchanged' | 'unknown'> {
  return await db.transaction().execute(async (trx) => {
    // The write changes nothing; it locks the row in both databases.
    const purchase = await trx
      .updateTable('purchases')
      .set((eb) => ({ state: eb.ref('state') }))
      .where('provider', '=', provider)
      .where('payment_id', '=', paymentId)
      .where('state', '=', 'paid')
      .returningAll()
      .executeTakeFirst();
    if (purchase === undefined) return 'unknown';
    const refunds = await trx
      .selectFrom('refunds')
      .selectAll()
      .where('provider', '=', provider)
      .where('payment_id', '=', paymentId)
      .where('currency', '=', purchase.currency)
      .orderBy('created_at_ms')
      .orderBy('id')
      .execute();
    let changed = await giveBackFailed(trx, purchase, refunds, nowMs);
    const good = refunds.filter(({ failed }) => failed === 0);
    const settled = good.filter(({ purchase_id }) => purchase_id !== null);
    let amountMinor = settled.reduce((sum, refund) => sum + refund.amount_minor, 0);
    let creditsDue = settled.reduce((sum, refund) => sum + refund.credits_due, 0);
    for (const refund of good) {
      if (refund.purchase_id !== null) continue;
      amountMinor += refund.amount_minor;
      // Computed from the sum of all refunds: rounding each refund could lose or create credits.
      const due = Math.max(0, creditsOf(purchase, amountMinor) - creditsDue);
      creditsDue += due;
      await takeBack(trx, purchase, refund, due, nowMs);
      changed = true;
    }
    return changed ? 'refund_booked' : 'unchanged';
  });
}

/** Whole credits in proportion to an amount of the price. */
function creditsOf({ credits, amount_minor }: PurchaseRow, amountMinor: number): number {
  return Math.floor((credits * Math.min(amountMinor, amount_minor)) / amount_minor);
}

async function takeBack(
  trx: Transaction<Schema>,
  purchase: PurchaseRow,
  refund: RefundRow,
  due: number,
  nowMs: number,
): Promise<void> {
  const { account_id: accountId, mode } = purchase;
  const { paidCredits } = await lockBalance(trx, accountId, mode);
  const taken = Math.min(due, paidCredits);
  const reversal = reversalOf(refund);
  if (taken > 0) {
    const entry = { accountId, mode, kind: 'correction', credits: -taken, atMs: nowMs } as const;
    await bookCredits(trx, { ...entry, cause: reversal });
  }
  // Test credits cost nothing, so nothing is owed for them.
  if (taken < due && mode === 'live') await owe(trx, accountId, reversal, due - taken, nowMs);
  await trx
    .updateTable('refunds')
    .set({ purchase_id: purchase.id, credits_due: due, credits_taken: taken })
    .where('provider', '=', refund.provider)
    .where('id', '=', refund.id)
    .execute();
}

/** Books a debt. Pays as much of it as the balance of the answerable account can. */
async function owe(
  trx: Transaction<Schema>,
  buyerId: string,
  reversal: string,
  credits: number,
  atMs: number,
): Promise<void> {
  const accountId = await answerableAccount(trx, buyerId);
  const { paidCredits } = await lockBalance(trx, accountId, 'live');
  const cause = reversal;
  await bookDebt(trx, { accountId, kind: 'reversed', reversal, credits, cause, atMs });
  // Credits of the buyer's own balance were already taken back. A successor's balance was not used yet.
  if (accountId === buyerId) return;
  const creditsMax = Math.min(credits, paidCredits);
  await payDebt(trx, { accountId, creditsMax, cause, atMs });
}

/** Name of a refund among the reversals; also the cause of the entry that takes its credits. */
function reversalOf({ id }: RefundRow): string {
  return `refund:${id}`;
}

async function giveBackFailed(
  trx: Transaction<Schema>,
  purchase: PurchaseRow,
  refunds: readonly RefundRow[],
  nowMs: number,
): Promise<boolean> {
  let changed = false;
  for (const refund of refunds) {
    const { provider, id, failed, purchase_id, credits_due, credits_taken } = refund;
    if (failed === 0 || (purchase_id !== null && credits_due === 0)) continue;
    const cause = `refund_failed:${id}`;
    const payments = await cancelDebt(trx, reversalOf(refund), cause, nowMs);
    const giveBack = { kind: 'correction', atMs: nowMs } as const;
    if (credits_taken > 0) {
      const { account_id: accountId, mode } = purchase;
      const entry = { ...giveBack, accountId, mode, credits: credits_taken };
      await receiveCredits(trx, { ...entry, cause });
    }
    for (const { accountId, credits } of payments) {
      const entry = { ...giveBack, accountId, mode: 'live', credits } as const;
      await receiveCredits(trx, { ...entry, cause: `debt_returned:${id}:${accountId}` });
    }
    await trx
      .updateTable('refunds')
      .set({ purchase_id: purchase.id, credits_due: 0, credits_taken: 0 })
      .where('provider', '=', provider)
      .where('id', '=', id)
      .execute();
    changed = true;
  }
  return changed;
}

/** Sums over all refunds that are booked and have not failed. */
export async function sumRefunds(db: Database): Promise<{
  readonly refunds: number;
  readonly creditsTaken: number;
  /** Credits that had been spent already. */
  readonly creditsMissing: number;
}> {
  const sums = await db
    .selectFrom('refunds')
    .select((eb) => [
      eb.fn.countAll<number>().as('refunds'),
      eb.fn.sum<number | null>('credits_due').as('due'),
      eb.fn.sum<number | null>('credits_taken').as('taken'),
    ])
    .where('purchase_id', 'is not', null)
    .where('failed', '=', 0)
    .executeTakeFirstOrThrow();
  const creditsTaken = Number(sums.taken ?? 0);
  const creditsMissing = Number(sums.due ?? 0) - creditsTaken;
  return { refunds: Number(sums.refunds), creditsTaken, creditsMissing };
}
