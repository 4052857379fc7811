/** People who sign in, one per account. A deleted person has no row. */
export interface PeopleTable {
  readonly id: string;
  readonly account_id: string;
  /** As its owner writes it; verified. */
  email: string;
  /** The address in lower case; unique. */
  email_key: string;
  /** Argon2id hash in PHC string format. */
  password_hash: string;
  readonly created_at_ms: number;
  signed_in_at_ms: number;
}

/** Sign-ups whose address is not verified yet. Verification creates the account and the person. */
export interface SignUpsTable {
  /** SHA-256 of the token in the link, lower-case hex. */
  readonly token_hash: string;
  readonly name: string;
  readonly email: string;
  readonly email_key: string;
  readonly password_hash: string;
  readonly expires_at_ms: number;
}

/** What a link in an e-mail is for: to choose a new password, or to verify a new address. */
export type EmailTokenPurpose = 'reset' | 'email';

/** Links sent to people; a used link has no row. */
export interface EmailTokensTable {
  /** SHA-256 of the token in the link, lower-case hex. */
  readonly token_hash: string;
  readonly person_id: string;
  readonly purpose: EmailTokenPurpose;
  /** The address to verify, for the purpose `email`. */
  readonly new_email: string | null;
  readonly expires_at_ms: number;
}

/** Signed-in browsers. */
export interface SessionsTable {
  /** Names the session when its owner ends it; not secret. */
  readonly id: string;
  /** SHA-256 of the cookie's token, lower-case hex. */
  readonly token_hash: string;
  readonly person_id: string;
  readonly created_at_ms: number;
  /** When it was last used, accurate to some minutes. */
  seen_at_ms: number;
  readonly user_agent: string;
}

/** Counts of attempts in time windows, such as passwords tried for an address. */
export interface AttemptsTable {
  /** SHA-256 of what is counted, so that addresses without an account are not stored. */
  readonly bucket: string;
  attempts: number;
  ends_at_ms: number;
}
