import type { Kysely } from 'kysely';

/** `live` or `test`, as in `MODES` of the gate; repeated here so that this folder is a leaf. */
type ModeColumn = 'live' | 'test';

/** What a ledger entry books. */
export type EntryKind = 'usage' | 'grant' | 'purchase' | 'correction';

/** Owner of keys, credits and free calls. */
export interface AccountsTable {
  readonly id: string;
  readonly name: string;
  /** 0 to 1023; fixes the tag of the account's keys and so its shard. */
  readonly partition: number;
  readonly created_at_ms: number;
}

/** API keys; the key itself is not stored, only its hash. */
export interface ApiKeysTable {
  readonly id: string;
  readonly account_id: string;
  readonly mode: ModeColumn;
  readonly name: string;
  /** SHA-256 of the whole key, lower-case hex. */
  readonly hash: string;
  /** First characters of the key, so that its owner recognises it. */
  readonly display_start: string;
  readonly created_at_ms: number;
  revoked_at_ms: number | null;
}

/** Paid credits; always the sum of the ledger's `credits`. */
export interface BalancesTable {
  readonly account_id: string;
  readonly mode: ModeColumn;
  paid_credits: number;
}

/** Append-only: the database itself refuses to change or delete a row. */
export interface LedgerEntriesTable {
  /** Sorts by time (`newEntryId`). */
  readonly id: string;
  readonly account_id: string;
  readonly mode: ModeColumn;
  readonly kind: EntryKind;
  /** Signed change of the paid balance. */
  readonly credits: number;
  /** Free calls used. */
  readonly free_calls: number;
  /** What made the entry, once only: `request:<id>`, `grant:<id>`, … */
  readonly cause: string;
  readonly operation: string | null;
  readonly key_id: string | null;
  /** Hits the charged request counted against its key's rate limit. */
  readonly rate_hits: number;
  readonly at_ms: number;
  /** Paid balance once the entry was booked. */
  readonly balance_after: number;
}

/** Stored 200 answers of requests with an idempotency key. */
export interface IdempotentAnswersTable {
  readonly account_id: string;
  readonly mode: ModeColumn;
  readonly operation: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly answer_json: string;
  readonly remaining_free_calls: number | null;
  readonly at_ms: number;
}

/** Rate-limit hits that left no ledger entry; kept a little longer than the window. */
export interface RateHitsTable {
  readonly at_ms: number;
  readonly key_id: string;
  hits: number;
}

/** All tables. */
export interface Schema {
  readonly accounts: AccountsTable;
  readonly api_keys: ApiKeysTable;
  readonly balances: BalancesTable;
  readonly ledger_entries: LedgerEntriesTable;
  readonly idempotent_answers: IdempotentAnswersTable;
  readonly rate_hits: RateHitsTable;
}

/** An open database; `destroy()` closes it. */
export type Database = Kysely<Schema>;
