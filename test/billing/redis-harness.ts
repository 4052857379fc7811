import { Cluster, Redis } from 'ioredis';
import type { Transaction } from 'kysely';
import type { Mode } from '../../src/billing/gate.js';
import { decodeEvent, type UsageEvent } from '../../src/billing/redis/event.js';
import { apiKeyKey, eventsKey, fundsKey, stateKey } from '../../src/billing/redis/keys.js';
import {
  createRedisGate,
  type RedisGate,
  type RedisGateOptions,
} from '../../src/billing/redis/redis-gate.js';
import type { LedgerDrift } from '../../src/billing/verify-ledger.js';
import { newEntryId } from '../../src/database/ids.js';
import { openDatabase } from '../../src/database/open.js';
import type { Schema } from '../../src/database/schema.js';
import { newPostgresDatabase, type RedisCluster, type RedisServer } from '../support/servers.js';
import { type GateHarness, LedgerHarness, START_MS } from './gate-harness.js';

interface Moment {
  ms: number;
}

/** What a test may change of the gate. */
export type RedisHarnessOptions = Partial<RedisGateOptions>;

/** A machine busy with other tests must not be taken for a Redis that is away. */
const PATIENT_MS = 10_000;

/** The Redis gate on an emptied Redis of the test's and a PostgreSQL database of its own. */
export class RedisHarness extends LedgerHarness implements GateHarness {
  gate: RedisGate;
  /** A client beside the gate's. */
  readonly redis: Redis | Cluster;
  readonly #options: RedisGateOptions;

  private constructor(
    options: RedisGateOptions,
    gate: RedisGate,
    redis: Redis | Cluster,
    clock: Moment,
  ) {
    super(options.db, clock);
    this.#options = options;
    this.gate = gate;
    this.redis = redis;
  }

  static async open(
    server: RedisServer | RedisCluster,
    options: RedisHarnessOptions = {},
  ): Promise<RedisHarness> {
    const clock = { ms: START_MS };
    const nodes = 'nodes' in server ? server.nodes : [server];
    await Promise.all(nodes.map((node) => node.flush()));
    const redis = nodes.length > 1 ? new Cluster(server.url.split(',')) : new Redis(server.url);
    redis.on('error', () => undefined);
    const db = await openDatabase(await newPostgresDatabase());
    const usual = { clock: () => clock.ms, answerMaxMs: PATIENT_MS, redisUrl: server.url, db };
    const all = { ...usual, ...options };
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

  /** Books the charges of an account's partition, as the worker does, and takes them off Redis. */
  async drain(accountId: string): Promise<void> {
    const { partition } = await this.place(accountId);
    const events = await this.events(partition);
    await this.db.transaction().execute(async (trx) => {
      for (const event of events) await bookUsage(trx, event);
    });
    await this.redis.del(eventsKey(partition));
    await this.redis.hdel(stateKey(partition), 'oldest');
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

async function bookUsage(trx: Transaction<Schema>, event: UsageEvent): Promise<void> {
  const { accountId, mode, requestId, keyId, operation, credits, freeCalls, hits, atMs } = event;
  const owner = { account_id: accountId, mode } as const;
  const { paid_credits: balance } = await trx
    .updateTable('balances')
    .set((eb) => ({ paid_credits: eb('paid_credits', '-', credits) }))
    .where('account_id', '=', accountId)
    .where('mode', '=', mode)
    .returning('paid_credits')
    .executeTakeFirstOrThrow();
  const entry = { ...owner, kind: 'usage' as const, credits: -credits, free_calls: freeCalls };
  const cause = `request:${requestId}`;
  const rest = { operation, key_id: keyId, rate_hits: hits, at_ms: atMs, balance_after: balance };
  await trx
    .insertInto('ledger_entries')
    .values({ id: newEntryId(atMs), cause, ...entry, ...rest })
    .execute();
  if (event.answer === undefined) return;
  const { key, fingerprint, json: answer_json, remainingFreeCalls } = event.answer;
  const answer = { fingerprint, answer_json, remaining_free_calls: remainingFreeCalls };
  await trx
    .insertInto('idempotent_answers')
    .values({ ...owner, operation, key, ...answer, at_ms: atMs })
    .execute();
}
