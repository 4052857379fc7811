import type { Logger } from 'pino';
import { testCreditsLeft } from '../accounts/credits.js';
import { AccountError } from '../accounts/errors.js';
import {
  type Mode,
  PACKS,
  type PackCredits,
  packOf,
  TEST_CREDITS_PER_DAY,
} from '../core/billing-terms.js';
import { newId } from '../database/ids.js';
import type { Database } from '../database/schema.js';
import { applyEvent, type Outcome } from './confirm.js';
import { PaymentError } from './errors.js';
import type { PaymentEvent, PaymentProvider, Price, ProviderName } from './provider.js';
import { findPurchase, type Purchase } from './purchases.js';
import { type SignedMessage, TestProvider } from './test-provider.js';

/** Purchases an account may begin in 24 hours: each is a row for ever, and a call to the provider. */
export const PURCHASES_A_DAY = 100;
const DAY_MS = 24 * 3600 * 1000;

/** Parts of the sale of credits. */
export interface PaymentsParts {
  readonly db: Database;
  /** Who takes money for live credits; left out, nobody does. */
  readonly stripe?: PaymentProvider | undefined;
  /** Whether live credits may be had for play money where there is no Stripe. */
  readonly playMoneyForLive: boolean;
  readonly log: Pick<Logger, 'info' | 'error' | 'warn'>;
  readonly clock?: () => number;
}

/** A pack and what it costs now. */
export interface Offer {
  readonly credits: PackCredits;
  readonly price: Price;
}

/** What someone wants to buy. */
export interface Wanted {
  readonly accountId: string;
  readonly mode: Mode;
  readonly credits: number;
  readonly email?: string | undefined;
  /** Origin of this service as its users see it. */
  readonly origin: string;
}

/** The sale of credit packs: opens checkouts and books what providers say became of them. */
export class Payments {
  readonly #parts: PaymentsParts;
  readonly #test = new TestProvider();
  readonly #clock: () => number;

  constructor(parts: PaymentsParts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? Date.now;
  }

  /** Who sells credits of a mode; undefined when nobody does. */
  sellerOf(mode: Mode): ProviderName | undefined {
    return this.#providerOf(mode)?.name;
  }

  /**
   * Packs on sale and their prices at this moment; none where nobody sells.
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

  /**
   * Begins a purchase.
   *
   * @returns the purchase and where the buyer pays for it
   * @throws PaymentError `unknown_pack`, `not_for_sale`, `too_many_purchases` or `provider_failed`
   * @throws AccountError `test_credit_limit`
   */
  async buy(wanted: Wanted): Promise<{ readonly purchase: Purchase; readonly url: string }> {
    const { accountId, mode, email, origin } = wanted;
    const credits = packOf(wanted.credits);
    if (credits === undefined) {
      throw new PaymentError('unknown_pack', `Packs have ${PACKS.join(', ')} credits.`);
    }
    const provider = this.#providerOf(mode);
    if (provider === undefined) {
      throw new PaymentError('not_for_sale', `There are no ${mode} credits for sale here.`);
    }
    await this.#refuseManyPurchases(accountId);
    if (mode === 'test') await this.#refuseTooMany(accountId, credits);
    const purchaseId = newId('pur');
    const order = { purchaseId, mode, credits, email, origin };
    const price = await provider.priceOf(credits);
    const checkout = await provider.openCheckout({ ...order, price });
    const atMs = this.#clock();
    // Before anyone can pay: a payment without such a row is nobody's.
    await this.#parts.db
      .insertInto('purchases')
      .values({
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
      })
      .execute();
    const purchase = await findPurchase(this.#parts.db, accountId, purchaseId);
    if (purchase === undefined) throw new Error(`the purchase ${purchaseId} is gone`);
    return { purchase, url: checkout.url };
  }

  /**
   * Takes a message of a provider: believes it or not, and books what it says.
   *
   * @param body the very bytes received
   * @throws PaymentError `forged`; `not_for_sale` where that provider is not in use
   */
  async receive(provider: ProviderName, body: Buffer, signature: string): Promise<Outcome> {
    const source = provider === 'test' ? this.#test : this.#parts.stripe;
    if (source === undefined) throw new PaymentError('not_for_sale', `No ${provider} here.`);
    return await this.#apply(provider, await source.readEvent(body, signature));
  }

  /**
   * Asks the provider about a purchase that is not settled, and books what it says: a buyer who is
   * back before the provider's message need not wait for it, and a message lost is made up for.
   */
  async catchUp({ provider, sessionId, state }: Purchase): Promise<Outcome> {
    const source = provider === 'test' ? this.#test : this.#parts.stripe;
    if (source === undefined || (state !== 'open' && state !== 'processing')) return 'unchanged';
    return await this.#apply(provider, await source.askAbout(sessionId));
  }

  /** What the buttons of the test provider's pages do, for an open or paid purchase of its own. */
  async playOut(
    accountId: string,
    purchaseId: string,
    act: 'pay' | 'cancel' | 'refund',
  ): Promise<Outcome> {
    const purchase = await findPurchase(this.#parts.db, accountId, purchaseId);
    if (purchase === undefined || purchase.provider !== 'test') {
      throw new PaymentError('unknown_purchase', `There is no test purchase "${purchaseId}".`);
    }
    // Begun where play money bought live credits; the database may have moved to where it does not.
    if (act === 'pay' && this.sellerOf(purchase.mode) !== 'test') {
      const message = `Play money buys no ${purchase.mode} credits here.`;
      throw new PaymentError('not_for_sale', message);
    }
    const message = await this.#playMessage(purchase, act);
    if (message === undefined) return 'unchanged';
    return await this.receive('test', message.body, message.signature);
  }

  async #apply(provider: ProviderName, event: PaymentEvent | undefined): Promise<Outcome> {
    if (event === undefined) return 'unchanged';
    const outcome = await applyEvent(this.#parts.db, provider, event, this.#clock());
    const { log } = this.#parts;
    if (outcome === 'refused') log.error({ event }, 'a payment does not agree with its purchase');
    else if (outcome === 'unknown') log.warn({ event }, 'a payment of no purchase here');
    else log.info({ event, outcome }, 'a payment message');
    return outcome;
  }

  #playMessage(
    { sessionId, paymentId, price, refunds }: Purchase,
    act: 'pay' | 'cancel' | 'refund',
  ): Promise<SignedMessage | undefined> {
    if (act === 'pay') return this.#test.paid(sessionId, price);
    if (act === 'cancel') return this.#test.cancelled(sessionId);
    const back = refunds.filter(({ failed }) => !failed).map((refund) => refund.price.amountMinor);
    const amountMinor = price.amountMinor - back.reduce((sum, amount) => sum + amount, 0);
    if (paymentId === null || amountMinor <= 0) return Promise.resolve(undefined);
    return this.#test.refunded(paymentId, { ...price, amountMinor });
  }

  #providerOf(mode: Mode): PaymentProvider | undefined {
    if (mode === 'test') return this.#test;
    return this.#parts.stripe ?? (this.#parts.playMoneyForLive ? this.#test : undefined);
  }

  async #refuseManyPurchases(accountId: string): Promise<void> {
    const { begun } = await this.#parts.db
      .selectFrom('purchases')
      .select((eb) => eb.fn.countAll<number>().as('begun'))
      .where('account_id', '=', accountId)
      .where('created_at_ms', '>', this.#clock() - DAY_MS)
      .executeTakeFirstOrThrow();
    if (Number(begun) < PURCHASES_A_DAY) return;
    const message = `At most ${PURCHASES_A_DAY} purchases can be begun in 24 hours; try again later.`;
    throw new PaymentError('too_many_purchases', message);
  }

  async #refuseTooMany(accountId: string, credits: number): Promise<void> {
    const left = await testCreditsLeft(this.#parts.db, accountId, this.#clock());
    if (credits <= left) return;
    throw new AccountError(
      'test_credit_limit',
      `An account gets at most ${TEST_CREDITS_PER_DAY} test credits in 24 hours; ${left} are left.`,
    );
  }
}
