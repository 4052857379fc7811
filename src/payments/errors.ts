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
export class PaymentError extends Error {
  readonly reason: PaymentErrorReason;

  constructor(reason: PaymentErrorReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PaymentError';
    this.reason = reason;
  }
}
