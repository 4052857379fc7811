import {
  type MessagePort,
  parentPort,
  receiveMessageOnPort,
  workerData,
} from 'node:worker_threads';
import { type FreeUse, type Mode, RATE_WINDOW_MS } from '../../core/billing-terms.js';
import {
  closeSqlite,
  openSqlite,
  type SqliteConnection,
  type SqliteStatement,
  type SqlValue,
} from '../../database/sqlite.js';
import { ownerOf } from '../../ledger/charge.js';
import {
  bookFreeUse,
  decidePayment,
  type KeyInfo,
  type Payment,
  SqliteLedger,
} from '../../ledger/sqlite-ledger.js';
import { decodeStep, type Field, FieldReader, OUTCOME, type WriterStep } from '../gate.js';
import { AnswerBytes } from './answer-bytes.js';
import { type Blockage, Storage } from './storage.js';
import {
  type DoneMessage,
  DurableReplies,
  type EndMessage,
  LogDisk,
  type WorkMessage,
  type WriterMessage,
  type WriterOptions,
} from './writer-client.js';

/** Decides steps and books charges in a thread, so that commits never block the event loop. */

/** An idle writer checks at this interval whether another process has written. */
const WATCH_INTERVAL_MS = 250;
/** Maximum number of keys kept between batches, with their accounts. A larger cache is emptied. */
const CACHE_MAX = 100_000;
const PRUNE_INTERVAL_MS = 1000;
/** Maximum time before the usage per day and the index by account are updated from the ledger. */
const FOLLOW_INTERVAL_MS = 250;
/** After this many entries, that update comes earlier. A batch waits for it: 1 to 5 ms. */
const FOLLOW_ENTRIES = 1000;
const PRUNE_ROWS_MIN = 500;

/** Once its messages have this many fields (about 400 steps), a transaction takes no further messages. */
const TRANSACTION_FIELDS = 3000;

/** Serves the gate until it ends the thread. */
function runWriter(port: NonNullable<typeof parentPort>, options: WriterOptions): void {
  const send = (message: WriterMessage): void => {
    port.postMessage(message);
  };
  try {
    const connection = openSqlite(options.path);
    // `LogDisk` flushes the log after each commit, as SQLite does with `synchronous = FULL`.
    connection.exec('PRAGMA synchronous = NORMAL');
    const disk = new LogDisk(options.path);
    // After a failed flush it is unknown which writes survive. The thread ends; the log is read again.
    const fail = (error: Error) => {
      process.stderr.write(`${options.path}-wal could not be flushed: ${error.message}\n`);
      process.exit(1);
    };
    const reply = (done: DoneMessage) => send({ ...done, flushMs: disk.lastMs });
    const replies = new DurableReplies(disk.flush, reply, fail);
    const writer = new LedgerWriter(connection, options.answersBytesMax);
    const storage = new Storage(options.path, () => {
      writer.probe();
      const failure = disk.flushNow();
      if (failure !== null) fail(failure);
    });
    let blockage: Blockage | null = null;
    const report = (): void => {
      const now = storage.blockage;
      if (now?.text === blockage?.text) return;
      blockage = now;
      send({ kind: 'blocked', blockage });
    };
    const onFailure = (error: unknown): string => {
      storage.failed(error);
      report();
      return blockage?.text ?? (error instanceof Error ? error.message : String(error));
    };
    const watch = setInterval(() => {
      storage.check();
      if (writer.takeChanged()) send({ kind: 'changed' });
      if (storage.blockage === null) followWhenIdle(writer, storage);
      report();
    }, WATCH_INTERVAL_MS);
    const finish = (messages: readonly WorkMessage[]): void => {
      const { text } = blockage ?? {};
      const done = text === undefined ? work(writer, messages, onFailure) : refused(messages, text);
      replies.add(done, done.error === null && messages.some(({ steps }) => steps.length > 0));
    };
    port.on('message', (first: WorkMessage | EndMessage) => {
      const { work: messages, end: message } = takeMessages(port, first);
      if (messages.length > 0) finish(messages);
      if (message === undefined) return;
      // In a worker, `exit` ends only the thread. If the thread were terminated from outside during
      // a native call, libsql could end the whole process.
      if (message.kind === 'crash') process.exit(1);
      clearInterval(watch);
      followWhenIdle(writer, storage);
      closeSqlite(connection);
      send({ kind: 'closed' });
      port.close();
    });
    storage.tryCommit();
    // Comes before `ready`, so that the gate does not call itself ready while commits are blocked.
    report();
    send({ kind: 'ready', hits: writer.recentHits(options.nowMs) });
  } catch (error) {
    const fault = error instanceof Error ? error : new Error(String(error));
    send({ kind: 'failed_start', error: fault });
    port.close();
  }
}

function followWhenIdle(writer: LedgerWriter, storage: Storage): void {
  try {
    writer.followWhenIdle();
  } catch (error) {
    // Nothing is lost: the next batch or the next start tries again.
    storage.failed(error);
  }
}

/**
 * Takes the messages that have come, up to `TRANSACTION_FIELDS` or up to the message that ends the
 * writer.
 */
function takeMessages(
  port: MessagePort,
  first: WorkMessage | EndMessage,
): { readonly work: readonly WorkMessage[]; readonly end?: EndMessage } {
  const work: WorkMessage[] = [];
  let fields = 0;
  let next: WorkMessage | EndMessage | undefined = first;
  while (next !== undefined) {
    if (next.kind !== 'work') return { work, end: next };
    work.push(next);
    fields += next.steps.length;
    if (fields >= TRANSACTION_FIELDS) break;
    next = receiveMessageOnPort(port)?.message;
  }
  return { work };
}

/** @param onFailure is told the error if the work is not committed; returns the text of the refusal */
function work(
  writer: LedgerWriter,
  messages: readonly WorkMessage[],
  onFailure: (error: unknown) => string,
): DoneMessage {
  const done = { kind: 'done', messages: messages.length, error: null, flushMs: 0 } as const;
  try {
    const { keys, outcomes } = writer.run(messages);
    return { ...done, keys, outcomes, changed: writer.takeChanged() };
  } catch (error) {
    return refused(messages, onFailure(error));
  }
}

/** The answer to work that was not done. */
function refused(messages: readonly WorkMessage[], error: string): DoneMessage {
  const done = { kind: 'done', messages: messages.length, error, changed: true } as const;
  return { ...done, keys: [], outcomes: [], flushMs: 0 };
}

/** State of an account in one mode, kept between batches. */
interface AccountState {
  readonly accountId: string;
  readonly mode: Mode;
  paidCredits: number;
  readonly debtCredits: number;
  /** The latest free uses, oldest first; enough of them to fill the window. */
  freeUses: readonly FreeUse[];
  /** Credits spent in this transaction that are not yet taken from the balance. */
  spent: number;
}

/** State of a key, kept between batches. */
interface KeyState {
  readonly info: KeyInfo;
  readonly account: AccountState;
}

/** Decisions of a batch. */
type BatchResult = Pick<DoneMessage, 'keys' | 'outcomes'>;

/**
 * Decides and books steps on the only writing connection, a batch in one transaction. Between
 * batches, it keeps the keys and funds it has read. `PRAGMA data_version`, read inside the write
 * transaction, tells whether another connection has written since. If so, keys and funds are read
 * again. So every decision rests on the content of the database at that moment.
 */
class LedgerWriter {
  readonly #connection: SqliteConnection;
  readonly #dataVersion: SqliteStatement;
  readonly #ledger: SqliteLedger;
  readonly #keys = new Map<string, KeyState | null>();
  readonly #accounts = new Map<string, AccountState>();
  readonly #dirty = new Set<AccountState>();
  readonly #answers: AnswerBytes;
  /** Hits of a key in one millisecond that leave no ledger entry. */
  #hitRows: { readonly keyId: string; readonly atMs: number; hits: number }[] = [];
  #version: SqlValue | undefined;
  #changed = false;
  #prunedAtMs = Number.NEGATIVE_INFINITY;
  /** Number of entries that the index and the usage per day may lack; an earlier process may leave some. */
  #unfollowed = 1;
  #followedAtMs = Number.NEGATIVE_INFINITY;

  constructor(connection: SqliteConnection, answersBytesMax: number) {
    this.#connection = connection;
    this.#dataVersion = connection.prepareRaw('PRAGMA data_version');
    this.#ledger = new SqliteLedger(connection);
    this.#answers = new AnswerBytes(this.#ledger, answersBytesMax);
    this.#version = this.#dataVersion.get()?.[0];
  }

  /** `id, hits, made at` of the rate-limit hits of the last 60 s, oldest first. */
  recentHits(nowMs: number): Field[] {
    return this.#ledger.recentHits(nowMs - RATE_WINDOW_MS);
  }

  /** Whether another connection has written since the last call. */
  takeChanged(): boolean {
    this.#refresh();
    const changed = this.#changed;
    this.#changed = false;
    return changed;
  }

  /**
   * Does the work of messages: looks up their keys, and decides their steps in one transaction.
   *
   * @throws the error of SQLite; nothing was booked then
   */
  run(messages: readonly WorkMessage[]): BatchResult {
    const findKeys = () =>
      messages.flatMap(({ hashes }) => hashes.map((hash) => this.#ledger.keyByHash(hash)));
    if (messages.every(({ steps }) => steps.length === 0)) {
      this.#refresh();
      return { keys: findKeys(), outcomes: [] };
    }
    return this.#inTransaction(() => {
      this.#refresh();
      // Empties the cache between batches: within a batch, two keys of an account need the same state.
      if (this.#keys.size >= CACHE_MAX) this.#forget();
      return { keys: findKeys(), outcomes: this.#decideAll(messages) };
    });
  }

  /**
   * Updates the usage per day and the index by account from the ledger while no batch is at work.
   *
   * @throws the error of SQLite; the update is repeated later
   */
  followWhenIdle(): void {
    if (this.#unfollowed === 0) return;
    this.#unfollowed = this.#inTransaction(() => this.#ledger.follow()) ? 1 : 0;
  }

  /**
   * Commits a change without effect, to find out whether commits are possible.
   *
   * @throws the error of SQLite
   */
  probe(): void {
    // SQLite skips a write that changes no row, but it always writes this value.
    this.#inTransaction(() => this.#connection.exec('PRAGMA user_version = 0'));
  }

  #inTransaction<Result>(work: () => Result): Result {
    try {
      this.#ledger.begin();
      const result = work();
      this.#ledger.commit();
      return result;
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

  /** Dates free uses in the future to now: a clock that ran ahead was set back. */
  #dateFreeUses(account: AccountState, nowMs: number): void {
    const { accountId, mode, freeUses } = account;
    if ((freeUses.at(-1)?.atMs ?? 0) <= nowMs) return;
    this.#ledger.dateFreeUses(accountId, mode, nowMs);
    account.freeUses = freeUses.map(({ atMs, calls }) => ({ atMs: Math.min(atMs, nowMs), calls }));
  }

  /** Decides a step by the answer stored for its idempotency key. Returns false if there is none. */
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

  /** Notes hits without a ledger entry. Hits of one key in one millisecond share a row. */
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
    for (const { atMs, keyId, hits } of this.#hitRows) this.#ledger.countHits(atMs, keyId, hits);
    this.#hitRows = [];
  }

  #follow(): void {
    const nowMs = performance.now();
    const due = nowMs >= this.#followedAtMs + FOLLOW_INTERVAL_MS;
    if (this.#unfollowed < FOLLOW_ENTRIES && !due) return;
    // If the batch fails later, this update is undone with it: its mark is part of the transaction.
    if (this.#unfollowed > 0) this.#unfollowed = this.#ledger.follow() ? 1 : 0;
    this.#followedAtMs = nowMs;
  }

  /**
   * Deletes old hits and answers in small pieces, at least as fast as a batch can add them. Dates
   * answers in the future to now.
   */
  #prune(nowMs: number, rows: number): void {
    if (nowMs < this.#prunedAtMs + PRUNE_INTERVAL_MS && nowMs >= this.#prunedAtMs) return;
    const hits = this.#ledger.pruneHits(nowMs - 2 * RATE_WINDOW_MS, rows);
    const answers = this.#ledger.pruneAnswers(nowMs, rows);
    const dated = this.#ledger.dateAnswers(nowMs, rows);
    if (dated > 0) this.#answers.forget();
    if (hits < rows && answers < rows && dated < rows) this.#prunedAtMs = nowMs;
  }

  #key(keyId: string): KeyState | null {
    const known = this.#keys.get(keyId);
    if (known !== undefined) return known;
    const info = this.#ledger.keyById(keyId);
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
    const version = this.#dataVersion.get()?.[0];
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

  /** Ends a failed transaction. Empties the cache, which counts charges that were never booked. */
  #abandon(): void {
    this.#forget();
    this.#unfollowed = Math.max(1, this.#unfollowed);
    this.#answers.forget();
    if (this.#connection.inTransaction) this.#connection.exec('ROLLBACK');
  }
}

if (parentPort !== null) runWriter(parentPort, workerData as WriterOptions);
