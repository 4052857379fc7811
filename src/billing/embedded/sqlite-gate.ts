import {
  type AccountFunds,
  ANSWERS_BYTES_MAX_DEFAULT,
  FREE_WINDOW_MS,
  type KeyIdentity,
  type Mode,
  RATE_LIMIT_DEFAULT,
} from '../../core/billing-terms.js';
import { BoundedMap } from '../../core/bounded-map.js';
import { openSqlite, type SqliteConnection, sqlitePath } from '../../database/sqlite.js';
import { isUpToDate } from '../../database/up-to-date.js';
import { SqliteLedger } from '../../ledger/sqlite-ledger.js';
import {
  type AccountPlace,
  type Clock,
  countFault,
  type Gate,
  GateError,
  type GateOutcome,
  type GateStep,
  withAccount,
} from '../gate.js';
import { elapsedClock, LateHits, RateLimiter } from './rate-limiter.js';
import type { Blockage } from './storage.js';
import { type KeyInfo, WriterClient } from './writer-client.js';

/** Settings of the embedded gate. */
export interface SqliteGateOptions {
  /** `file:<path>`; created and migrated as needed. */
  readonly databaseUrl: string;
  /** Requests per key in 60 s; 120 by default. */
  readonly rateLimitMax?: number;
  /** Wall clock, ms since the epoch; `Date.now` by default. */
  readonly clock?: Clock;
  /** Steps that may wait for a commit, 10,000 by default; further ones are refused. */
  readonly queueMax?: number;
  /** Bytes of stored answers that an account may keep in a mode; 64 MiB by default. */
  readonly answersBytesMax?: number;
  /** Is told why nothing can be committed; null once commits are possible again. */
  readonly onBlocked?: (blockage: Blockage | null) => void;
}

/** Keys kept in memory, known and unknown; the oldest is dropped first. */
const KEY_CACHE_MAX = 100_000;
const QUEUE_MAX_DEFAULT = 10_000;
/** The rate state of a step whose outcome nobody reads. */
const NO_RATE = { limit: 0, remaining: 0, resetSeconds: 0 };

/**
 * Opens the embedded gate on a SQLite file. One process serves; others, such as the command line,
 * may write at the same time.
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

  async lookUp({ keyHash }: KeyIdentity): Promise<boolean> {
    return isValid(await this.#lookup(keyHash));
  }

  /**
   * Decides one request; see the port.
   *
   * @throws RangeError for a cost or hits that are not counts
   * @throws GateError when the step could not be made durable; nothing was charged then, except
   *   perhaps when the writer died before it replied (`unanswered`)
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

  /** Reads on its own connection, on this thread: it is rarely asked and takes microseconds. */
  async funds({ id }: AccountPlace, mode: Mode): Promise<AccountFunds> {
    if (!this.#writer.ready) throw new GateError('unavailable', 'The gate is closed.');
    if (this.#reader === undefined) {
      const connection = openSqlite(this.#path);
      this.#reader = { connection, ledger: new SqliteLedger(connection) };
    }
    const { freeUses, ...credits } = this.#reader.ledger.funds(id, mode);
    const fromMs = this.#clock() - FREE_WINDOW_MS;
    return { ...credits, freeUses: freeUses.filter(({ atMs }) => atMs > fromMs) };
  }

  async close(): Promise<void> {
    this.#hits.flush();
    await this.#writer.close();
    this.#reader?.connection.close();
    this.#reader = undefined;
  }

  /** Sets who is told how long a committed batch waited for the disk. */
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

  /** The limiter has counted the hits. If this fails, only a later process does not know of them. */
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
