import { BoundedMap } from '../core/bounded-map.js';
import { MINUTE_MS } from '../core/time.js';
import type { Rank } from './turns.js';

/** Whose processor time it is. */
export interface Spender {
  /** Account and mode, as the gate tells them. */
  readonly account: string;
  readonly rank: Rank;
}

/**
 * How much processor time each account may use for computations: so much a minute, of which it may save
 * some. What was used is taken when a computation has ended, however it ended. So a budget may be
 * overdrawn, and then the account waits until it is above zero.
 */
export interface ComputeBudget {
  /** Milliseconds until the account may begin a computation; 0 if it may now. Never rejects. */
  waitMs(spender: Spender): Promise<number>;
  /** Takes processor time. Never rejects. */
  take(spender: Spender, usedMs: number): Promise<void>;
}

/** A bucket: how much it holds at most, and how fast it fills. */
export interface BucketSize {
  readonly mostMs: number;
  /** Processor time that comes back in a millisecond. */
  readonly perMs: number;
}

/** Minutes whose processor time an account may save. */
const SAVED_MINUTES = 2;
/** Test keys get one part in so many. */
const TEST_PART = 5;

/**
 * The bucket of an account.
 *
 * @param secondsPerMinute processor time that comes back in a minute to a live account
 */
export function bucketSize(rank: Rank, secondsPerMinute: number): BucketSize {
  const perMinuteMs = (secondsPerMinute * 1000) / (rank === 'live' ? 1 : TEST_PART);
  return { mostMs: perMinuteMs * SAVED_MINUTES, perMs: perMinuteMs / MINUTE_MS };
}

/** Accounts whose budget is remembered; one that was forgotten has a full budget. */
const ACCOUNTS_MAX = 100_000;

interface Bucket {
  levelMs: number;
  /** When the level was that. */
  atMs: number;
}

/** Budgets in the memory of the one process that serves. A restart fills them. */
export class MemoryBudget implements ComputeBudget {
  readonly #secondsPerMinute: number;
  readonly #now: () => number;
  readonly #buckets = new BoundedMap<string, Bucket>(ACCOUNTS_MAX);

  /**
   * @param secondsPerMinute processor time that comes back in a minute to a live account
   * @param now a clock that never goes back, in milliseconds
   */
  constructor(secondsPerMinute: number, now: () => number = () => performance.now()) {
    this.#secondsPerMinute = secondsPerMinute;
    this.#now = now;
  }

  async waitMs(spender: Spender): Promise<number> {
    const { perMs } = bucketSize(spender.rank, this.#secondsPerMinute);
    const levelMs = this.#level(spender);
    return levelMs > 0 ? 0 : Math.ceil((1 - levelMs) / perMs);
  }

  async take(spender: Spender, usedMs: number): Promise<void> {
    const levelMs = this.#level(spender) - usedMs;
    this.#buckets.set(spender.account, { levelMs, atMs: this.#now() });
  }

  #level({ account, rank }: Spender): number {
    const { mostMs, perMs } = bucketSize(rank, this.#secondsPerMinute);
    const known = this.#buckets.get(account);
    if (known === undefined) return mostMs;
    return Math.min(mostMs, known.levelMs + (this.#now() - known.atMs) * perMs);
  }
}
