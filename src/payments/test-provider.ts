import { randomBytes } from 'node:crypto';
import type { PackCredits } from '../core/billing-terms.js';
import { newId } from '../database/ids.js';
import type { Checkout, Order, PaymentEvent, PaymentProvider, Price } from './provider.js';
import { readStripeEvent } from './stripe-events.js';

/** ISO 4217's code for tests: no money. */
export const PLAY_CURRENCY = 'xts';

/** A message of this provider, signed. */
export interface SignedMessage {
  readonly body: Buffer;
  readonly signature: string;
}

/**
 * Sells for play money on a page of the service's own. Its messages have the form and signature of
 * Stripe's and go through the same confirmation; its secret lives and dies with the process.
 */
export class TestProvider implements PaymentProvider {
  readonly name = 'test';
  readonly #secret = `whsec_${randomBytes(32).toString('hex')}`;

  /** A hundredth of play money a credit. */
  priceOf(credits: PackCredits): Promise<Price> {
    return Promise.resolve({ amountMinor: credits, currency: PLAY_CURRENCY });
  }

  openCheckout({ purchaseId, price }: Order): Promise<Checkout> {
    const url = `/account/credits/checkout/${purchaseId}`;
    return Promise.resolve({ sessionId: newId('cs_vt'), url, price });
  }

  readEvent(body: Buffer, signature: string): Promise<PaymentEvent | undefined> {
    return readStripeEvent(body, signature, this.#secret);
  }

  /** Has nothing to say that it has not said. */
  askAbout(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** Says that a checkout was paid. */
  paid(sessionId: string, price: Price): Promise<SignedMessage> {
    return this.#sign('checkout.session.completed', {
      id: sessionId,
      payment_status: 'paid',
      payment_intent: `pi_${sessionId}`,
      amount_total: price.amountMinor,
      currency: price.currency,
    });
  }

  /** Says that a checkout was left without paying. */
  cancelled(sessionId: string): Promise<SignedMessage> {
    return this.#sign('checkout.session.expired', { id: sessionId });
  }

  /** Says that so much of a payment was given back. */
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
