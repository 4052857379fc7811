import type { Logger } from 'pino';
import { requireConfirmed } from '../accounts/accounts.js';
import { refuseTooManyTestCredits } from '../accounts/credits.js';
import { createOnce, earlierUse, type FormUse } from '../accounts/one-time-forms.js';
import { type Mode, PACKS, type PackCredits, packOf } from '../core/billing-terms.js';
import { DAY_MS } from '../core/time.js';
import { newId } from '../database/ids.js';
import type { Database } from '../database/schema.js';
import { applyEvent, type Outcome } from './confirm.js';
import {
  PaymentError,
  type PaymentEvent,
  type PaymentProvider,
  type Price,
  type ProviderName,
} from './provider.js';
import { findPurchase, type Purchase } from './purchases.js';
import { type SignedMessage, type TestAction, TestProvider } from './test-provider.js';

/**
 * Maximum number of purchases of an account in 24 hours. Each purchase is a permanent row and a
 * call to the provider.
 */
export const PURCHASES_PER_DAY = 100;

/** Parts of the sale of credits. */
export interface PaymentsParts {
  readonly db: Database;
  /** The provider for live credits, if there is one. */
  readonly stripe?: PaymentProvider | undefined;
  /** Whether the built-in test payment sells live credits if there is no Stripe. */
  readonly testPaymentsForLive: boolean;
  readonly log: Pick<Logger, 'info' | 'error' | 'warn'>;
  readonly clock?: () => number;
  /** Is told of each message of a provider outside this program, to count it. */
  readonly onMessage?:
    | ((type: MessageType, outcome: 'received' | 'refused' | 'failed') => void)
    | undefined;
}

/** Subject of a message; `unreadable` when it is not signed or not of the expected form. */
export type MessageType = PaymentEvent['kind'] | 'other' | 'unreadable';

/** A pack and its current price. */
export interface Offer {
  readonly credits: PackCredits;
  readonly price: Price;
}

/** Request to buy a pack. */
export interface PurchaseRequest {
  readonly accountId: string;
  readonly mode: Mode;
  readonly credits: number;
  readonly email?: string | undefined;
  /** Public origin of this service. */
  readonly origin: string;
}

/** A purchase that was started. */
export interface StartedPurchase {
  readonly purchase: Purchase;
  /** Where the buyer pays. */
  readonly url: string;
  readonly earlierId?: undefined;
}

/** A purchase that the same form has started before. */
export interface EarlierPurchase {
  readonly earlierId: string;
}

/** Known prices are asked for again after so long, ms. */
const OFFERS_KEPT_MS = 5 * 60_000;

/** The sale of credit packs: opens checkouts and books the results that providers report. */
export class Payments {
  readonly #parts: PaymentsParts;
  readonly #test = new TestProvider();
  readonly #clock: () => number;
  #known: { readonly offers: readonly Offer[]; readonly askedAtMs: number } | undefined;

  constructor(parts: PaymentsParts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? Date.now;
  }

  /** The provider that sells credits of a mode; undefined if none does. */
  sellerOf(mode: Mode): ProviderName | undefined {
    return this.#providerOf(mode)?.name;
  }

  /**
   * The packs for sale and their current prices; empty if no provider sells credits of that mode.
   *
   * @throws PaymentError `provider_failed`
   */
  async offers(mode: Mode): Promise<readonly Offer[]> {
    const provider = this.#providerOf(mode);
    if (provider === undefined) return [];
    return await Promise.all(
      PACKS.map(async (credits) => ({ credits, price: await provider.priceOf(credits) })),
    );
  }

  /** The packs of live credits with their prices as last known; empty before. It asks again after some minutes. */
  knownOffers(): readonly Offer[] {
    const askedAtMs = this.#clock();
    const { offers, askedAtMs: lastMs } = this.#known ?? { offers: [], askedAtMs: -Infinity };
    if (askedAtMs - lastMs >= OFFERS_KEPT_MS) {
      this.#known = { offers, askedAtMs };
      void this.offers('live').then(
        (found) => {
          this.#known = { offers: found, askedAtMs };
        },
        // The prices of before stay. A purchase reports what is wrong with the provider.
        () => {},
      );
    }
    return offers;
  }

  /**
   * Starts a purchase.
   *
   * @returns the purchase and the URL where the buyer pays
   * @throws PaymentError `unknown_pack`, `not_for_sale`, `too_many_purchases` or `provider_failed`
   * @throws AccountError `test_credit_limit` or `account_unconfirmed`
   */
  async buy(request: PurchaseRequest): Promise<StartedPurchase> {
    const started = await this.buyOnce(request, undefined);
    if (started.earlierId === undefined) return started;
    throw new Error('a purchase without a form was started before');
  }

  /**
   * `buy` for a form that starts one purchase, however often it is sent.
   *
   * @returns also the id of the earlier purchase if the form has started one
   */
  async buyOnce(
    request: PurchaseRequest,
    form: FormUse | undefined,
  ): Promise<StartedPurchase | EarlierPurchase> {
    const { db } = this.#parts;
    const earlierId = form === undefined ? undefined : await earlierUse(db, form);
    if (earlierId !== undefined) return { earlierId };
    const { accountId, mode, email, origin } = request;
    const credits = packOf(request.credits);
    if (credits === undefined) {
      throw new PaymentError('unknown_pack', `Choose a pack of ${PACKS.join(', ')} credits.`);
    }
    const provider = this.#providerOf(mode);
    if (provider === undefined) {
      throw new PaymentError('not_for_sale', `This server does not sell ${mode} credits.`);
    }
    await this.#limitPurchases(accountId);
    if (mode === 'test') await refuseTooManyTestCredits(db, accountId, credits, this.#clock());
    else await requireConfirmed(db, accountId, 'purchases of live credits');
    const purchaseId = newId('pur');
    const order = { purchaseId, mode, credits, email, origin };
    const price = await provider.priceOf(credits);
    const checkout = await provider.openCheckout({ ...order, price });
    const atMs = this.#clock();
    // The row is stored before anybody can pay. A payment without it could not be credited.
    const made = await createOnce(db, form, async (trx) => {
      const row = {
        id: purchaseId,
        account_id: accountId,
        mode,
        credits,
        provider: provider.name,
        session_id: checkout.sessionId,
        payment_id: null,
        amount_minor: checkout.price.amountMinor,
        currency: checkout.price.currency,
        state: 'open',
        note: null,
        created_at_ms: atMs,
        settled_at_ms: null,
      } as const;
      await trx.insertInto('purchases').values(row).execute();
      return row;
    });
    // Another use of the form was faster. Nobody sees the checkout that was opened here.
    if (made.created === undefined) return made;
    const purchase = await findPurchase(db, accountId, purchaseId);
    if (purchase === undefined) throw new Error(`the purchase ${purchaseId} is gone`);
    return { purchase, url: checkout.url };
  }

  /**
   * Verifies a message of a provider and books what it reports.
   *
   * @param body the unchanged bytes of the message
   * @param requestId id of the request that brought it, for the log
   * @throws PaymentError `forged` or `malformed`; `not_for_sale` if the service does not use that
   *   provider
   */
  async receive(
    provider: ProviderName,
    body: Buffer,
    signature: string,
    requestId?: string,
  ): Promise<Outcome> {
    const source = provider === 'test' ? this.#test : this.#parts.stripe;
    if (source === undefined)
      throw new PaymentError('not_for_sale', `This server does not use ${provider}.`);
    const reading = source.readEvent(body, signature);
    reading.catch((err) => {
      if (err instanceof PaymentError && err.reason === 'malformed') {
        this.#parts.log.warn(
          { request_id: requestId, err },
          'a signed payment message is not as expected',
        );
      }
    });
    let type: MessageType = 'unreadable';
    const tell = (outcome: 'received' | 'refused' | 'failed') => {
      if (provider !== 'test') this.#parts.onMessage?.(type, outcome);
    };
    try {
      const event = await reading;
      type = event?.kind ?? 'other';
      const outcome = await this.#apply(provider, event, requestId);
      tell(outcome === 'refused' ? 'refused' : 'received');
      return outcome;
    } catch (error) {
      tell(error instanceof PaymentError ? 'refused' : 'failed');
      throw error;
    }
  }

  /**
   * Asks the provider about a purchase that is not settled, and books the answer. So the buyer need
   * not wait for the provider's message, and a lost message does no harm.
   *
   * @param requestId id of the request that asks, for the log
   */
  async refresh({ provider, sessionId, state }: Purchase, requestId?: string): Promise<Outcome> {
    const source = provider === 'test' ? this.#test : this.#parts.stripe;
    if (source === undefined || (state !== 'open' && state !== 'processing')) return 'unchanged';
    return await this.#apply(provider, await source.checkoutEvent(sessionId), requestId);
  }

  /**
   * Performs an action of the test provider's pages on one of its purchases.
   *
   * @throws PaymentError `unknown_purchase`; `not_for_sale` if test payments cannot buy these credits
   */
  async applyTestAction(
    accountId: string,
    purchaseId: string,
    action: TestAction,
    requestId?: string,
  ): Promise<Outcome> {
    const purchase = await findPurchase(this.#parts.db, accountId, purchaseId);
    if (purchase === undefined || purchase.provider !== 'test') {
      throw new PaymentError('unknown_purchase', `There is no test purchase "${purchaseId}".`);
    }
    // The purchase may have been started while test payments could buy live credits, for example
    // before the database moved from a preview to production.
    if (action === 'pay' && this.sellerOf(purchase.mode) !== 'test') {
      const message = `Test payments cannot buy ${purchase.mode} credits on this server.`;
      throw new PaymentError('not_for_sale', message);
    }
    const message = await this.#testMessage(purchase, action);
    if (message === undefined) return 'unchanged';
    return await this.receive('test', message.body, message.signature, requestId);
  }

  async #apply(
    provider: ProviderName,
    event: PaymentEvent | undefined,
    request_id?: string,
  ): Promise<Outcome> {
    if (event === undefined) return 'unchanged';
    const outcome = await applyEvent(this.#parts.db, provider, event, this.#clock());
    const { log } = this.#parts;
    if (outcome === 'refused')
      log.error({ request_id, event }, 'a payment differs from its purchase');
    else if (outcome === 'unknown')
      log.warn({ request_id, event }, 'a payment belongs to no purchase here');
    else log.info({ request_id, event, outcome }, 'a payment message was processed');
    return outcome;
  }

  #testMessage(
    { sessionId, paymentId, price, refunds }: Purchase,
    action: TestAction,
  ): Promise<SignedMessage | undefined> {
    if (action === 'pay') return this.#test.paid(sessionId, price);
    if (action === 'cancel') return this.#test.cancelled(sessionId);
    const refunded = refunds
      .filter(({ failed }) => !failed)
      .reduce((sum, refund) => sum + refund.price.amountMinor, 0);
    const amountMinor = price.amountMinor - refunded;
    if (paymentId === null || amountMinor <= 0) return Promise.resolve(undefined);
    return this.#test.refunded(paymentId, { ...price, amountMinor });
  }

  #providerOf(mode: Mode): PaymentProvider | undefined {
    if (mode === 'test') return this.#test;
    return this.#parts.stripe ?? (this.#parts.testPaymentsForLive ? this.#test : undefined);
  }

  async #limitPurchases(accountId: string): Promise<void> {
    const { started } = await this.#parts.db
      .selectFrom('purchases')
      .select((eb) => eb.fn.countAll<number>().as('started'))
      .where('account_id', '=', accountId)
      .where('created_at_ms', '>', this.#clock() - DAY_MS)
      .executeTakeFirstOrThrow();
    if (Number(started) < PURCHASES_PER_DAY) return;
    const message = `An account can start at most ${PURCHASES_PER_DAY} purchases in 24 hours. Try again later.`;
    throw new PaymentError('too_many_purchases', message);
  }
}
