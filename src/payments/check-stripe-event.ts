import Type, { type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { PaymentError } from './provider.js';

// Ids are stored, so they must be text that both databases take.
const id = Type.String({ pattern: '^[!-~]{1,255}$' });
const reference = Type.Optional(Type.Union([id, Type.Object({ id }), Type.Null()]));
const amount = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const currency = Type.String({ pattern: '^[a-z]{3}$' });

const session = Type.Object({
  id,
  payment_status: Type.Enum(['paid', 'unpaid', 'no_payment_required']),
  payment_intent: reference,
  amount_total: Type.Optional(Type.Union([amount, Type.Null()])),
  currency: Type.Optional(Type.Union([currency, Type.Null()])),
});
const named = Type.Object({ id });
const moneyBack = Type.Object({ id, amount, currency, payment_intent: reference });

/** The members that the service reads of the object of an event, by the event's type. */
const OBJECTS: Readonly<Record<string, TSchema>> = {
  'checkout.session.completed': session,
  'checkout.session.async_payment_succeeded': session,
  'checkout.session.async_payment_failed': named,
  'checkout.session.expired': named,
  'refund.created': moneyBack,
  'refund.updated': moneyBack,
  'refund.failed': moneyBack,
  'charge.dispute.funds_withdrawn': moneyBack,
  'charge.dispute.funds_reinstated': moneyBack,
};

const event = Type.Object({
  type: Type.String(),
  data: Type.Object({ object: Type.Object({}) }),
});

/**
 * Checks the members of an event that the service reads; events of other types only need a type and
 * an object.
 *
 * @throws PaymentError `malformed`, naming the place of the first fault
 */
export function checkStripeEvent(value: unknown): void {
  if (!Value.Check(event, value)) throw malformed(event, value, '');
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
