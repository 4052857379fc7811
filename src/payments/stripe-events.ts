import type Stripe from 'stripe';
import Type, { type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { PaymentError, type PaymentEvent, type Price } from './provider.js';

// Ids are stored, so they must be text that both databases take.
const id = Type.String({ pattern: '^[!-~]{1,255}$' });
const reference = Type.Optional(Type.Union([id, Type.Object({ id }), Type.Null()]));
const amount = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const currency = Type.String({ pattern: '^[a-z]{3}$' });

const paidSession = Type.Object({
  id,
  payment_status: Type.Enum(['paid', 'unpaid', 'no_payment_required']),
  payment_intent: reference,
  amount_total: Type.Optional(Type.Union([amount, Type.Null()])),
  currency: Type.Optional(Type.Union([currency, Type.Null()])),
});
const named = Type.Object({ id });
const refundOrDispute = Type.Object({ id, amount, currency, payment_intent: reference });

/** The members that the service reads of the object of an event, by the event's type. */
const OBJECTS: Readonly<Record<string, TSchema>> = {
  'checkout.session.completed': paidSession,
  'checkout.session.async_payment_succeeded': paidSession,
  'checkout.session.async_payment_failed': named,
  'checkout.session.expired': named,
  'refund.created': refundOrDispute,
  'refund.updated': refundOrDispute,
  'refund.failed': refundOrDispute,
  'charge.dispute.funds_withdrawn': refundOrDispute,
  'charge.dispute.funds_reinstated': refundOrDispute,
};

const eventShape = Type.Object({
  type: Type.String(),
  data: Type.Object({ object: Type.Object({}) }),
});

/**
 * Checks the members of an event that the service reads; events of other types only need a type and
 * an object.
 *
 * @throws PaymentError `malformed`, naming the place of the first fault
 */
function checkStripeEvent(value: unknown): void {
  if (!Value.Check(eventShape, value)) throw malformed(eventShape, value, '');
  const { type, data } = value;
  const schema = Object.hasOwn(OBJECTS, type) ? OBJECTS[type] : undefined;
  if (schema !== undefined && !Value.Check(schema, data.object)) {
    throw malformed(schema, data.object, '/data/object');
  }
}

function malformed(schema: TSchema, value: unknown, place: string): PaymentError {
  const [first] = Value.Errors(schema, value);
  const message = `The event is not as expected at "${place}${first?.instancePath ?? ''}".`;
  return new PaymentError('malformed', message);
}

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
