/** People who sign in, one per account. A deleted person has no row. */
export interface PeopleTable {
  readonly id: string;
  readonly account_id: string;
  /** The address as its owner writes it. It is verified if the account is confirmed. */
  email: string;
  /**
   * The verified address in lower case; unique. Before the confirmation, it is the id of the
   * person, which is not an address. So nobody can take an address by signing up with it.
   */
  email_key: string;
  /** Argon2id hash in PHC string format. */
  password_hash: string;
  readonly created_at_ms: number;
  signed_in_at_ms: number;
}

/** Links to confirm the address of a sign-up. A confirmed sign-up has no row. */
export interface SignUpsTable {
  /** SHA-256 of the token in the link, lower-case hex. */
  readonly token_hash: string;
  readonly person_id: string;
  /** The address to confirm, in lower case. Any number of sign-ups may have the same address. */
  readonly email_key: string;
  readonly expires_at_ms: number;
}

/** Forms that have created something; each creates one thing only. */
export interface UsedFormsTable {
  /** SHA-256 of the token in the form, lower-case hex. */
  readonly token_hash: string;
  /** Id of what the form created: a key, a purchase or a person. */
  made_id: string;
  /** When the form expires. From then on it is refused without this row. */
  readonly expires_at_ms: number;
}

/** Purpose of a link in an e-mail: to choose a new password, or to verify a new address. */
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
  /** Identifies the session when its owner ends it; not secret. */
  readonly id: string;
  /** SHA-256 of the cookie's token, lower-case hex. */
  readonly token_hash: string;
  readonly person_id: string;
  readonly created_at_ms: number;
  /** When it was last used, accurate to some minutes. */
  seen_at_ms: number;
  readonly user_agent: string;
}

/** Networks from which people have signed in during the last 30 days. */
export interface KnownNetworksTable {
  readonly person_id: string;
  /** HMAC-SHA-256 of person and network with a secret of the deployment, lower-case hex. */
  readonly network_hash: string;
  /** When somebody last signed in as this person from there. */
  seen_at_ms: number;
}

/** Counts of attempts in time windows, such as passwords tried for an address. */
export interface AttemptsTable {
  /** SHA-256 of what is counted, so that addresses without an account are not stored. */
  readonly bucket: string;
  attempts: number;
  ends_at_ms: number;
}

/** Populations that people have named, for the screens. */
export interface SavedPopulationsTable {
  readonly person_id: string;
  /** Unique among those of a person. */
  readonly name: string;
  /** As addresses of screens have it, such as `Female~DE~18-65`. */
  population: string;
  saved_at_ms: number;
}
