/** What a person may have got wrong, or must wait for. */
export type PersonErrorReason =
  /** A field cannot be taken as it is. */
  | 'invalid_field'
  /** E-mail and password do not belong together, or there is no such person: never said which. */
  | 'wrong_password'
  /** A link that is unknown, used, too old, or somebody else's. */
  | 'invalid_link'
  /** Too many attempts; `retryAfterSeconds` says when to try again. */
  | 'throttled'
  /** Too many passwords are being checked at this moment. */
  | 'busy';

/** Fields of the forms about a person. */
export type PersonField = 'name' | 'email' | 'password' | 'new_password';

/** A refusal that can be shown to its reader as it is. */
export class PersonError extends Error {
  readonly reason: PersonErrorReason;
  /** The field it belongs to, if to one. */
  readonly field: PersonField | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    reason: PersonErrorReason,
    message: string,
    details: { readonly field?: PersonField; readonly retryAfterSeconds?: number } = {},
  ) {
    super(message);
    this.name = 'PersonError';
    this.reason = reason;
    this.field = details.field;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}
