/** Why a payment could not be begun or a message about one was not believed. */
export type PaymentErrorReason =
  /** Nobody sells these credits here. */
  | 'not_for_sale'
  | 'unknown_pack'
  /** An account began more purchases than anybody needs. */
  | 'too_many_purchases'
  /** The provider did not answer, or not as agreed. */
  | 'provider_failed'
  /** A message that the provider has not signed, or signed too long ago. */
  | 'forged'
  | 'unknown_purchase';

/** The message can be shown to a user as it is. */
export class PaymentError extends Error {
  readonly reason: PaymentErrorReason;

  constructor(reason: PaymentErrorReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PaymentError';
    this.reason = reason;
  }
}
