/** People who sign in, one for an account. A deleted person has no row. */
export interface PeopleTable {
  readonly id: string;
  readonly account_id: string;
  /** As its owner writes it; proven to be theirs. */
  email: string;
  /** In lower case: what tells two addresses apart. */
  email_key: string;
  /** Argon2id, PHC string. */
  password_hash: string;
  readonly created_at_ms: number;
  signed_in_at_ms: number;
}

/** Sign-ups whose address is not proven yet. Only that makes an account and a person of one. */
export interface SignUpsTable {
  /** SHA-256 of the token in the link, lower-case hex. */
  readonly token_hash: string;
  readonly name: string;
  readonly email: string;
  readonly email_key: string;
  readonly password_hash: string;
  readonly expires_at_ms: number;
}

/** What a link in an e-mail may do: choose a new password, or prove a new address. */
export type EmailTokenPurpose = 'reset' | 'email';

/** Links sent to people; a link used has no row. */
export interface EmailTokensTable {
  /** SHA-256 of the token in the link, lower-case hex. */
  readonly token_hash: string;
  readonly person_id: string;
  readonly purpose: EmailTokenPurpose;
  /** The address to prove, for the purpose `email`. */
  readonly new_email: string | null;
  readonly expires_at_ms: number;
}

/** Signed-in browsers. */
export interface SessionsTable {
  /** What its owner calls it by when ending it; no secret. */
  readonly id: string;
  /** SHA-256 of the cookie's token, lower-case hex. */
  readonly token_hash: string;
  readonly person_id: string;
  readonly created_at_ms: number;
  /** When it was last used, to within some minutes. */
  seen_at_ms: number;
  readonly user_agent: string;
}

/** Attempts counted in windows, such as passwords tried for an address. */
export interface AttemptsTable {
  /** SHA-256 of what is counted, so that no address of an unknown person is stored. */
  readonly bucket: string;
  attempts: number;
  ends_at_ms: number;
}
