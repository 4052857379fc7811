import type { ColumnType, Generated, Kysely } from 'kysely';
import type { Mode } from '../core/billing-terms.js';
import type {
  AttemptsTable,
  EmailTokensTable,
  KnownNetworksTable,
  PeopleTable,
  SavedPopulationsTable,
  SessionsTable,
  SignUpsTable,
  UsedFormsTable,
} from './people-tables.js';

/** Kind of a ledger entry. */
export type EntryKind = 'usage' | 'grant' | 'purchase' | 'correction';

/** Owner of keys, credits and free calls. */
export interface AccountsTable {
  readonly id: string;
  name: string;
  /** 0 to 1023. It determines the hash tag of the account's keys in Redis, and so their shard. */
  readonly partition: number;
  readonly created_at_ms: number;
  /** When its owner deleted it; its ledger is kept. */
  closed_at_ms: number | null;
  /**
   * When the owner's address was confirmed, or when the operator created the account. Before that
   * it is null: the account gets no live key, and so no live free calls. An unconfirmed account is
   * closed after some days.
   */
  confirmed_at_ms: number | null;
}

/** API keys; the key itself is not stored, only its hash. */
export interface ApiKeysTable {
  readonly id: string;
  readonly account_id: string;
  readonly mode: Mode;
  name: string;
  /** SHA-256 of the whole key, lower-case hex. */
  readonly hash: string;
  /** The first characters of the key, by which its owner recognises it. */
  readonly display_start: string;
  readonly created_at_ms: number;
  revoked_at_ms: number | null;
  /** When a rotated key will be revoked; its successor should be in use by then. */
  ends_at_ms: number | null;
}

/** Paid credits of an account in a mode; always the sum of its ledger entries' `credits`. */
export interface BalancesTable {
  readonly account_id: string;
  readonly mode: Mode;
  paid_credits: number;
  /** Sum of the credits of all entries except usage. Only a correction can lower it. */
  credited: Generated<number>;
  /** Number of those entries. */
  credit_version: Generated<number>;
  /**
   * Debt of the account: the sum of its entries in `debts`. Triggers keep it. Only live balances
   * have debts.
   */
  readonly debt_credits: Generated<number>;
  /** Number of those entries. */
  readonly debt_version: Generated<number>;
  /** PostgreSQL only: the sum of the entries, which a trigger keeps. It equals `paid_credits` at commit. */
  readonly ledger_sum: Generated<number>;
}

/** Append-only: the database refuses to change or delete a row. */
export interface LedgerEntriesTable {
  /**
   * PostgreSQL: a text that sorts by time (`newEntryId`). SQLite: an integer in the order of booking,
   * set by the database.
   */
  readonly id: ColumnType<string | number, string | undefined, never>;
  readonly account_id: string;
  readonly mode: Mode;
  readonly kind: EntryKind;
  /** Signed change of the paid balance. */
  readonly credits: number;
  /** Free calls used. */
  readonly free_calls: number;
  /** The cause of the entry: `request:<id>`, `grant:<id>`, …; unique. */
  readonly cause: string;
  readonly operation: string | null;
  readonly key_id: string | null;
  /** Hits the charged request counted against its key's rate limit. */
  readonly rate_hits: number;
  readonly at_ms: number;
  /** Paid balance after the entry. */
  readonly balance_after: number;
}

/** How an entry changes what an account owes; only `reversed` and `moved` can add to it. */
export type DebtKind =
  /** A payment was reversed after its credits had been spent. */
  | 'reversed'
  /** Credits received paid the debt. */
  | 'paid'
  /** The operator forgave it. */
  | 'forgiven'
  /** The reversal failed, so nothing is owed. */
  | 'cancelled'
  /** The owner of a deleted account signed up again. */
  | 'moved';

/** Append-only: every change of what an account owes for reversed payments. */
export interface DebtsTable {
  /** Sorts by time (`newEntryId`). */
  readonly id: string;
  readonly account_id: string;
  readonly kind: DebtKind;
  /** Signed change of the debt. */
  readonly credits: number;
  /** The reversal that caused the debt, such as `refund:<id>`. */
  readonly reversal: string;
  /** The cause of the entry; unique together with account, kind and reversal. */
  readonly cause: string;
  readonly at_ms: number;
}

/** Deleted accounts whose owner is recognised when signing up again with the same address. */
export interface ClosedAccountsTable {
  readonly account_id: string;
  /** SHA-256 of the address; the address itself is erased. */
  readonly address_hash: string;
  /** The account that its owner has created since. */
  successor_id: string | null;
  readonly expires_at_ms: number;
}

/** New dates of free uses that a clock which ran ahead has dated (decision 0023). */
export interface FreeUseDatesTable {
  /** Id of the use's ledger entry. */
  readonly entry_id: string;
  /** The account that the use counts for. */
  readonly account_id: string;
  readonly mode: Mode;
  at_ms: number;
}

/** Stored 200 answers of requests with an idempotency key. */
export interface IdempotentAnswersTable {
  readonly account_id: string;
  readonly mode: Mode;
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

/** Credit packs that were bought or are being bought. The row exists before the buyer is sent to pay. */
export interface PurchasesTable {
  readonly id: string;
  readonly account_id: string;
  readonly mode: Mode;
  readonly credits: number;
  readonly provider: 'stripe' | 'test';
  /** The provider's id of the checkout. */
  readonly session_id: string;
  /** The provider's id of the payment; known after the payment. */
  payment_id: string | null;
  /** The agreed price, in the currency's smallest unit. */
  readonly amount_minor: number;
  /** ISO 4217, lower case. */
  readonly currency: string;
  state: 'open' | 'processing' | 'paid' | 'failed' | 'expired' | 'refused';
  /** Why it was refused. */
  note: string | null;
  readonly created_at_ms: number;
  /** When its state became paid, failed, expired or refused. */
  settled_at_ms: number | null;
}

/** Refunds. A refund that is reported before its payment has no purchase until the payment is reported. */
export interface RefundsTable {
  readonly provider: 'stripe' | 'test';
  /** The provider's id of the refund. */
  readonly id: string;
  readonly payment_id: string;
  /** Set when its credits are settled. */
  purchase_id: string | null;
  readonly amount_minor: number;
  readonly currency: string;
  /** 1 when the refund failed in the end. */
  failed: number;
  /** Credits that correspond to the refunded money. */
  credits_due: number;
  /** Due credits that were unspent and were taken back. The account owes the others. */
  credits_taken: number;
  readonly created_at_ms: number;
}

/**
 * Charged usage per day, key and operation. PostgreSQL: a table that is booked together with the
 * ledger entries. SQLite: a view of booked usage and of entries that are not booked yet. Several of
 * its rows may have the same day, key and operation; sum them.
 */
export interface UsageDaysTable {
  readonly account_id: string;
  readonly mode: Mode;
  /** `YYYY-MM-DD` in UTC of the entries' `at_ms`. */
  readonly day: string;
  readonly key_id: string;
  readonly operation: string;
  /** Charged requests, which is the number of ledger entries. */
  calls: number;
  /** Credits they cost; not negative. */
  credits: number;
  free_calls: number;
  /** The latest entry's `at_ms`. */
  last_at_ms: number;
}

/** Changes still to be sent to Redis; filled by triggers. PostgreSQL only. */
export interface RedisOutboxTable {
  readonly id: Generated<number>;
  /**
   * `key`: a key was revoked or deleted; `credits`: `credit_version` or `debt_version` has changed.
   */
  readonly kind: 'key' | 'credits';
  readonly account_id: string;
  readonly mode: Mode;
  /** For kind `key` only. */
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
  readonly mode: Mode;
  /**
   * The counter that differed: `credited`, `credit_version`, `debt`, `debt_version`, `spent`,
   * `free_calls` or `revoked`.
   */
  readonly counter: string;
  /** The value in Redis. */
  readonly found: number;
  /** The value according to the ledger and the events on their way. Redis was set to this value. */
  readonly expected: number;
}

/** Usage events that could not be booked. PostgreSQL only. */
export interface DeadLettersTable {
  readonly id: Generated<number>;
  readonly at_ms: number;
  readonly partition: number;
  /** The event's id in its stream; unique together with the partition. */
  readonly event_id: string;
  readonly event_json: string;
  readonly error: string;
}

/** Secrets that all processes of a deployment share. */
export interface DeploymentSecretsTable {
  readonly name: string;
  readonly value: string;
}

/** All tables. */
export interface Schema {
  readonly purchases: PurchasesTable;
  readonly refunds: RefundsTable;
  readonly debts: DebtsTable;
  readonly closed_accounts: ClosedAccountsTable;
  readonly free_use_dates: FreeUseDatesTable;
  readonly accounts: AccountsTable;
  readonly api_keys: ApiKeysTable;
  readonly balances: BalancesTable;
  readonly ledger_entries: LedgerEntriesTable;
  /** SQLite only: a view of the ledger that finds the entries of one account by an index. */
  readonly account_entries: LedgerEntriesTable;
  readonly idempotent_answers: IdempotentAnswersTable;
  readonly rate_hits: RateHitsTable;
  readonly usage_days: UsageDaysTable;
  /** SQLite only: the part of `usage_days` that is booked. */
  readonly usage_days_booked: UsageDaysTable;
  readonly redis_outbox: RedisOutboxTable;
  readonly drifts: DriftsTable;
  readonly dead_letters: DeadLettersTable;
  readonly people: PeopleTable;
  readonly sessions: SessionsTable;
  readonly sign_ups: SignUpsTable;
  readonly email_tokens: EmailTokensTable;
  readonly attempts: AttemptsTable;
  readonly used_forms: UsedFormsTable;
  readonly deployment_secrets: DeploymentSecretsTable;
  readonly saved_populations: SavedPopulationsTable;
  readonly known_networks: KnownNetworksTable;
}

/** An open database; `destroy()` closes it. */
export type Database = Kysely<Schema>;
