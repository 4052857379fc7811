import type Stripe from 'stripe';
import { checkStripeEvent } from './check-stripe-event.js';
import { PaymentError, type PaymentEvent, type Price } from './provider.js';

/**
 * Verifies a message by its `Stripe-Signature` header (HMAC-SHA-256 over time and body, compared in
 * constant time, at most five minutes old) and converts it to an event.
 *
 * @throws PaymentError `forged` or `malformed`
 */
export async function readStripeEvent(
  body: Buffer,
  signature: string,
  secret: string,
): Promise<PaymentEvent | undefined> {
  const { Stripe: library } = await import('stripe');
  try {
    const event = library.webhooks.constructEvent(body, signature, secret);
    checkStripeEvent(event);
    return meaningOf(event);
  } catch (error) {
    if (error instanceof PaymentError) throw error;
    if (!(error instanceof library.errors.StripeSignatureVerificationError)) {
      throw new PaymentError('malformed', 'This message is not an event.', { cause: error });
    }
    const message =
      'The payment provider has not signed this message, or the signature is too old.';
    throw new PaymentError('forged', message, { cause: error });
  }
}

/** Events to subscribe a webhook endpoint to; all others are acknowledged and ignored. */
export const STRIPE_EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
] as const satisfies readonly Stripe.Event.Type[];

function meaningOf(event: Stripe.Event): PaymentEvent | undefined {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return sessionEvent(event.data.object);
    case 'checkout.session.async_payment_failed':
      return { kind: 'failed', sessionId: event.data.object.id };
    case 'checkout.session.expired':
      return { kind: 'expired', sessionId: event.data.object.id };
    // These events name the refund; `charge.refunded` reports only the sum of all refunds.
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      return refunded(event.data.object);
    // A dispute: the bank of the buyer withdraws the money.
    case 'charge.dispute.funds_withdrawn':
      return moneyBack('refund', event.data.object);
    case 'charge.dispute.funds_reinstated':
      return moneyBack('refund_failed', event.data.object);
    default:
      return undefined;
  }
}

/** The event of a completed checkout; undefined if it is not relevant here. */
export function sessionEvent(session: Stripe.Checkout.Session): PaymentEvent | undefined {
  const { id: sessionId, payment_status, amount_total, currency } = session;
  const paymentId = idOf(session.payment_intent);
  if (payment_status === 'unpaid') return { kind: 'processing', sessionId };
  if (paymentId === undefined || amount_total === null || currency === null) return undefined;
  return { kind: 'paid', sessionId, paymentId, price: { amountMinor: amount_total, currency } };
}

function refunded(refund: Stripe.Refund): PaymentEvent | undefined {
  const undone = refund.status === 'failed' || refund.status === 'canceled';
  return moneyBack(undone ? 'refund_failed' : 'refund', refund);
}

function moneyBack(
  kind: 'refund' | 'refund_failed',
  source: Pick<Stripe.Refund, 'id' | 'amount' | 'currency' | 'payment_intent'>,
): PaymentEvent | undefined {
  const paymentId = idOf(source.payment_intent);
  if (paymentId === undefined) return undefined;
  const price: Price = { amountMinor: source.amount, currency: source.currency };
  return { kind, refundId: source.id, paymentId, price };
}

function idOf(reference: string | { readonly id: string } | null): string | undefined {
  return typeof reference === 'object' ? reference?.id : reference;
}
