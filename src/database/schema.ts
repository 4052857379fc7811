import type { Generated, Kysely } from 'kysely';
import type {
  AttemptsTable,
  EmailTokensTable,
  PeopleTable,
  SessionsTable,
  SignUpsTable,
} from './people-tables.js';

/** `live` or `test`, as in `MODES` of the gate; repeated here so that this folder is a leaf. */
type ModeColumn = 'live' | 'test';

/** What a ledger entry books. */
export type EntryKind = 'usage' | 'grant' | 'purchase' | 'correction';

/** Owner of keys, credits and free calls. */
export interface AccountsTable {
  readonly id: string;
  name: string;
  /** 0 to 1023; fixes the tag of the account's keys and so its shard. */
  readonly partition: number;
  readonly created_at_ms: number;
  /** When its owner deleted it; its ledger stays. */
  closed_at_ms: number | null;
}

/** API keys; the key itself is not stored, only its hash. */
export interface ApiKeysTable {
  readonly id: string;
  readonly account_id: string;
  readonly mode: ModeColumn;
  name: string;
  /** SHA-256 of the whole key, lower-case hex. */
  readonly hash: string;
  /** First characters of the key, so that its owner recognises it. */
  readonly display_start: string;
  readonly created_at_ms: number;
  revoked_at_ms: number | null;
  /** When the key is to be revoked, its successor being in use by then. */
  ends_at_ms: number | null;
}

/** Paid credits; always the sum of the ledger's `credits`. */
export interface BalancesTable {
  readonly account_id: string;
  readonly mode: ModeColumn;
  paid_credits: number;
  /** Sum of the ledger's credits that are not usage; only corrections reduce it. */
  credited: Generated<number>;
  /** Count of those entries. */
  credit_version: Generated<number>;
  /** PostgreSQL only: the ledger's sum, kept by a trigger; at commit `paid_credits` must equal it. */
  readonly ledger_sum: Generated<number>;
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

/** Packs bought or about to be; made before the buyer is sent to pay. */
export interface PurchasesTable {
  readonly id: string;
  readonly account_id: string;
  readonly mode: ModeColumn;
  readonly credits: number;
  readonly provider: 'stripe' | 'test';
  /** The provider's id of the checkout. */
  readonly session_id: string;
  /** The provider's id of the payment; known once paid. */
  payment_id: string | null;
  /** Price agreed, in the currency's smallest unit. */
  readonly amount_minor: number;
  /** ISO 4217, lower case. */
  readonly currency: string;
  state: 'open' | 'processing' | 'paid' | 'failed' | 'expired' | 'refused';
  /** Why it was refused. */
  note: string | null;
  readonly created_at_ms: number;
  /** When it came to be paid, failed, expired or refused. */
  settled_at_ms: number | null;
}

/** Money given back. One that is told of before its payment waits for it, without a purchase. */
export interface RefundsTable {
  readonly provider: 'stripe' | 'test';
  /** The provider's id of the refund. */
  readonly id: string;
  readonly payment_id: string;
  /** Set once its credits are settled. */
  purchase_id: string | null;
  readonly amount_minor: number;
  readonly currency: string;
  /** 1 when the money did not go back after all. */
  failed: number;
  /** Credits that belong to the money given back. */
  credits_due: number;
  /** Those of them that were still there to be taken. */
  credits_taken: number;
  readonly created_at_ms: number;
}

/** Charged usage per day, key and operation, booked with the ledger entries it sums up. */
export interface UsageDaysTable {
  readonly account_id: string;
  readonly mode: ModeColumn;
  /** `YYYY-MM-DD` in UTC of the entries' `at_ms`. */
  readonly day: string;
  readonly key_id: string;
  readonly operation: string;
  /** Charged requests: ledger entries. */
  calls: number;
  /** Credits they cost; not negative. */
  credits: number;
  free_calls: number;
  /** The latest entry's `at_ms`. */
  last_at_ms: number;
}

/** What Redis has still to be told; filled by triggers. PostgreSQL only. */
export interface RedisOutboxTable {
  readonly id: Generated<number>;
  /** `key`: a key was revoked or deleted; `credits`: `credit_version` has changed. */
  readonly kind: 'key' | 'credits';
  readonly account_id: string;
  readonly mode: ModeColumn;
  /** Of kind `key` only. */
  readonly key_hash: string | null;
  readonly partition: number;
  readonly created_at_ms: Generated<number>;
  applied_at_ms: number | null;
}

/** Differences between Redis and the ledger that were found and repaired. PostgreSQL only. */
export interface DriftsTable {
  readonly id: Generated<number>;
  readonly at_ms: number;
  readonly account_id: string;
  readonly mode: ModeColumn;
  /** The counter that differed: `credited`, `credit_version`, `spent`, `free_calls` or `revoked`. */
  readonly counter: string;
  /** In Redis. */
  readonly found: number;
  /** By the ledger and the events on their way, and what Redis was set to. */
  readonly expected: number;
}

/** Usage events that could not be booked. PostgreSQL only. */
export interface DeadLettersTable {
  readonly id: Generated<number>;
  readonly at_ms: number;
  readonly partition: number;
  /** The event's id in its stream; with the partition unique. */
  readonly event_id: string;
  readonly event_json: string;
  readonly error: string;
}

/** All tables. */
export interface Schema {
  readonly purchases: PurchasesTable;
  readonly refunds: RefundsTable;
  readonly accounts: AccountsTable;
  readonly api_keys: ApiKeysTable;
  readonly balances: BalancesTable;
  readonly ledger_entries: LedgerEntriesTable;
  readonly idempotent_answers: IdempotentAnswersTable;
  readonly rate_hits: RateHitsTable;
  readonly usage_days: UsageDaysTable;
  readonly redis_outbox: RedisOutboxTable;
  readonly drifts: DriftsTable;
  readonly dead_letters: DeadLettersTable;
  readonly people: PeopleTable;
  readonly sessions: SessionsTable;
  readonly sign_ups: SignUpsTable;
  readonly email_tokens: EmailTokensTable;
  readonly attempts: AttemptsTable;
}

/** An open database; `destroy()` closes it. */
export type Database = Kysely<Schema>;
