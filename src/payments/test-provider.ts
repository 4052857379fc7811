import { randomBytes } from 'node:crypto';
import type { PackCredits } from '../core/billing-terms.js';
import { newId } from '../database/ids.js';
import type { Checkout, Order, PaymentEvent, PaymentProvider, Price } from './provider.js';
import { readStripeEvent } from './stripe-events.js';

/** The currency code that ISO 4217 reserves for tests. */
export const TEST_CURRENCY = 'xts';

/** An action on the pages of the test provider. */
export type TestAction = 'pay' | 'cancel' | 'refund';

/** A signed message of the test provider. */
export interface SignedMessage {
  readonly body: Buffer;
  readonly signature: string;
}

/**
 * Sells credits for test payments on a page of this service. Its messages have the format and the
 * signature of Stripe's messages and take the same path. Its secret exists only in this process.
 */
export class TestProvider implements PaymentProvider {
  readonly name = 'test';
  readonly #secret = `whsec_${randomBytes(32).toString('hex')}`;

  /** A credit costs 0.01 in the test currency. */
  priceOf(credits: PackCredits): Promise<Price> {
    return Promise.resolve({ amountMinor: credits, currency: TEST_CURRENCY });
  }

  openCheckout({ purchaseId, price }: Order): Promise<Checkout> {
    const url = `/account/credits/checkout/${purchaseId}`;
    return Promise.resolve({ sessionId: newId('cs_vt'), url, price });
  }

  readEvent(body: Buffer, signature: string): Promise<PaymentEvent | undefined> {
    return readStripeEvent(body, signature, this.#secret);
  }

  /** Returns nothing: the test provider reports each event immediately. */
  checkoutEvent(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** The message that a checkout was paid. */
  paid(sessionId: string, price: Price): Promise<SignedMessage> {
    return this.#sign('checkout.session.completed', {
      id: sessionId,
      payment_status: 'paid',
      payment_intent: `pi_${sessionId}`,
      amount_total: price.amountMinor,
      currency: price.currency,
    });
  }

  /** The message that a checkout was cancelled. */
  cancelled(sessionId: string): Promise<SignedMessage> {
    return this.#sign('checkout.session.expired', { id: sessionId });
  }

  /** The message that an amount of a payment was refunded. */
  refunded(paymentId: string, price: Price): Promise<SignedMessage> {
    return this.#sign('refund.created', {
      id: newId('re_vt'),
      payment_intent: paymentId,
      amount: price.amountMinor,
      currency: price.currency,
      status: 'succeeded',
    });
  }

  async #sign(type: string, object: object): Promise<SignedMessage> {
    const { Stripe } = await import('stripe');
    const payload = JSON.stringify({
      id: newId('evt_vt'),
      object: 'event',
      type,
      data: { object },
    });
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: this.#secret });
    return { body: Buffer.from(payload), signature };
  }
}
