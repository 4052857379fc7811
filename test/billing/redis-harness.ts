import { Redis } from 'ioredis';
import type { Mode } from '../../src/billing/gate.js';
import { decodeEvent, type UsageEvent } from '../../src/billing/redis/event.js';
import { apiKeyKey, eventsKey, fundsKey } from '../../src/billing/redis/keys.js';
import {
  createRedisGate,
  type RedisGate,
  type RedisGateOptions,
} from '../../src/billing/redis/redis-gate.js';
import type { LedgerDrift } from '../../src/billing/verify-ledger.js';
import { openDatabase } from '../../src/database/open.js';
import { newPostgresDatabase, type RedisServer } from '../support/servers.js';
import { type GateHarness, LedgerHarness, START_MS } from './gate-harness.js';

interface Moment {
  ms: number;
}

/** What a test may change of the gate. */
export type RedisHarnessOptions = Partial<Omit<RedisGateOptions, 'redisUrl' | 'db'>>;

/** The Redis gate on an emptied Redis of the test's and a PostgreSQL database of its own. */
export class RedisHarness extends LedgerHarness implements GateHarness {
  gate: RedisGate;
  /** A client beside the gate's. */
  readonly redis: Redis;
  readonly #options: RedisGateOptions;

  private constructor(options: RedisGateOptions, gate: RedisGate, redis: Redis, clock: Moment) {
    super(options.db, clock);
    this.#options = options;
    this.gate = gate;
    this.redis = redis;
  }

  static async open(server: RedisServer, options: RedisHarnessOptions = {}): Promise<RedisHarness> {
    const clock = { ms: START_MS };
    const redis = new Redis(server.url);
    redis.on('error', () => undefined);
    await redis.flushall();
    const db = await openDatabase(await newPostgresDatabase());
    const all = { clock: () => clock.ms, ...options, redisUrl: server.url, db };
    return new RedisHarness(all, await createRedisGate(all), redis, clock);
  }

  override async grant(accountId: string, amount: number, mode: Mode = 'live'): Promise<void> {
    await super.grant(accountId, amount, mode);
    const { partition } = await this.place(accountId);
    const name = fundsKey(partition, accountId, mode);
    const { credited, credit_version: version } = await this.db
      .selectFrom('balances')
      .select(['credited', 'credit_version'])
      .where('account_id', '=', accountId)
      .where('mode', '=', mode)
      .executeTakeFirstOrThrow();
    if (await this.redis.exists(name)) await this.redis.hset(name, { credited, version });
  }

  override async revoke(keyId: string): Promise<void> {
    await super.revoke(keyId);
    const { hash, partition } = await this.db
      .selectFrom('api_keys')
      .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
      .select(['api_keys.hash', 'accounts.partition'])
      .where('api_keys.id', '=', keyId)
      .executeTakeFirstOrThrow();
    await this.redis.hset(apiKeyKey(partition, hash), { revoked: 1 });
  }

  override async balance(accountId: string, mode: Mode = 'live'): Promise<number> {
    return (await this.gate.funds(await this.place(accountId), mode)).paidCredits;
  }

  /** Accounts whose spending is not the sum of their events. */
  override async drifts(): Promise<readonly LedgerDrift[]> {
    const drifts: LedgerDrift[] = [];
    const accounts = await this.db.selectFrom('accounts').selectAll().execute();
    for (const { id: accountId, partition } of accounts) {
      const events = await this.events(partition);
      for (const mode of ['live', 'test'] as const) {
        const spent = Number(await this.redis.hget(fundsKey(partition, accountId, mode), 'spent'));
        const ledgerCredits = events
          .filter((event) => event.accountId === accountId && event.mode === mode)
          .reduce((sum, { credits }) => sum + credits, 0);
        if (spent !== ledgerCredits) {
          drifts.push({ accountId, mode, figure: 'spent', stored: spent, ledger: ledgerCredits });
        }
      }
    }
    return drifts;
  }

  /** Charges on their way to the ledger. */
  async events(partition: number): Promise<UsageEvent[]> {
    const entries = await this.redis.xrange(eventsKey(partition), '-', '+');
    return entries.map(([id, fields]) => decodeEvent(id, fields));
  }

  /** Another gate on the same stores, as another process has. */
  anotherGate(options: RedisHarnessOptions = {}): Promise<RedisGate> {
    return createRedisGate({ ...this.#options, ...options });
  }

  async crash(): Promise<void> {
    const dying = this.gate;
    this.gate = await this.anotherGate();
    await dying.close();
  }

  async close(): Promise<void> {
    await this.gate.close();
    this.redis.disconnect();
    await this.db.destroy();
  }
}
