import type { Cluster, Redis } from 'ioredis';
import type { Mode } from '../../core/billing-terms.js';
import { Deadlines } from './deadlines.js';
import { type Argument, scriptText } from './scripts.js';

/** The bucket of an account: its largest level, and how fast it fills. */
export interface RedisBucket {
  readonly mostMs: number;
  readonly perMs: number;
}

/** Dependencies of budgets in Redis. */
export interface RedisBudgetParts {
  /** A connection that fails fast; it stays open. */
  readonly redis: Redis | Cluster;
  /** The bucket of a mode. */
  readonly bucketOf: (mode: Mode) => RedisBucket;
  /** Is told why Redis did not answer. */
  readonly onFault: (error: unknown) => void;
}

/** How long Redis may take to answer. */
const ANSWER_MAX_MS = 150;

type BudgetClient = (Redis | Cluster) & {
  computeBudget(...keyThenArguments: Argument[]): Promise<number>;
};

/**
 * Processor time of accounts, which all nodes share (`budget.lua`). While Redis does not answer,
 * the budget refuses nobody: without Redis, nothing can be charged, so nothing is answered anyway.
 */
export class RedisBudget {
  readonly #parts: RedisBudgetParts;
  readonly #redis: BudgetClient;
  readonly #deadlines = new Deadlines(
    ANSWER_MAX_MS,
    () => new Error('Redis did not answer in time.'),
  );

  constructor(parts: RedisBudgetParts) {
    this.#parts = parts;
    parts.redis.defineCommand('computeBudget', { lua: scriptText('budget.lua'), numberOfKeys: 1 });
    this.#redis = parts.redis as BudgetClient;
  }

  /** Milliseconds until the account may begin a computation; 0 if it may now. Never rejects. */
  waitMs(account: { readonly id: string; readonly priority: string }): Promise<number> {
    return this.#call(account, 0);
  }

  /** Takes processor time. Never rejects. */
  async take(
    account: { readonly id: string; readonly priority: string },
    usedMs: number,
  ): Promise<void> {
    await this.#call(account, usedMs);
  }

  async #call(
    { id, priority }: { readonly id: string; readonly priority: string },
    usedMs: number,
  ): Promise<number> {
    const { mostMs, perMs } = this.#parts.bucketOf(priority === 'live' ? 'live' : 'test');
    const key = `compute:${id.replace(' ', ':')}`;
    try {
      const call = this.#redis.computeBudget(key, mostMs, perMs, usedMs.toFixed(3));
      return await this.#deadlines.watch(call);
    } catch (error) {
      this.#parts.onFault(error);
      return 0;
    }
  }
}
