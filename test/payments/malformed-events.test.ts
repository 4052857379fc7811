import Stripe from 'stripe';
import { expect, it } from 'vitest';
import { STRIPE_EVENTS } from '../../src/payments/stripe-events.js';
import { useOpened } from '../support/use-opened.js';
import { useService } from '../support/use-service.js';
import { paidSession, refundOf, startStripeDouble } from './stripe-double.js';

const stripe = useOpened(startStripeDouble);
const service = useService(async () => ({ stripe: stripe.provider }));

/** Sends a body with a valid signature. Resolves to the status of the answer. */
async function sendSigned(payload: string): Promise<number> {
  const { secret } = stripe;
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret });
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
  const request = { method: 'POST', url: '/webhooks/stripe', headers, payload } as const;
  return (await service.http.inject(request)).statusCode;
}

const event = (type: unknown, object: unknown) =>
  JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } });
const session = paidSession('cs_1');
const refund = refundOf('cs_1', 're_1', 100);

it.each([
  ['no JSON', '{'],
  ['nothing', ''],
  ['null', 'null'],
  ['no object', '[]'],
  ['no type', event(undefined, session)],
  ['a type that is no text', event({}, session)],
  ['no data', '{"object":"event","type":"refund.created"}'],
  ['no object in it', event('refund.created', null)],
  ['an id that is an object', event('checkout.session.completed', { ...session, id: {} })],
  ['an id that is a list', event('checkout.session.expired', { id: ['cs_1'] })],
  ['an id with a null character', event('refund.created', { ...refund, id: 're\u0000' })],
  ['an amount that is text', event('refund.updated', { ...refund, amount: '100' })],
  ['a negative amount', event('charge.dispute.funds_withdrawn', { ...refund, amount: -1 })],
  ['a payment that is a list', event('refund.created', { ...refund, payment_intent: [] })],
  ['an unknown state', event('checkout.session.completed', { ...session, payment_status: {} })],
])('a signed message with %s is answered with 400', async (_name, payload) => {
  service.logLines.length = 0;
  expect(await sendSigned(payload)).toBe(400);
  expect(service.logLines.join('')).toContain('a signed payment message is not as expected');
});

it('the sound messages, and signed events of other types, are answered with 200', async () => {
  for (const object of [session, { ...session, payment_intent: { id: 'pi_1' } }]) {
    expect(await sendSigned(event('checkout.session.completed', object))).toBe(200);
  }
  for (const type of STRIPE_EVENTS.filter((name) => !name.startsWith('checkout'))) {
    expect(await sendSigned(event(type, refund))).toBe(200);
  }
  expect(await sendSigned(event('customer.created', { id: {} }))).toBe(200);
  expect(await sendSigned(event('__proto__', {}))).toBe(200);
});
