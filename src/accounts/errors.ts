/** What went wrong with a request to change accounts, keys or credits. */
export type AccountErrorReason =
  | 'invalid_name'
  | 'ambiguous_name'
  | 'unknown_account'
  | 'account_closed'
  | 'unknown_key'
  | 'key_ended'
  | 'too_many_keys'
  | 'invalid_amount'
  | 'test_credit_limit'
  | 'cause_conflict';

/** A mistake of the caller; the message can be shown to a user as it is. */
export class AccountError extends Error {
  readonly reason: AccountErrorReason;

  constructor(reason: AccountErrorReason, message: string) {
    super(message);
    this.name = 'AccountError';
    this.reason = reason;
  }
}
