import {
  ANSWER_EXTRA_BYTES,
  FREE_CALLS_PER_WINDOW,
  type FreeUse,
  IDEMPOTENCY_TTL_MS,
  type Mode,
  RATE_WINDOW_MS,
} from '../../core/billing-terms.js';
import { HOUR_MS } from '../../core/time.js';
import type { SqliteConnection, SqlValue } from '../../database/sqlite.js';
import { decidePayment, ownerOf, type Payment } from '../../ledger/charge.js';
import { SqliteLedger } from '../../ledger/sqlite-ledger.js';
import { type Field, FieldReader, OUTCOME } from '../gate.js';
import { decodeStep, type KeyInfo, type WorkMessage, type WriterStep } from './writer-client.js';

/** Keys kept between batches, with their accounts; a larger cache is emptied. */
const CACHE_MAX = 100_000;
const PRUNE_INTERVAL_MS = 1000;
/** The usage per day and the index by account follow the ledger at least this often. */
const FOLLOW_INTERVAL_MS = 250;
/** After this many entries they follow earlier, because a batch waits meanwhile: 1 to 5 ms. */
const FOLLOW_ENTRIES = 1000;
const PRUNE_ROWS_MIN = 500;

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

/** The gate's own statements, prepared once; those of the ledger are in `SqliteLedger`. */
function prepareStatements(connection: SqliteConnection) {
  return {
    begin: connection.prepareRaw('BEGIN IMMEDIATE'),
    commit: connection.prepareRaw('COMMIT'),
    dataVersion: connection.prepareRaw('PRAGMA data_version'),
    keyByHash: connection.prepareRaw(`${KEY_COLUMNS} WHERE hash = ?`),
    keyById: connection.prepareRaw(`${KEY_COLUMNS} WHERE id = ?`),
    countHits: connection.prepareRaw(COUNT_HITS),
    pruneHits: connection.prepareRaw(PRUNE_HITS),
    recentHits: connection.prepareRaw(RECENT_HITS),
  };
}

/** What the writer keeps of an account in one mode between batches. */
interface AccountState {
  readonly accountId: string;
  readonly mode: Mode;
  paidCredits: number;
  readonly debtCredits: number;
  /** The latest free uses, oldest first; enough of them to fill the window. */
  freeUses: readonly FreeUse[];
  /** Credits spent in this transaction and not yet taken from the balance. */
  spent: number;
}

/** What the writer keeps of a key between batches. */
interface KeyState {
  readonly info: KeyInfo;
  readonly account: AccountState;
}

/** What a batch decided. */
interface BatchResult {
  readonly keys: readonly (KeyInfo | null)[];
  readonly outcomes: readonly Field[];
}

/** Hits of a key in one millisecond that leave no ledger entry. */
interface HitRow {
  readonly keyId: string;
  readonly atMs: number;
  hits: number;
}

/**
 * Decides and books steps on the one writing connection, a batch in one transaction. It keeps the
 * keys and funds it has read between batches. `PRAGMA data_version`, read inside the write
 * transaction, tells whether another connection has written since; if so, they are read again. So
 * every decision rests on what the database holds at that moment.
 */
export class LedgerWriter {
  readonly #connection: SqliteConnection;
  readonly #sql: ReturnType<typeof prepareStatements>;
  readonly #ledger: SqliteLedger;
  readonly #keys = new Map<string, KeyState | null>();
  readonly #accounts = new Map<string, AccountState>();
  readonly #dirty = new Set<AccountState>();
  readonly #answers: AnswerBytes;
  #hitRows: HitRow[] = [];
  #version: SqlValue | undefined;
  #changed = false;
  #prunedAtMs = Number.NEGATIVE_INFINITY;
  /** Entries that the index and the usage per day may lack; an earlier process may have left some. */
  #unfollowed = 1;
  #followedAtMs = Number.NEGATIVE_INFINITY;

  constructor(connection: SqliteConnection, answersBytesMax: number) {
    this.#connection = connection;
    this.#sql = prepareStatements(connection);
    this.#ledger = new SqliteLedger(connection);
    this.#answers = new AnswerBytes(this.#ledger, answersBytesMax);
    this.#version = this.#sql.dataVersion.get()?.[0];
  }

  /** `id, hits, made at` of the rate-limit hits of the last 60 s, oldest first. */
  recentHits(nowMs: number): Field[] {
    const fromMs = nowMs - RATE_WINDOW_MS;
    return this.#sql.recentHits.all([this.#ledger.idBefore(fromMs), fromMs, fromMs]).flat();
  }

  /** Whether another connection has written since this was last asked. */
  takeChanged(): boolean {
    this.#refresh();
    const changed = this.#changed;
    this.#changed = false;
    return changed;
  }

  /**
   * Does the work of messages: looks up their keys, and decides their steps in one transaction.
   *
   * @throws whatever SQLite reports; then nothing was booked
   */
  run(messages: readonly WorkMessage[]): BatchResult {
    const findKeys = () =>
      messages.flatMap(({ hashes }) =>
        hashes.map((hash) => keyInfo(this.#sql.keyByHash.get([hash]))),
      );
    if (messages.every(({ steps }) => steps.length === 0)) {
      this.#refresh();
      return { keys: findKeys(), outcomes: [] };
    }
    try {
      this.#sql.begin.run();
      this.#refresh();
      // Only between batches: within a batch, two keys of an account must find the same state.
      if (this.#keys.size >= CACHE_MAX) this.#forget();
      const keys = findKeys();
      const outcomes = this.#decideAll(messages);
      this.#sql.commit.run();
      return { keys, outcomes };
    } catch (error) {
      this.#abandon();
      throw error;
    }
  }

  /**
   * Lets the usage per day and the index by account follow the ledger while no batch is at work.
   *
   * @throws whatever SQLite reports; then they follow later
   */
  followWhenIdle(): void {
    if (this.#unfollowed === 0) return;
    try {
      this.#sql.begin.run();
      const behind = this.#ledger.follow();
      this.#sql.commit.run();
      this.#unfollowed = behind ? 1 : 0;
    } catch (error) {
      this.#abandon();
      throw error;
    }
  }

  /**
   * Commits a change of no consequence, to find out whether commits are possible.
   *
   * @throws whatever SQLite reports
   */
  probe(): void {
    try {
      this.#sql.begin.run();
      // SQLite leaves out a write of the same row; this one it always writes.
      this.#connection.exec('PRAGMA user_version = 0');
      this.#sql.commit.run();
    } catch (error) {
      this.#abandon();
      throw error;
    }
  }

  #decideAll(messages: readonly WorkMessage[]): Field[] {
    const outcomes: Field[] = [];
    let count = 0;
    let lastAtMs = Number.NEGATIVE_INFINITY;
    for (const { steps } of messages) {
      const reader = new FieldReader(steps);
      while (!reader.done) {
        const step = decodeStep(reader);
        this.#decide(step, outcomes);
        lastAtMs = Math.max(lastAtMs, step.atMs);
        count++;
      }
    }
    this.#flush();
    this.#follow();
    this.#prune(lastAtMs, Math.max(PRUNE_ROWS_MIN, 2 * count));
    return outcomes;
  }

  #decide(step: WriterStep, outcomes: Field[]): void {
    const key = this.#key(step.keyId);
    if (key === null || key.info.revoked) {
      outcomes.push(OUTCOME.unauthorized);
      return;
    }
    if (step.idempotency !== undefined && this.#replay(key.account, step, outcomes)) {
      this.#countHits(step);
      return;
    }
    const price = step.cost === 0 ? step.affords : step.cost;
    if (price === 0) {
      this.#countHits(step);
      outcomes.push(OUTCOME.counted);
      return;
    }
    this.#dateFreeUses(key.account, step.atMs);
    const payment = decidePayment(key.account, price, step.atMs);
    if (payment.kind === 'paid' || payment.kind === 'free') {
      const { idempotency, atMs } = step;
      const waitMs =
        idempotency === undefined ? 0 : this.#answers.waitMs(key.account, idempotency, atMs);
      if (waitMs === 0 && step.cost > 0) {
        this.#charge(key, step, payment, outcomes);
        return;
      }
      this.#countHits(step);
      if (waitMs === 0) outcomes.push(OUTCOME.counted);
      else outcomes.push(OUTCOME.answersFull, waitMs);
      return;
    }
    this.#countHits(step);
    if (payment.kind === 'insufficient_credits') outcomes.push(OUTCOME.insufficientCredits);
    else if (payment.kind === 'in_debt') outcomes.push(OUTCOME.inDebt, key.account.debtCredits);
    else outcomes.push(OUTCOME.freeTierExhausted, payment.resetsAtMs);
  }

  /** Dates free uses that are later than now, because the clock was set back, to now. */
  #dateFreeUses(account: AccountState, nowMs: number): void {
    const { accountId, mode, freeUses } = account;
    if ((freeUses.at(-1)?.atMs ?? 0) <= nowMs) return;
    this.#ledger.dateFreeUses(accountId, mode, nowMs);
    account.freeUses = freeUses.map(({ atMs, calls }) => ({ atMs: Math.min(atMs, nowMs), calls }));
  }

  /** Decides a step by the answer stored for its idempotency key; false when there is none. */
  #replay(account: AccountState, step: WriterStep, outcomes: Field[]): boolean {
    if (step.idempotency === undefined) return false;
    const { key, fingerprint } = step.idempotency;
    const { accountId, mode } = account;
    const scope = { accountId, mode, operation: step.operation, key };
    const stored = this.#ledger.findAnswer(scope, step.atMs);
    if (stored === undefined) return false;
    if (stored.fingerprint !== fingerprint) {
      outcomes.push(OUTCOME.idempotencyConflict);
    } else if (stored.remainingFreeCalls === null) {
      outcomes.push(OUTCOME.replayed, stored.json);
    } else {
      outcomes.push(OUTCOME.replayedFree, stored.json, stored.remainingFreeCalls);
    }
    return true;
  }

  #charge(
    { info, account }: KeyState,
    step: WriterStep,
    payment: Extract<Payment, { kind: 'paid' | 'free' }>,
    outcomes: Field[],
  ): void {
    const { requestId, operation, cost, hits } = step;
    const { accountId, mode } = account;
    const free = payment.kind === 'free';
    const charge = {
      requestId,
      accountId,
      mode,
      keyId: info.id,
      operation,
      credits: free ? 0 : cost,
      freeCalls: free ? cost : 0,
      hits,
      atMs: step.atMs,
    };
    if (!this.#ledger.insertCharge(charge, account.paidCredits - charge.credits)) {
      this.#countHits(step);
      outcomes.push(OUTCOME.duplicateRequest);
      return;
    }
    this.#unfollowed += 1;
    if (free) {
      bookFreeUse(account, cost, charge.atMs);
      outcomes.push(OUTCOME.chargedFree, payment.remainingFreeCalls);
    } else {
      account.paidCredits -= cost;
      account.spent += cost;
      this.#dirty.add(account);
      outcomes.push(OUTCOME.charged);
    }
    if (step.idempotency === undefined) return;
    const { key, fingerprint, answerJson: json } = step.idempotency;
    const remainingFreeCalls = free ? payment.remainingFreeCalls : null;
    const answer = { fingerprint, json, remainingFreeCalls };
    this.#ledger.storeAnswer({ accountId, mode, operation, key }, answer, step.atMs);
    this.#answers.add(account, step.idempotency, step.atMs);
  }

  /** Notes hits that leave no ledger entry; those of one key and millisecond share a row. */
  #countHits({ keyId, atMs, hits }: WriterStep): void {
    if (hits === 0) return;
    const last = this.#hitRows.at(-1);
    if (last?.keyId === keyId && last.atMs === atMs) last.hits += hits;
    else this.#hitRows.push({ keyId, atMs, hits });
  }

  #flush(): void {
    for (const account of this.#dirty) {
      this.#ledger.spend(account.accountId, account.mode, account.spent);
      account.spent = 0;
    }
    this.#dirty.clear();
    for (const row of this.#hitRows) this.#sql.countHits.run([row.atMs, row.keyId, row.hits]);
    this.#hitRows = [];
  }

  #follow(): void {
    const nowMs = performance.now();
    const due = nowMs >= this.#followedAtMs + FOLLOW_INTERVAL_MS;
    if (this.#unfollowed < FOLLOW_ENTRIES && !due) return;
    // A batch that fails after this books it again: the mark is part of the transaction.
    if (this.#unfollowed > 0) this.#unfollowed = this.#ledger.follow() ? 1 : 0;
    this.#followedAtMs = nowMs;
  }

  /**
   * Deletes old hits and answers in small pieces, at least as fast as a batch can add them. Dates
   * answers that are later than now to now.
   */
  #prune(nowMs: number, rows: number): void {
    if (nowMs < this.#prunedAtMs + PRUNE_INTERVAL_MS && nowMs >= this.#prunedAtMs) return;
    const hits = this.#sql.pruneHits.run([nowMs - 2 * RATE_WINDOW_MS, rows]).changes;
    const answers = this.#ledger.pruneAnswers(nowMs, rows);
    const dated = this.#ledger.dateAnswers(nowMs, rows);
    if (dated > 0) this.#answers.forget();
    if (hits < rows && answers < rows && dated < rows) this.#prunedAtMs = nowMs;
  }

  #key(keyId: string): KeyState | null {
    const known = this.#keys.get(keyId);
    if (known !== undefined) return known;
    const info = keyInfo(this.#sql.keyById.get([keyId]));
    const state =
      info === null ? null : { info, account: this.#account(info.accountId, info.mode) };
    this.#keys.set(keyId, state);
    return state;
  }

  #account(accountId: string, mode: Mode): AccountState {
    const name = ownerOf({ accountId, mode });
    const known = this.#accounts.get(name);
    if (known !== undefined) return known;
    const funds = this.#ledger.funds(accountId, mode);
    const state: AccountState = { accountId, mode, ...funds, spent: 0 };
    this.#accounts.set(name, state);
    return state;
  }

  #refresh(): void {
    const version = this.#sql.dataVersion.get()?.[0];
    if (version === this.#version) return;
    this.#version = version;
    this.#changed = true;
    this.#forget();
  }

  #forget(): void {
    this.#keys.clear();
    this.#accounts.clear();
    this.#dirty.clear();
    this.#hitRows = [];
  }

  /** Ends a failed transaction; the cache counts charges that were never booked. */
  #abandon(): void {
    this.#forget();
    this.#unfollowed = Math.max(1, this.#unfollowed);
    this.#answers.forget();
    if (this.#connection.inTransaction) this.#connection.exec('ROLLBACK');
  }
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
 * Adds free calls just booked. Uses are dropped by number and not by time: a clock that jumps
 * forward and back must not free any call.
 */
function bookFreeUse(account: AccountState, calls: number, atMs: number): void {
  account.freeUses = [...account.freeUses, { atMs, calls }].slice(-FREE_CALLS_PER_WINDOW);
}

/** An answer and its idempotency key. */
type Answer = NonNullable<WriterStep['idempotency']>;

interface Owner {
  readonly accountId: string;
  readonly mode: Mode;
}

/** Answers that were stored in one hour. */
interface HourOfAnswers {
  readonly hour: number;
  bytes: number;
}

/** Accounts kept; a larger map is emptied. */
const ACCOUNTS_MAX = 100_000;

/**
 * Limits the bytes of the idempotent answers that an account keeps in a mode. It counts them by the
 * hour in which they were stored, as `steps.lua` does, so that answers leave without being read
 * again. It reads an account's answers once, at the first request with an idempotency key. Only
 * this writer stores answers, so what other connections write does not matter here.
 */
class AnswerBytes {
  readonly #ledger: SqliteLedger;
  readonly #bytesMax: number;
  readonly #accounts = new Map<string, HourOfAnswers[]>();

  constructor(ledger: SqliteLedger, bytesMax: number) {
    this.#ledger = ledger;
    this.#bytesMax = bytesMax;
  }

  /** Time until there is room for an answer, ms; 0 when there is. */
  waitMs(owner: Owner, answer: Answer, atMs: number): number {
    const hours = this.#hoursOf(owner);
    const gone = hours.findIndex(({ hour }) => leavesAtMs(hour) > atMs);
    hours.splice(0, gone === -1 ? hours.length : gone);
    let excess = sizeOf(answer) - this.#bytesMax;
    for (const { bytes } of hours) excess += bytes;
    if (excess <= 0) return 0;
    for (const { hour, bytes } of hours) {
      excess -= bytes;
      if (excess <= 0) return leavesAtMs(hour) - atMs;
    }
    return IDEMPOTENCY_TTL_MS;
  }

  /** Counts an answer, after it was stored. */
  add(owner: Owner, answer: Answer, atMs: number): void {
    const hours = this.#hoursOf(owner);
    const hour = Math.floor(atMs / HOUR_MS);
    const bytes = sizeOf(answer);
    const last = hours.at(-1);
    // A clock that is set back must not disturb the order.
    if (last !== undefined && last.hour >= hour) last.bytes += bytes;
    else hours.push({ hour, bytes });
  }

  /** Forgets all counts, because a transaction that they include was undone. */
  forget(): void {
    this.#accounts.clear();
  }

  #hoursOf({ accountId, mode }: Owner): HourOfAnswers[] {
    const name = ownerOf({ accountId, mode });
    const known = this.#accounts.get(name);
    if (known !== undefined) return known;
    if (this.#accounts.size >= ACCOUNTS_MAX) this.#accounts.clear();
    const hours = [...this.#ledger.answerBytes(accountId, mode)];
    this.#accounts.set(name, hours);
    return hours;
  }
}

function sizeOf({ key, answerJson }: Answer): number {
  return answerJson.length + key.length + ANSWER_EXTRA_BYTES;
}

/** When the last answer stored in that hour expires. */
function leavesAtMs(hour: number): number {
  return (hour + 1) * HOUR_MS + IDEMPOTENCY_TTL_MS;
}
