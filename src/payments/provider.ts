import type { Mode, PackCredits } from '../core/billing-terms.js';

/** Who takes the money. */
export type ProviderName = 'stripe' | 'test';

/** What a pack costs. */
export interface Price {
  /** In the currency's smallest unit, cents for most. */
  readonly amountMinor: number;
  /** ISO 4217, lower case. */
  readonly currency: string;
}

/** What a provider is asked to take money for. */
export interface Order {
  /** Id of the purchase. */
  readonly purchaseId: string;
  readonly mode: Mode;
  readonly credits: PackCredits;
  readonly price: Price;
  /** E-mail address of the buyer, to fill in for them. */
  readonly email?: string | undefined;
  /** Origin of this service as its users see it, such as `https://vitruvia.example`. */
  readonly origin: string;
}

/** Where a buyer pays. */
export interface Checkout {
  /** The provider's id of the checkout. */
  readonly sessionId: string;
  /** Where to send the buyer. */
  readonly url: string;
  /** What the buyer will be asked there. */
  readonly price: Price;
}

/** What a provider says has happened, once its signature is checked. */
export type PaymentEvent =
  | {
      readonly kind: 'paid';
      readonly sessionId: string;
      /** The provider's id of the payment, which refunds name. */
      readonly paymentId: string;
      readonly price: Price;
    }
  | {
      /** Money is on its way, or will not come. */
      readonly kind: 'processing' | 'failed' | 'expired';
      readonly sessionId: string;
    }
  | {
      /** Money went back to the buyer, or did not after all. */
      readonly kind: 'refund' | 'refund_failed';
      readonly refundId: string;
      readonly paymentId: string;
      readonly price: Price;
    };

/** Someone who takes money and tells by signed messages what became of it. */
export interface PaymentProvider {
  readonly name: ProviderName;
  /** @throws PaymentError `provider_failed` */
  priceOf(credits: PackCredits): Promise<Price>;
  /** @throws PaymentError `provider_failed` */
  openCheckout(order: Order): Promise<Checkout>;
  /**
   * Believes a message or not.
   *
   * @param body the very bytes received
   * @param signature the header that came with them
   * @returns undefined for a genuine message that matters to nobody here
   * @throws PaymentError `forged`
   */
  readEvent(body: Buffer, signature: string): Promise<PaymentEvent | undefined>;
  /**
   * Asks what has become of a checkout, for a buyer who is back before the message is here.
   *
   * @returns undefined where nothing has
   * @throws PaymentError `provider_failed`
   */
  askAbout(sessionId: string): Promise<PaymentEvent | undefined>;
}
