import {
  type AccountFunds,
  ANSWERS_BYTES_MAX_DEFAULT,
  type KeyIdentity,
  type Mode,
  RATE_LIMIT_DEFAULT,
  RATE_WINDOW_MS,
  type RateState,
  usesInWindow,
} from '../../core/billing-terms.js';
import { BoundedMap } from '../../core/bounded-map.js';
import { openSqlite, type SqliteConnection, sqlitePath } from '../../database/sqlite.js';
import { isUpToDate } from '../../database/up-to-date.js';
import { type KeyInfo, SqliteLedger } from '../../ledger/sqlite-ledger.js';
import {
  type AccountPlace,
  accountText,
  type Clock,
  countFault,
  type Gate,
  GateError,
  type GateOutcome,
  type GateStep,
  withAccount,
} from '../gate.js';
import type { Blockage } from './storage.js';
import { WriterClient } from './writer-client.js';

/** Settings of the embedded gate. */
export interface SqliteGateOptions {
  /** `file:<path>`; created and migrated as needed. */
  readonly databaseUrl: string;
  /** Requests per key in 60 s; 120 by default. */
  readonly rateLimitMax?: number;
  /** Wall clock, ms since the epoch; `Date.now` by default. */
  readonly clock?: Clock;
  /** Maximum number of steps that wait for a commit, 10,000 by default. Further steps are refused. */
  readonly queueMax?: number;
  /** Bytes of stored answers that an account may keep in a mode; 64 MiB by default. */
  readonly answersBytesMax?: number;
  /** Is told the reason when nothing can be committed, and null when commits are possible again. */
  readonly onBlocked?: (blockage: Blockage | null) => void;
}

/** Maximum number of keys kept in memory, known and unknown. The oldest key is dropped first. */
const KEY_CACHE_MAX = 100_000;
const QUEUE_MAX_DEFAULT = 10_000;
/** The rate state of a step whose outcome nobody reads. */
const NO_RATE = { limit: 0, remaining: 0, resetSeconds: 0 };

/**
 * Opens the embedded gate on a SQLite file. Only one process serves. Other processes, such as the
 * command line, may write at the same time.
 *
 * @throws DatabaseOpenError when the URL or the file cannot be used
 */
export async function createSqliteGate(options: SqliteGateOptions): Promise<SqliteGate> {
  await prepareDatabase(options.databaseUrl);
  const gate = new SqliteGate(options);
  await gate.open();
  return gate;
}

/** Creates and migrates the database as needed. */
async function prepareDatabase(url: string): Promise<void> {
  const connection = openSqlite(sqlitePath(url));
  const ready = isUpToDate(connection);
  connection.close();
  if (ready) return;
  const { openDatabase } = await import('../../database/open.js');
  await (await openDatabase(url)).destroy();
}

/**
 * The gate on SQLite. This thread knows keys and rate limits, and refuses without I/O. The writer
 * thread decides everything that money depends on, inside its transaction.
 */
export class SqliteGate implements Gate {
  readonly #clock: Clock;
  readonly #rateClock: Clock;
  readonly #limiter: RateLimiter;
  readonly #writer: WriterClient;
  readonly #path: string;
  #reader: { readonly connection: SqliteConnection; readonly ledger: SqliteLedger } | undefined;
  readonly #keys = new BoundedMap<string, KeyInfo | null>(KEY_CACHE_MAX);
  readonly #lookups = new Map<string, Promise<KeyInfo | null>>();
  readonly #hits: LateHits;

  constructor({ databaseUrl, rateLimitMax, clock, ...options }: SqliteGateOptions) {
    this.#clock = clock ?? Date.now;
    this.#rateClock = elapsedClock(this.#clock);
    this.#limiter = new RateLimiter(rateLimitMax ?? RATE_LIMIT_DEFAULT);
    this.#path = sqlitePath(databaseUrl);
    this.#writer = new WriterClient({
      path: this.#path,
      clock: this.#clock,
      queueMax: options.queueMax ?? QUEUE_MAX_DEFAULT,
      answersBytesMax: options.answersBytesMax ?? ANSWERS_BYTES_MAX_DEFAULT,
      onChanged: () => {
        this.#keys.clear();
      },
      onBlocked: options.onBlocked ?? (() => undefined),
    });
    this.#hits = new LateHits((keyId, atMs, step) => this.#bookHits(keyId, atMs, step));
  }

  /** Starts the writer and restores the rate-limit hits of the last 60 s. */
  async open(): Promise<void> {
    const hits = await this.#writer.start();
    const nowMs = this.#rateClock();
    for (let index = 0; index < hits.length; index += 3) {
      const [keyId, count, madeAtMs] = hits.slice(index, index + 3);
      this.#limiter.restore(String(keyId), Number(count), Number(madeAtMs), nowMs);
    }
  }

  knows(keyHash: string): boolean | undefined {
    const key = this.#keys.get(keyHash);
    return key === undefined ? undefined : isValid(key);
  }

  accountOf(keyHash: string): string | undefined {
    const key = this.#keys.get(keyHash);
    return key ? accountText(key) : undefined;
  }

  async lookUp({ keyHash }: KeyIdentity): Promise<boolean> {
    return isValid(await this.#lookup(keyHash));
  }

  /**
   * Decides one request; see `Gate`.
   *
   * @throws RangeError for a cost or hits that are not counts
   * @throws GateError when the step could not be made durable. Nothing was charged then, unless the
   * writer died before it replied (`unanswered`): it may have booked the charge.
   */
  step(step: GateStep): Promise<GateOutcome> {
    const fault = countFault(step);
    if (fault !== undefined) return Promise.reject(fault);
    const key = this.#keys.get(step.keyHash);
    if (key !== undefined) return this.#admit(key, step);
    return this.#lookup(step.keyHash).then((found) => this.#admit(found, step));
  }

  ready(): Promise<boolean> {
    return Promise.resolve(this.#writer.ready);
  }

  /** Reads on a connection of its own, on this thread. Calls are rare and take microseconds. */
  async funds({ id }: AccountPlace, mode: Mode): Promise<AccountFunds> {
    if (!this.#writer.ready) throw new GateError('unavailable', 'The gate is closed.');
    if (this.#reader === undefined) {
      const connection = openSqlite(this.#path);
      this.#reader = { connection, ledger: new SqliteLedger(connection) };
    }
    const { freeUses, ...credits } = this.#reader.ledger.funds(id, mode);
    return { ...credits, freeUses: usesInWindow(freeUses, this.#clock()) };
  }

  async close(): Promise<void> {
    this.#hits.flush();
    await this.#writer.close();
    this.#reader?.connection.close();
    this.#reader = undefined;
  }

  /** Sets the observer, which gets the time that a committed batch waited for the disk. */
  observeFlushes(observer: (seconds: number) => void): void {
    this.#writer.onFlush = observer;
  }

  /** Ends the writer thread like a crash; for tests of recovery. */
  killWriter(): Promise<void> {
    return this.#writer.kill();
  }

  #admit(key: KeyInfo | null, step: GateStep): Promise<GateOutcome> {
    if (!isValid(key)) return Promise.resolve({ kind: 'unauthorized' });
    if (this.#writer.full) {
      return Promise.reject(
        new GateError('overloaded', 'Too many charges are waiting for a commit.'),
      );
    }
    const { allowed, rate, retryAfterSeconds } = this.#limiter.hit(
      key.id,
      step.hits,
      this.#rateClock(),
    );
    if (!allowed) return Promise.resolve({ kind: 'rate_limited', rate, retryAfterSeconds });
    const atMs = this.#clock();
    if (step.countsOnly === true && step.cost === 0 && this.#writer.ready) {
      this.#hits.add(key.id, atMs, step);
      return Promise.resolve({ kind: 'counted', rate });
    }
    const outcome = this.#writer.submit(key.id, atMs, step, rate);
    return step.affords === undefined ? outcome : outcome.then((one) => withAccount(one, key));
  }

  /**
   * The limiter has counted the hits already. If this booking fails, only a later process does not
   * know of the hits.
   */
  #bookHits(keyId: string, atMs: number, step: GateStep): void {
    this.#writer.submit(keyId, atMs, step, NO_RATE).catch(() => undefined);
  }

  #lookup(hash: string): Promise<KeyInfo | null> {
    const running = this.#lookups.get(hash);
    if (running !== undefined) return running;
    const lookup = this.#writer
      .lookup(hash)
      .then((key) => {
        this.#keys.set(hash, key);
        return key;
      })
      .finally(() => this.#lookups.delete(hash));
    this.#lookups.set(hash, lookup);
    return lookup;
  }
}

function isValid(key: KeyInfo | null): key is KeyInfo {
  return key !== null && !key.revoked;
}

/** Whether hits were admitted, and the state of the key's limit after that. */
export interface RateDecision {
  readonly allowed: boolean;
  readonly rate: RateState;
  /** Whole seconds until the same hits would be admitted, rounded up; 0 if they were admitted. */
  readonly retryAfterSeconds: number;
}

/**
 * Limits the hits of a key: no 60 s ever hold more than `limit` hits. After 60 s without hits, the
 * full limit is available again. The windows are kept in two generations, which change every 60 s.
 * A hit moves the window of its key to the current generation. A window that is still in the
 * previous generation at the next change has been idle for 60 s and is dropped.
 */
export class RateLimiter {
  readonly #limit: number;
  #current = new Map<string, SlidingWindow>();
  #previous = new Map<string, SlidingWindow>();
  #turnedAtMs = Number.NEGATIVE_INFINITY;
  #nowMs = Number.NEGATIVE_INFINITY;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Number of keys with a window in memory. */
  get keys(): number {
    return this.#current.size + this.#previous.size;
  }

  /** Admits all of `hits` or none. If the clock goes back, the time counts as standing still. */
  hit(keyId: string, hits: number, atMs: number): RateDecision {
    const nowMs = this.#advance(atMs);
    const window = this.#window(keyId);
    const used = window.count(nowMs);
    const excess = used + hits - this.#limit;
    if (excess > 0) {
      const waitMs = Math.max(1, window.msUntilLeft(nowMs, excess));
      const retryAfterSeconds = Math.ceil(waitMs / 1000);
      return { allowed: false, rate: this.#state(window, used, nowMs), retryAfterSeconds };
    }
    window.add(nowMs, hits);
    return {
      allowed: true,
      rate: this.#state(window, used + hits, nowMs),
      retryAfterSeconds: 0,
    };
  }

  /** Adds hits of an earlier process, oldest first; a hit in the future counts as made now. */
  restore(keyId: string, hits: number, madeAtMs: number, nowMs: number): void {
    this.#advance(nowMs);
    const window = this.#window(keyId);
    window.add(Math.min(madeAtMs, this.#nowMs), hits);
  }

  #state(window: SlidingWindow, used: number, nowMs: number): RateState {
    const resetSeconds = used === 0 ? 0 : Math.ceil(window.msUntilLeft(nowMs, 1) / 1000);
    return { limit: this.#limit, remaining: Math.max(0, this.#limit - used), resetSeconds };
  }

  #advance(atMs: number): number {
    if (atMs > this.#nowMs) this.#nowMs = atMs;
    if (this.#nowMs >= this.#turnedAtMs + RATE_WINDOW_MS) {
      this.#previous = this.#current;
      this.#current = new Map();
      this.#turnedAtMs = this.#nowMs;
    }
    return this.#nowMs;
  }

  #window(keyId: string): SlidingWindow {
    const known = this.#current.get(keyId);
    if (known !== undefined) return known;
    const window = this.#previous.get(keyId) ?? new SlidingWindow();
    this.#previous.delete(keyId);
    this.#current.set(keyId, window);
    return window;
  }
}

const INITIAL_SLOTS = 4;

/**
 * Log of the hits of one key in the last 60 s. It is a ring of (time, hits) with one slot for each
 * millisecond that had hits, so it has at most 60,000 slots. A hit made at t has left at t + 60,000
 * ms. Times must not decrease. Every operation is O(1) amortised.
 */
export class SlidingWindow {
  #timesMs = new Float64Array(INITIAL_SLOTS);
  #hits = new Float64Array(INITIAL_SLOTS);
  #head = 0;
  #slots = 0;
  #total = 0;

  /** Hits in the window that ends now. */
  count(nowMs: number): number {
    const mask = this.#timesMs.length - 1;
    while (this.#slots > 0 && this.#timeAt(0) + RATE_WINDOW_MS <= nowMs) {
      this.#total -= this.#hits[this.#head] ?? 0;
      this.#head = (this.#head + 1) & mask;
      this.#slots--;
    }
    return this.#total;
  }

  /** Adds hits made now. Call `count` first: it removes the old hits. */
  add(nowMs: number, hits: number): void {
    if (hits === 0) return;
    this.#total += hits;
    if (this.#slots > 0 && this.#timeAt(this.#slots - 1) === nowMs) {
      const last = this.#index(this.#slots - 1);
      this.#hits[last] = (this.#hits[last] ?? 0) + hits;
      return;
    }
    if (this.#slots === this.#timesMs.length) this.#grow();
    const next = this.#index(this.#slots);
    this.#timesMs[next] = nowMs;
    this.#hits[next] = hits;
    this.#slots++;
  }

  /** Milliseconds until `hits` of the counted hits have left; 0 when `hits` is not positive. */
  msUntilLeft(nowMs: number, hits: number): number {
    let left = 0;
    for (let slot = 0; slot < this.#slots && left < hits; slot++) {
      left += this.#hits[this.#index(slot)] ?? 0;
      if (left >= hits) return this.#timeAt(slot) + RATE_WINDOW_MS - nowMs;
    }
    return hits <= 0 ? 0 : RATE_WINDOW_MS;
  }

  #index(slot: number): number {
    return (this.#head + slot) & (this.#timesMs.length - 1);
  }

  #timeAt(slot: number): number {
    return this.#timesMs[this.#index(slot)] ?? 0;
  }

  #grow(): void {
    const slots = this.#timesMs.length;
    const timesMs = new Float64Array(slots * 2);
    const hits = new Float64Array(slots * 2);
    for (let slot = 0; slot < slots; slot++) {
      timesMs[slot] = this.#timeAt(slot);
      hits[slot] = this.#hits[this.#index(slot)] ?? 0;
    }
    this.#timesMs = timesMs;
    this.#hits = hits;
    this.#head = 0;
  }
}

/**
 * Makes a clock for elapsed time from a wall clock. It never goes back. When the wall clock is set
 * back, this clock continues from its last time instead of standing still.
 */
export function elapsedClock(wall: Clock): Clock {
  let offsetMs = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = wall();
    if (nowMs < lastMs) offsetMs += lastMs - nowMs;
    lastMs = nowMs;
    return nowMs + offsetMs;
  };
}

/** How long hits are collected. A crash loses the hits of this time. */
const COLLECT_MS = 50;

/** Books the hits of a key in one step. */
type Book = (keyId: string, atMs: number, step: GateStep) => void;

interface Collected {
  readonly step: GateStep;
  /**
   * Time of the last hit. All collected hits count from this time, so a restart never widens the
   * rate limit.
   */
  atMs: number;
  hits: number;
}

/**
 * Collects the hits of refused requests and books them in the background, one step for each key, 20
 * times a second. So a refusal does not wait for the writer and adds no work to it.
 */
export class LateHits {
  readonly #book: Book;
  readonly #keys = new Map<string, Collected>();
  #timer: NodeJS.Timeout | undefined;

  constructor(book: Book) {
    this.#book = book;
  }

  /** Adds the hits of a step to the collected hits of its key. */
  add(keyId: string, atMs: number, step: GateStep): void {
    const known = this.#keys.get(keyId);
    if (known === undefined) this.#keys.set(keyId, { step, atMs, hits: step.hits });
    else {
      known.atMs = atMs;
      known.hits += step.hits;
    }
    this.#timer ??= setTimeout(() => this.flush(), COLLECT_MS);
  }

  /** Books what is collected. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const [keyId, { step, atMs, hits }] of this.#keys) {
      this.#book(keyId, atMs, { ...step, hits });
    }
    this.#keys.clear();
  }
}
