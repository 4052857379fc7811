import type Stripe from 'stripe';
import type { PackCredits } from '../core/billing-terms.js';
import {
  type Checkout,
  type Order,
  PaymentError,
  type PaymentEvent,
  type PaymentProvider,
  type Price,
} from './provider.js';
import { readStripeEvent, sessionEvent } from './stripe-events.js';

/** Settings to sell through Stripe. */
export interface StripeSettings {
  readonly secretKey: string;
  /** Signing secret of the webhook endpoint. */
  readonly webhookSecret: string;
  /** Stripe's price id of each pack. */
  readonly priceIds: Readonly<Record<PackCredits, string>>;
  /** Address of another API server; for tests. */
  readonly api?: Pick<Stripe.StripeConfig, 'host' | 'port' | 'protocol'>;
}

/** How long a price is cached. The checkout uses the current price of Stripe in any case. */
const PRICE_TTL_MS = 60_000;
/** Short, because a user waits for these calls. */
const TIMEOUT_MS = 10_000;

/** Sells packs through Stripe Checkout, with Stripe's own library. */
export class StripeProvider implements PaymentProvider {
  readonly name = 'stripe';
  readonly #settings: StripeSettings;
  readonly #prices = new Map<PackCredits, { readonly price: Price; readonly atMs: number }>();
  #client: Promise<Stripe> | undefined;

  constructor(settings: StripeSettings) {
    this.#settings = settings;
  }

  async priceOf(credits: PackCredits): Promise<Price> {
    const known = this.#prices.get(credits);
    if (known !== undefined && Date.now() - known.atMs < PRICE_TTL_MS) return known.price;
    const price = await this.#ask(async (stripe) => {
      const found = await stripe.prices.retrieve(this.#settings.priceIds[credits]);
      const { active, type, unit_amount, currency } = found;
      if (!active || type !== 'one_time' || unit_amount === null || unit_amount < 1) {
        throw new Error(`the price ${found.id} is not an active one-time price`);
      }
      return { amountMinor: unit_amount, currency };
    });
    this.#prices.set(credits, { price, atMs: Date.now() });
    return price;
  }

  async openCheckout(constraint: Order): Promise<Checkout> {
    const { purchaseId, credits, price, email, origin } = constraint;
    const session = await this.#ask((stripe) =>
      stripe.checkout.sessions.create(
        {
          mode: 'payment',
          line_items: [{ price: this.#settings.priceIds[credits], quantity: 1 }],
          // The payment must equal the agreed price exactly, so there is no currency conversion.
          currency: price.currency,
          adaptive_pricing: { enabled: false },
          client_reference_id: purchaseId,
          ...(email === undefined ? {} : { customer_email: email }),
          success_url: `${origin}/account/credits?purchase=${purchaseId}`,
          cancel_url: `${origin}/account/credits`,
        },
        { idempotencyKey: purchaseId },
      ),
    );
    const { id: sessionId, url, amount_total, currency } = session;
    if (url === null || amount_total === null || currency === null) {
      throw new PaymentError(
        'provider_failed',
        'The payment page could not be opened. Please try again later.',
      );
    }
    return { sessionId, url, price: { amountMinor: amount_total, currency } };
  }

  readEvent(body: Buffer, signature: string): Promise<PaymentEvent | undefined> {
    return readStripeEvent(body, signature, this.#settings.webhookSecret);
  }

  async checkoutEvent(sessionId: string): Promise<PaymentEvent | undefined> {
    const session = await this.#ask((stripe) => stripe.checkout.sessions.retrieve(sessionId));
    if (session.id !== sessionId) return undefined;
    if (session.status === 'expired') return { kind: 'expired', sessionId };
    return session.status === 'complete' ? sessionEvent(session) : undefined;
  }

  async #ask<Answer>(question: (stripe: Stripe) => Promise<Answer>): Promise<Answer> {
    try {
      this.#client ??= this.#connect();
      return await question(await this.#client);
    } catch (error) {
      const message = 'The payment provider is not available right now. Please try again later.';
      throw new PaymentError('provider_failed', message, { cause: error });
    }
  }

  /** Loads the library at the first use, because loading it would slow down the start. */
  async #connect(): Promise<Stripe> {
    const { Stripe: Library } = await import('stripe');
    const { secretKey, api } = this.#settings;
    const options = { timeout: TIMEOUT_MS, maxNetworkRetries: 1, telemetry: false };
    return new Library(secretKey, { ...options, ...api });
  }
}
