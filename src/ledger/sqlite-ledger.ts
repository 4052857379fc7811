import {
  type AccountFunds,
  ANSWER_EXTRA_BYTES,
  FREE_CALLS_PER_WINDOW,
  FREE_WINDOW_MS,
  type FreeUse,
  IDEMPOTENCY_TTL_MS,
  type Mode,
} from '../core/billing-terms.js';
import { HOUR_MS } from '../core/time.js';
import type { SqliteConnection, SqliteStatement, SqlValue } from '../database/sqlite.js';
import { type AnswerScope, type Charge, REQUEST_CAUSE, type StoredAnswer } from './charge.js';

const BALANCE = `SELECT paid_credits, debt_credits FROM balances
  WHERE account_id = ? AND mode = ?`;
// The newest uses are read by number and not by time, so that a clock that jumps forward and back
// hides none. Each use has at least one call, so this many newer uses fill the window. The uses of
// deleted accounts count too if this account succeeded them.
const FREE_USES = `SELECT at_ms, free_calls FROM (
    SELECT * FROM (SELECT at_ms, free_calls FROM free_uses
      WHERE account_id = ?1 AND mode = ?2
      ORDER BY at_ms DESC LIMIT ${FREE_CALLS_PER_WINDOW})
    UNION ALL SELECT at_ms, free_calls FROM closed_accounts
      JOIN free_uses ON free_uses.account_id = closed_accounts.account_id
      WHERE successor_id = ?1 AND mode = ?2)
  ORDER BY at_ms DESC LIMIT ${FREE_CALLS_PER_WINDOW}`;
const OWNERS = `(SELECT ?1 UNION ALL SELECT account_id FROM closed_accounts WHERE successor_id = ?1)`;
// The first statement is for uses that got a new date before. A clock that ran ahead again has
// dated them ahead.
const DATE_USES = [
  `UPDATE free_use_dates SET at_ms = ?3 WHERE account_id IN ${OWNERS} AND mode = ?2 AND at_ms > ?3`,
  `INSERT INTO free_use_dates (entry_id, account_id, mode, at_ms)
    SELECT id, account_id, mode, ?3 FROM free_uses
    WHERE account_id IN ${OWNERS} AND mode = ?2 AND at_ms > ?3`,
];
// Subtracts from the stored balance, so that its constraint guards against a wrong cached balance.
const SPEND = `UPDATE balances SET paid_credits = paid_credits - ?
  WHERE account_id = ? AND mode = ?`;
const INSERT_ENTRY = `INSERT INTO ledger_entries (account_id, mode, kind, credits, free_calls,
    cause, operation, key_id, rate_hits, at_ms, balance_after)
  VALUES (?, ?, 'usage', ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (cause) DO NOTHING`;
/** Maximum number of entries that `follow` books at once, because others wait for the write lock. */
const FOLLOW_ENTRIES_MAX = 5000;
/** Entries that the index by account and the usage per day do not have yet (migration 0006). */
const NEW_ENTRIES = `ledger_entries WHERE id > (SELECT entry_id FROM ledger_follow)
  AND id <= (SELECT entry_id FROM ledger_follow) + ${FOLLOW_ENTRIES_MAX}`;
const INDEX_ENTRIES = `INSERT INTO ledger_by_account
  SELECT account_id, mode, id FROM ${NEW_ENTRIES} ORDER BY account_id, mode, id`;
const BOOK_USAGE = `INSERT INTO usage_days_booked (account_id, mode, day, key_id, operation, calls,
    credits, free_calls, last_at_ms)
  SELECT account_id, mode, strftime('%Y-%m-%d', at_ms / 1000, 'unixepoch'), key_id, operation,
    COUNT(*), 0 - SUM(credits), SUM(free_calls), MAX(at_ms)
  FROM ${NEW_ENTRIES} AND kind = 'usage' GROUP BY 1, 2, 3, 4, 5
  ON CONFLICT (account_id, mode, day, key_id, operation) DO UPDATE SET
    calls = calls + excluded.calls, credits = credits + excluded.credits,
    free_calls = free_calls + excluded.free_calls,
    last_at_ms = max(last_at_ms, excluded.last_at_ms)`;
const MARK_FOLLOWED = `UPDATE ledger_follow
  SET entry_id = MIN(entry_id + ${FOLLOW_ENTRIES_MAX},
    (SELECT COALESCE(MAX(id), 0) FROM ledger_entries))`;
const IS_BEHIND = `SELECT (SELECT COALESCE(MAX(id), 0) FROM ledger_entries) > entry_id
  FROM ledger_follow`;
/** First id and latest time of the entries before an id, of which there are at most 1,000. */
const ENTRIES_BEFORE = `SELECT MIN(id), MAX(at_ms) FROM
  (SELECT id, at_ms FROM ledger_entries WHERE id < ? ORDER BY id DESC LIMIT 1000)`;
const FIND_ANSWER = `SELECT fingerprint, answer_json, remaining_free_calls FROM idempotent_answers
  WHERE account_id = ? AND mode = ? AND operation = ? AND key = ? AND at_ms > ?`;
const STORE_ANSWER = `INSERT INTO idempotent_answers (account_id, mode, operation, key, fingerprint,
    answer_json, remaining_free_calls, at_ms)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (account_id, mode, operation, key) DO UPDATE SET fingerprint = excluded.fingerprint,
    answer_json = excluded.answer_json, remaining_free_calls = excluded.remaining_free_calls,
    at_ms = excluded.at_ms`;
const ANSWER_BYTES = `SELECT at_ms / ${HOUR_MS},
    SUM(length(answer_json) + length(key) + ${ANSWER_EXTRA_BYTES})
  FROM idempotent_answers WHERE account_id = ? AND mode = ? GROUP BY 1 ORDER BY 1`;
const DATE_ANSWERS = `UPDATE idempotent_answers SET at_ms = ?1 WHERE (account_id, mode, operation, key) IN
  (SELECT account_id, mode, operation, key FROM idempotent_answers WHERE at_ms > ?1 LIMIT ?2)`;
const PRUNE_ANSWERS = `DELETE FROM idempotent_answers WHERE (account_id, mode, operation, key) IN
  (SELECT account_id, mode, operation, key FROM idempotent_answers WHERE at_ms <= ? LIMIT ?)`;

const KEY_COLUMNS = 'SELECT id, account_id, mode, revoked_at_ms FROM api_keys';
const COUNT_HITS = `INSERT INTO rate_hits (at_ms, key_id, hits) VALUES (?, ?, ?)
  ON CONFLICT (at_ms, key_id) DO UPDATE SET hits = rate_hits.hits + excluded.hits`;
const PRUNE_HITS = `DELETE FROM rate_hits WHERE (at_ms, key_id) IN
  (SELECT at_ms, key_id FROM rate_hits WHERE at_ms < ? LIMIT ?)`;
const RECENT_HITS = `SELECT key_id, SUM(hits), at_ms FROM (
    SELECT key_id, rate_hits AS hits, at_ms FROM ledger_entries
      WHERE id >= ? AND rate_hits > 0 AND at_ms > ?
    UNION ALL SELECT key_id, hits, at_ms FROM rate_hits WHERE at_ms > ?)
  WHERE key_id IS NOT NULL GROUP BY at_ms, key_id ORDER BY at_ms`;

/** Data about an API key for the gate. */
export interface KeyInfo {
  readonly id: string;
  readonly accountId: string;
  readonly mode: Mode;
  readonly revoked: boolean;
}

/**
 * The ledger on one connection to the embedded database, for the gate that charges there. Its
 * statements are plain SQL and are prepared once. They run tens of thousands of times a second;
 * building them with Kysely would cost more than running them. The caller begins and commits the
 * transactions.
 */
export class SqliteLedger {
  readonly #balance: SqliteStatement;
  readonly #freeUses: SqliteStatement;
  readonly #dateUses: readonly SqliteStatement[];
  readonly #spend: SqliteStatement;
  readonly #insertEntry: SqliteStatement;
  readonly #follow: readonly SqliteStatement[];
  readonly #isBehind: SqliteStatement;
  readonly #entriesBefore: SqliteStatement;
  readonly #findAnswer: SqliteStatement;
  readonly #storeAnswer: SqliteStatement;
  readonly #answerBytes: SqliteStatement;
  readonly #dateAnswers: SqliteStatement;
  readonly #pruneAnswers: SqliteStatement;
  readonly #begin: SqliteStatement;
  readonly #commit: SqliteStatement;
  readonly #keyByHash: SqliteStatement;
  readonly #keyById: SqliteStatement;
  readonly #countHits: SqliteStatement;
  readonly #pruneHits: SqliteStatement;
  readonly #recentHits: SqliteStatement;

  /** @param connection one whose schema is up to date */
  constructor(connection: SqliteConnection) {
    this.#balance = connection.prepareRaw(BALANCE);
    this.#freeUses = connection.prepareRaw(FREE_USES);
    this.#dateUses = DATE_USES.map((sql) => connection.prepareRaw(sql));
    this.#spend = connection.prepareRaw(SPEND);
    this.#insertEntry = connection.prepareRaw(INSERT_ENTRY);
    this.#follow = [INDEX_ENTRIES, BOOK_USAGE, MARK_FOLLOWED].map((sql) =>
      connection.prepareRaw(sql),
    );
    this.#isBehind = connection.prepareRaw(IS_BEHIND);
    this.#entriesBefore = connection.prepareRaw(ENTRIES_BEFORE);
    this.#findAnswer = connection.prepareRaw(FIND_ANSWER);
    this.#storeAnswer = connection.prepareRaw(STORE_ANSWER);
    this.#answerBytes = connection.prepareRaw(ANSWER_BYTES);
    this.#dateAnswers = connection.prepareRaw(DATE_ANSWERS);
    this.#pruneAnswers = connection.prepareRaw(PRUNE_ANSWERS);
    this.#begin = connection.prepareRaw('BEGIN IMMEDIATE');
    this.#commit = connection.prepareRaw('COMMIT');
    this.#keyByHash = connection.prepareRaw(`${KEY_COLUMNS} WHERE hash = ?`);
    this.#keyById = connection.prepareRaw(`${KEY_COLUMNS} WHERE id = ?`);
    this.#countHits = connection.prepareRaw(COUNT_HITS);
    this.#pruneHits = connection.prepareRaw(PRUNE_HITS);
    this.#recentHits = connection.prepareRaw(RECENT_HITS);
  }

  /** Begins a transaction that writes. */
  begin(): void {
    this.#begin.run();
  }

  /** Commits it. */
  commit(): void {
    this.#commit.run();
  }

  /** The key with a hash, or null. */
  keyByHash(hash: string): KeyInfo | null {
    return keyInfo(this.#keyByHash.get([hash]));
  }

  /** The key with an id, or null. */
  keyById(id: string): KeyInfo | null {
    return keyInfo(this.#keyById.get([id]));
  }

  /**
   * Credits and the latest free uses, oldest first. Some uses may have left the window. Returns
   * nothing for an account that does not exist.
   */
  funds(accountId: string, mode: Mode): AccountFunds {
    const [paid, debt] = this.#balance.get([accountId, mode]) ?? [];
    const uses = this.#freeUses.all([accountId, mode]).reverse();
    return {
      paidCredits: Number(paid ?? 0),
      debtCredits: Number(debt ?? 0),
      freeUses: uses.map(([atMs, calls]) => ({ atMs: Number(atMs), calls: Number(calls) })),
    };
  }

  /**
   * Dates an account's free uses in the future to now, because the clock ran ahead when they were
   * made. Their entries stay as they are.
   */
  dateFreeUses(accountId: string, mode: Mode, nowMs: number): void {
    for (const statement of this.#dateUses) statement.run([accountId, mode, nowMs]);
  }

  /**
   * Writes the entry of a charge. `spend` books its credits, summed up over the caller's
   * transaction. `follow` books the usage of its day.
   *
   * @param balanceAfter paid balance after the charge
   * @returns false when the ledger has an entry of this request; then nothing is written
   */
  insertCharge(charge: Charge, balanceAfter: number): boolean {
    const { accountId, mode, credits, freeCalls, operation, keyId, hits, atMs } = charge;
    const { changes } = this.#insertEntry.run([
      accountId,
      mode,
      // `0 -`, because a free call books 0 credits and not -0.
      0 - credits,
      freeCalls,
      REQUEST_CAUSE + charge.requestId,
      operation,
      keyId,
      hits,
      atMs,
      balanceAfter,
    ]);
    return changes > 0;
  }

  /**
   * Takes spent credits from a balance.
   *
   * @throws SQLite's constraint violation when the balance would fall below zero
   */
  spend(accountId: string, mode: Mode, credits: number): void {
    this.#spend.run([credits, accountId, mode]);
  }

  /**
   * Updates the index by account and the usage per day up to the latest entry, or closer to it.
   * Until then, the views `account_entries` and `usage_days` add the missing entries.
   *
   * @returns whether entries are still missing
   */
  follow(): boolean {
    for (const statement of this.#follow) statement.run();
    return this.#isBehind.get()?.[0] === 1;
  }

  /** `id of the key, hits, made at` of the rate-limit hits after a moment, oldest first. */
  recentHits(fromMs: number): SqlValue[] {
    return this.#recentHits.all([this.idBefore(fromMs), fromMs, fromMs]).flat();
  }

  /**
   * Returns an id before which no entry was booked at `atMs` or later. It reads backwards in
   * chunks, and ends at the first chunk that is older than `atMs`.
   */
  idBefore(atMs: number): number {
    let id = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const [first, latestAtMs] = this.#entriesBefore.get([id]) ?? [];
      if (typeof first !== 'number' || Number(latestAtMs) < atMs) return id;
      id = first;
    }
  }

  /** Notes hits of a key that leave no entry. */
  countHits(atMs: number, keyId: string, hits: number): void {
    this.#countHits.run([atMs, keyId, hits]);
  }

  /** Deletes hits before a moment; returns how many rows went: at most `rowsMax`. */
  pruneHits(beforeMs: number, rowsMax: number): number {
    return this.#pruneHits.run([beforeMs, rowsMax]).changes;
  }

  /** The answer kept for an idempotency key, if there is one that has not expired. */
  findAnswer(
    { accountId, mode, operation, key }: AnswerScope,
    nowMs: number,
  ): StoredAnswer | undefined {
    const keptFromMs = nowMs - IDEMPOTENCY_TTL_MS;
    const row = this.#findAnswer.get([accountId, mode, operation, key, keptFromMs]);
    if (row === undefined) return undefined;
    const [fingerprint, json, left] = row;
    const remainingFreeCalls = typeof left === 'number' ? left : null;
    return { fingerprint: String(fingerprint), json: String(json), remainingFreeCalls };
  }

  /** Keeps an answer for an idempotency key, instead of an older one. */
  storeAnswer(scope: AnswerScope, answer: StoredAnswer, atMs: number): void {
    const { accountId, mode, operation, key } = scope;
    const { fingerprint, json, remainingFreeCalls } = answer;
    const name = [accountId, mode, operation, key];
    this.#storeAnswer.run([...name, fingerprint, json, remainingFreeCalls, atMs]);
  }

  /**
   * Bytes of an account's stored answers by the hour, since the epoch, in which they were stored.
   * Reads all of them.
   */
  answerBytes(accountId: string, mode: Mode): readonly { hour: number; bytes: number }[] {
    const rows = this.#answerBytes.all([accountId, mode]);
    return rows.map(([hour, bytes]) => ({ hour: Number(hour), bytes: Number(bytes) }));
  }

  /**
   * Dates answers that were stored later than now to now, as `dateFreeUses` does with free uses.
   *
   * @returns how many had another date: at most `rowsMax`
   */
  dateAnswers(nowMs: number, rowsMax: number): number {
    return this.#dateAnswers.run([nowMs, rowsMax]).changes;
  }

  /**
   * Deletes expired answers.
   *
   * @returns how many were deleted: at most `rowsMax`
   */
  pruneAnswers(nowMs: number, rowsMax: number): number {
    return this.#pruneAnswers.run([nowMs - IDEMPOTENCY_TTL_MS, rowsMax]).changes;
  }
}

/** The payer of a request. */
export type Payment =
  | { readonly kind: 'paid' }
  | { readonly kind: 'free'; readonly remainingFreeCalls: number }
  | { readonly kind: 'free_tier_exhausted'; readonly resetsAtMs: number }
  | { readonly kind: 'insufficient_credits' }
  | { readonly kind: 'in_debt' };

/**
 * Decides who pays `cost` (specification 8, decisions 0001 and 0027); changes nothing. For an account
 * in debt nothing pays. A balance above zero pays alone; at zero the free tier pays. A free call
 * leaves its window exactly 24 h after it was booked. No use is later than now.
 */
export function decidePayment(funds: AccountFunds, cost: number, nowMs: number): Payment {
  if (funds.debtCredits > 0) return { kind: 'in_debt' };
  if (funds.paidCredits > 0) {
    return { kind: funds.paidCredits >= cost ? 'paid' : 'insufficient_credits' };
  }
  const uses = funds.freeUses.filter((use) => use.atMs + FREE_WINDOW_MS > nowMs);
  const used = uses.reduce((sum, use) => sum + use.calls, 0);
  const left = FREE_CALLS_PER_WINDOW - used;
  if (left >= cost) {
    return { kind: 'free', remainingFreeCalls: left - cost };
  }
  if (left > 0 || cost > FREE_CALLS_PER_WINDOW) return { kind: 'insufficient_credits' };
  return { kind: 'free_tier_exhausted', resetsAtMs: resetAtMs(uses, cost - left) };
}

/** When `calls` of the uses will have left the window. */
function resetAtMs(uses: readonly FreeUse[], calls: number): number {
  let freed = 0;
  let atMs = 0;
  for (const use of uses) {
    freed += use.calls;
    atMs = use.atMs + FREE_WINDOW_MS;
    if (freed >= calls) break;
  }
  return atMs;
}

/** A row of `id, account_id, mode, revoked_at_ms`; null for no row. */
function keyInfo(row: SqlValue[] | undefined): KeyInfo | null {
  if (row === undefined) return null;
  const [id, accountId, mode, revokedAtMs] = row;
  return {
    id: String(id),
    accountId: String(accountId),
    mode: mode === 'test' ? 'test' : 'live',
    revoked: revokedAtMs !== null,
  };
}

/**
 * Adds free calls that were just booked. Drops the oldest uses by number and not by time: a clock
 * that jumps forward and back must not free any call.
 */
export function bookFreeUse(
  account: { freeUses: readonly FreeUse[] },
  calls: number,
  atMs: number,
): void {
  account.freeUses = [...account.freeUses, { atMs, calls }].slice(-FREE_CALLS_PER_WINDOW);
}
