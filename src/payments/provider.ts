import type { Mode, PackCredits } from '../core/billing-terms.js';
import { ReasonError } from '../core/errors.js';

/** Name of a payment provider. */
export type ProviderName = 'stripe' | 'test';

/** Price of a pack. */
export interface Price {
  /** In the smallest unit of the currency, such as cents. */
  readonly amountMinor: number;
  /** ISO 4217, lower case. */
  readonly currency: string;
}

/** A purchase for which the provider opens a checkout. */
export interface Order {
  /** Id of the purchase. */
  readonly purchaseId: string;
  readonly mode: Mode;
  readonly credits: PackCredits;
  readonly price: Price;
  /** E-mail address of the buyer, to prefill the form. */
  readonly email?: string | undefined;
  /** Public origin of this service, such as `https://vitruvia.example`. */
  readonly origin: string;
}

/** A page where the buyer pays. */
export interface Checkout {
  /** The provider's id of the checkout. */
  readonly sessionId: string;
  /** The address to which the buyer is sent: a path of this service or a URL of the provider. */
  readonly url: string;
  /** The price that the checkout shows. */
  readonly price: Price;
}

/** An event that a provider reports, after its signature is verified. */
export type PaymentEvent =
  | {
      readonly kind: 'paid';
      readonly sessionId: string;
      /** The provider's id of the payment; refunds refer to it. */
      readonly paymentId: string;
      readonly price: Price;
    }
  | {
      /** The payment is in progress, failed or was abandoned. */
      readonly kind: 'processing' | 'failed' | 'expired';
      readonly sessionId: string;
    }
  | {
      /** Money went back to the buyer, or the refund failed. */
      readonly kind: 'refund' | 'refund_failed';
      readonly refundId: string;
      readonly paymentId: string;
      readonly price: Price;
    };

/** A payment provider, which reports payments in signed messages. */
export interface PaymentProvider {
  readonly name: ProviderName;
  /** @throws PaymentError `provider_failed` */
  priceOf(credits: PackCredits): Promise<Price>;
  /** @throws PaymentError `provider_failed` */
  openCheckout(order: Order): Promise<Checkout>;
  /**
   * Verifies and reads a message.
   *
   * @param body the unchanged bytes of the message
   * @param signature the signature header of the message
   * @returns undefined for a genuine message that is not relevant here
   * @throws PaymentError `forged` or `malformed`
   */
  readEvent(body: Buffer, signature: string): Promise<PaymentEvent | undefined>;
  /**
   * Asks for the state of a checkout, because the buyer may return before the message arrives.
   *
   * @returns undefined if nothing has happened yet
   * @throws PaymentError `provider_failed`
   */
  checkoutEvent(sessionId: string): Promise<PaymentEvent | undefined>;
}

/** Why a purchase could not be started or a message about a payment was rejected. */
export type PaymentErrorReason =
  /** This service does not sell these credits. */
  | 'not_for_sale'
  | 'unknown_pack'
  /** The account started too many purchases. */
  | 'too_many_purchases'
  /** The provider did not answer, or its answer was not as agreed. */
  | 'provider_failed'
  /** The provider has not signed the message, or signed it too long ago. */
  | 'forged'
  /** The message is signed, but it is not one that the provider sends. */
  | 'malformed'
  | 'unknown_purchase';

/** A refusal by the sale of credits; the message can be shown to users. */
export class PaymentError extends ReasonError<PaymentErrorReason> {}
