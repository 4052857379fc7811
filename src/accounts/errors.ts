import { ReasonError } from '../core/errors.js';

/** Reason for which a request to change accounts, keys or credits was refused. */
export type AccountErrorReason =
  | 'invalid_name'
  | 'ambiguous_name'
  | 'name_taken'
  | 'unknown_account'
  | 'account_closed'
  | 'account_unconfirmed'
  | 'not_in_debt'
  | 'unknown_key'
  | 'key_ended'
  | 'too_many_keys'
  | 'invalid_amount'
  | 'invalid_reason'
  | 'test_credit_limit'
  | 'cause_conflict';

/** A mistake of the caller; the message can be shown to users. */
export class AccountError extends ReasonError<AccountErrorReason> {}

/** Why a request of a user is refused. */
export type UserErrorReason =
  /** A field is not acceptable. */
  | 'invalid_field'
  /** The password is wrong or there is no such user. The message does not say which. */
  | 'wrong_password'
  /** A link that is unknown, used, expired or for another user. */
  | 'invalid_link'
  /** Too many attempts; `retryAfterSeconds` says when to try again. */
  | 'throttled'
  /** The service is checking too many passwords at the moment. */
  | 'busy'
  /** The user must confirm the e-mail address first. */
  | 'unconfirmed';

/** Fields of the forms of a user. */
export type UserField = 'name' | 'email' | 'password' | 'new_password';

/** A refusal of a user's request; the message can be shown to the user. */
export class UserError extends ReasonError<UserErrorReason> {
  /** The field that is wrong; undefined when the refusal belongs to no single field. */
  readonly field: UserField | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    reason: UserErrorReason,
    message: string,
    details: { readonly field?: UserField; readonly retryAfterSeconds?: number } = {},
  ) {
    super(reason, message);
    this.field = details.field;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}
