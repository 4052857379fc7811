import { type Mode, RATE_WINDOW_MS } from '../../core/billing-terms.js';
import type { SqliteConnection, SqlValue } from '../../database/sqlite.js';
import { BatchUsage, firstEntryId, ownerOf } from '../../ledger/charge.js';
import { SqliteLedger } from '../../ledger/sqlite-ledger.js';
import { decidePayment, type Payment } from './funds.js';
import {
  decodeStep,
  type Field,
  FieldReader,
  type KeyInfo,
  OUTCOME,
  type WriterStep,
} from './writer-protocol.js';
import { prepareWriterSql, type WriterSql } from './writer-sql.js';
import { type AccountState, bookFreeUse, type KeyState, keyInfo } from './writer-state.js';

/** What a batch decided. */
export interface BatchResult {
  readonly keys: readonly (KeyInfo | null)[];
  readonly outcomes: readonly Field[];
}

interface HitRow {
  readonly keyId: string;
  readonly atMs: number;
  hits: number;
}

/** Keys kept between batches, with their accounts; beyond it the cache starts afresh. */
const CACHE_MAX = 100_000;
const PRUNE_INTERVAL_MS = 1000;
const PRUNE_ROWS_MIN = 500;

/**
 * Decides and books steps on the one writing connection, a batch in one transaction. What it has
 * read of keys and funds is kept between batches: `PRAGMA data_version`, read inside the write
 * transaction, says whether any other connection has written since, and then it is read anew. So
 * every decision rests on what the database holds at that moment.
 */
export class LedgerWriter {
  readonly #connection: SqliteConnection;
  readonly #sql: WriterSql;
  readonly #ledger: SqliteLedger;
  readonly #keys = new Map<string, KeyState | null>();
  readonly #accounts = new Map<string, AccountState>();
  readonly #dirty = new Set<AccountState>();
  readonly #usage = new BatchUsage();
  #hitRows: HitRow[] = [];
  #version: SqlValue | undefined;
  #changed = false;
  #prunedAtMs = Number.NEGATIVE_INFINITY;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
    this.#sql = prepareWriterSql(connection);
    this.#ledger = new SqliteLedger(connection);
    this.#version = this.#sql.dataVersion.get()?.[0];
  }

  /** `id, hits, made at` of the rate-limit hits of the last 60 s, oldest first. */
  recentHits(nowMs: number): Field[] {
    const fromMs = nowMs - RATE_WINDOW_MS;
    return this.#sql.recentHits.all(firstEntryId(fromMs), fromMs, fromMs).flat();
  }

  /** Whether another connection has written since this was last asked. */
  takeChanged(): boolean {
    this.#refresh();
    const changed = this.#changed;
    this.#changed = false;
    return changed;
  }

  /** Keys by hash, outside a transaction; null for an unknown one. */
  findKeys(hashes: readonly string[]): (KeyInfo | null)[] {
    return hashes.map((hash) => keyInfo(this.#sql.keyByHash.get(hash)));
  }

  /**
   * Decides a message of steps in one durable transaction.
   *
   * @throws whatever SQLite reports; then nothing of the batch was booked
   */
  run(hashes: readonly string[], steps: readonly Field[]): BatchResult {
    try {
      this.#sql.begin.run();
      this.#refresh();
      // Between batches only: within one, a key and the next must find the same account.
      if (this.#keys.size >= CACHE_MAX) this.#forget();
      const keys = this.findKeys(hashes);
      const outcomes = this.#decideAll(steps);
      this.#sql.commit.run();
      return { keys, outcomes };
    } catch (error) {
      this.#abandon();
      throw error;
    }
  }

  #decideAll(steps: readonly Field[]): Field[] {
    const reader = new FieldReader(steps);
    const outcomes: Field[] = [];
    let count = 0;
    let lastAtMs = Number.NEGATIVE_INFINITY;
    while (!reader.done) {
      const step = decodeStep(reader);
      this.#decide(step, outcomes);
      lastAtMs = Math.max(lastAtMs, step.atMs);
      count++;
    }
    this.#flush();
    this.#prune(lastAtMs, Math.max(PRUNE_ROWS_MIN, 2 * count));
    return outcomes;
  }

  #decide(step: WriterStep, outcomes: Field[]): void {
    const key = this.#key(step.keyId, step.atMs);
    if (key === null || key.info.revoked) {
      outcomes.push(OUTCOME.unauthorized);
      return;
    }
    if (step.idempotency !== undefined && this.#replay(key.account, step, outcomes)) {
      this.#countHits(step);
      return;
    }
    if (step.cost === 0) {
      this.#countHits(step);
      outcomes.push(OUTCOME.counted);
      return;
    }
    const payment = decidePayment(key.account, step.cost, step.atMs);
    if (payment.kind === 'paid' || payment.kind === 'free') {
      this.#charge(key, step, payment, outcomes);
      return;
    }
    this.#countHits(step);
    if (payment.kind === 'insufficient_credits') outcomes.push(OUTCOME.insufficientCredits);
    else outcomes.push(OUTCOME.freeTierExhausted, payment.resetsAtMs);
  }

  /** Answers from a stored answer, if there is one; true when the step is decided by it. */
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
      atMs: free ? payment.atMs : step.atMs,
    };
    if (!this.#ledger.insertCharge(charge, account.paidCredits - charge.credits)) {
      this.#countHits(step);
      outcomes.push(OUTCOME.duplicateRequest);
      return;
    }
    this.#usage.add(charge);
    if (free) {
      bookFreeUse(account, cost, charge.atMs, step.atMs);
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
  }

  /** Remembers hits that leave no ledger entry; those of one key and millisecond share a row. */
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
    this.#ledger.addUsage(this.#usage.rows());
    this.#usage.clear();
    for (const row of this.#hitRows) this.#sql.countHits.run(row.atMs, row.keyId, row.hits);
    this.#hitRows = [];
  }

  /** Drops what is too old in small pieces, at least as fast as a batch can add. */
  #prune(nowMs: number, rows: number): void {
    if (nowMs < this.#prunedAtMs + PRUNE_INTERVAL_MS && nowMs >= this.#prunedAtMs) return;
    const hits = this.#sql.pruneHits.run(nowMs - 2 * RATE_WINDOW_MS, rows).changes;
    const answers = this.#ledger.pruneAnswers(nowMs, rows);
    if (hits < rows && answers < rows) this.#prunedAtMs = nowMs;
  }

  #key(keyId: string, nowMs: number): KeyState | null {
    const known = this.#keys.get(keyId);
    if (known !== undefined) return known;
    const info = keyInfo(this.#sql.keyById.get(keyId));
    const state =
      info === null ? null : { info, account: this.#account(info.accountId, info.mode, nowMs) };
    this.#keys.set(keyId, state);
    return state;
  }

  #account(accountId: string, mode: Mode, nowMs: number): AccountState {
    const name = ownerOf({ accountId, mode });
    const known = this.#accounts.get(name);
    if (known !== undefined) return known;
    const funds = this.#ledger.funds(accountId, mode, nowMs);
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
    this.#usage.clear();
    this.#hitRows = [];
  }

  /** After a failed transaction: what is cached counts charges that were never booked. */
  #abandon(): void {
    this.#forget();
    if (this.#connection.inTransaction) this.#connection.exec('ROLLBACK');
  }
}
