import type { Selectable, Transaction } from 'kysely';
import type { Database, PurchasesTable, RefundsTable, Schema } from '../database/schema.js';
import { bookCredits, lockBalance } from '../ledger/book-credits.js';
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
 * Takes back credits in proportion to the refunded money, as far as they are unspent: the balance
 * never falls below zero. Returns them if the refund failed. Does nothing for a payment that is not
 * booked yet; booking the payment calls this function again.
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
  const taken = Math.min(due, await lockBalance(trx, accountId, mode));
  if (taken > 0) {
    const entry = { accountId, mode, kind: 'correction', credits: -taken, atMs: nowMs } as const;
    await bookCredits(trx, { ...entry, cause: `refund:${refund.id}` });
  }
  await trx
    .updateTable('refunds')
    .set({ purchase_id: purchase.id, credits_due: due, credits_taken: taken })
    .where('provider', '=', refund.provider)
    .where('id', '=', refund.id)
    .execute();
}

async function giveBackFailed(
  trx: Transaction<Schema>,
  purchase: PurchaseRow,
  refunds: readonly RefundRow[],
  nowMs: number,
): Promise<boolean> {
  let changed = false;
  for (const { provider, id, failed, purchase_id, credits_due, credits_taken } of refunds) {
    if (failed === 0 || (purchase_id !== null && credits_due === 0)) continue;
    if (credits_taken > 0) {
      const { account_id: accountId, mode } = purchase;
      const entry = { accountId, mode, kind: 'correction', credits: credits_taken } as const;
      await bookCredits(trx, { ...entry, cause: `refund_failed:${id}`, atMs: nowMs });
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
