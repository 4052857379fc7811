import type { Selectable, Transaction } from 'kysely';
import { grantCreditsWithin } from '../accounts/credits.js';
import { AccountError } from '../accounts/errors.js';
import type { Database, PurchasesTable, Schema } from '../database/schema.js';
import type { PaymentEvent, ProviderName } from './provider.js';
import { recordRefund, settleRefunds } from './refunds.js';

/** The effect of a message. */
export type Outcome =
  | 'credited'
  | 'refund_booked'
  | 'noted'
  /** Nothing new: the message was delivered twice, or a later message came first. */
  | 'unchanged'
  /** Not about a purchase here, but for example about another service of the same Stripe account. */
  | 'unknown'
  /** Paid, but not as agreed; somebody must check it. */
  | 'refused';

type PurchaseRow = Selectable<PurchasesTable>;

/**
 * Applies a verified message. A repeated, late or reordered message does no harm: causes in the
 * ledger are unique, and the payment is compared with the purchase as agreed.
 */
export async function applyEvent(
  db: Database,
  provider: ProviderName,
  event: PaymentEvent,
  nowMs: number,
): Promise<Outcome> {
  if ('refundId' in event) {
    await recordRefund(db, provider, event, nowMs);
    return await settleRefunds(db, provider, event.paymentId, nowMs);
  }
  if (event.kind !== 'paid') return await noteState(db, provider, event, nowMs);
  const outcome = await bookPayment(db, provider, event, nowMs);
  // The refund may have arrived before the payment. The code for each commits before it looks for
  // the other. If both run at the same time, the later commit finds both.
  await settleRefunds(db, provider, event.paymentId, nowMs);
  return outcome;
}

async function bookPayment(
  db: Database,
  provider: ProviderName,
  event: Extract<PaymentEvent, { kind: 'paid' }>,
  nowMs: number,
): Promise<Outcome> {
  return await db.transaction().execute(async (trx) => {
    const purchase = await lockPurchase(trx, provider, event.sessionId);
    if (purchase === undefined) return 'unknown';
    if (purchase.state === 'paid' || purchase.state === 'refused') return 'unchanged';
    const refusal = disagreement(purchase, event) ?? (await refusedCredits(trx, purchase, nowMs));
    const settled = {
      payment_id: event.paymentId,
      state: refusal === undefined ? 'paid' : 'refused',
      note: refusal ?? null,
      settled_at_ms: nowMs,
    } as const;
    await trx.updateTable('purchases').set(settled).where('id', '=', purchase.id).execute();
    return refusal === undefined ? 'credited' : 'refused';
  });
}

/** How the payment differs from the agreement; undefined if it does not. */
function disagreement(
  { amount_minor, currency }: PurchaseRow,
  { price }: Extract<PaymentEvent, { kind: 'paid' }>,
): string | undefined {
  if (price.amountMinor === amount_minor && price.currency === currency) return undefined;
  return `paid ${price.amountMinor} ${price.currency}, agreed ${amount_minor} ${currency}`;
}

/** Books the credits; returns a reason if the account cannot get them. */
async function refusedCredits(
  trx: Transaction<Schema>,
  purchase: PurchaseRow,
  nowMs: number,
): Promise<string | undefined> {
  const { id: cause, account_id, mode, credits } = purchase;
  try {
    const options = { kind: 'purchase', cause, nowMs } as const;
    await grantCreditsWithin(trx, account_id, mode, credits, options);
    return undefined;
  } catch (error) {
    if (error instanceof AccountError && error.reason === 'test_credit_limit') return error.message;
    throw error;
  }
}

/** The purchase of a checkout, locked until the transaction ends. */
async function lockPurchase(
  trx: Transaction<Schema>,
  provider: ProviderName,
  sessionId: string,
): Promise<PurchaseRow | undefined> {
  // The write changes nothing; it locks the row in both databases.
  return await trx
    .updateTable('purchases')
    .set((eb) => ({ state: eb.ref('state') }))
    .where('provider', '=', provider)
    .where('session_id', '=', sessionId)
    .returningAll()
    .executeTakeFirst();
}

async function noteState(
  db: Database,
  provider: ProviderName,
  { kind, sessionId }: Extract<PaymentEvent, { kind: 'processing' | 'failed' | 'expired' }>,
  nowMs: number,
): Promise<Outcome> {
  const result = await db
    .updateTable('purchases')
    .set({ state: kind, ...(kind === 'processing' ? {} : { settled_at_ms: nowMs }) })
    .where('provider', '=', provider)
    .where('session_id', '=', sessionId)
    // A late message does not change a settled purchase.
    .where('state', 'in', kind === 'processing' ? ['open'] : ['open', 'processing'])
    .executeTakeFirst();
  return result.numUpdatedRows > 0n ? 'noted' : 'unchanged';
}
