import { Cluster, Redis } from 'ioredis';
import { pino } from 'pino';
import { decodeEvent, type UsageEvent } from '../../../src/billing/redis/event.js';
import { eventsKey } from '../../../src/billing/redis/keys.js';
import {
  createRedisGate,
  type RedisGate,
  type RedisGateOptions,
} from '../../../src/billing/redis/redis-gate.js';
import { Drain } from '../../../src/billing/worker/drain.js';
import { allGroups, partitionsOf } from '../../../src/billing/worker/groups.js';
import { applyOutbox } from '../../../src/billing/worker/outbox.js';
import type { Mode } from '../../../src/core/billing-terms.js';
import { openDatabase } from '../../../src/database/open.js';
import type { LedgerDrift } from '../../../src/ledger/verify-ledger.js';
import { newMigratedDatabase, type RedisCluster, type RedisServer } from '../../support/servers.js';
import { GateHarness, START_MS } from '../gate-harness.js';

const SILENT = pino({ level: 'silent' });
/** An observer that notes nothing. */
export const QUIET = {
  batchCommitted: () => undefined,
  driftRepaired: () => undefined,
  jobFailed: () => undefined,
};

interface Moment {
  ms: number;
}

/** Options of the gate that a test may change. */
export type RedisHarnessOptions = Partial<RedisGateOptions>;

/** This time is long enough that a slow machine does not look like a Redis that is down. */
const PATIENT_MS = 10_000;

/** The Redis gate on an empty Redis and its own PostgreSQL database. */
export class RedisHarness extends GateHarness {
  gate: RedisGate;
  /** A client of the test, separate from the gate's. */
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
    const db = await openDatabase(await newMigratedDatabase());
    const usual = { clock: () => clock.ms, answerMaxMs: PATIENT_MS, redisUrl: server.url, db };
    const all = { ...usual, ...options };
    return new RedisHarness(all, await createRedisGate(all), redis, clock);
  }

  override async grant(accountId: string, amount: number, mode: Mode = 'live'): Promise<void> {
    await super.grant(accountId, amount, mode);
    await applyOutbox(this.db, this.redis);
  }

  override async purchase(accountId: string, amount: number): Promise<void> {
    await super.purchase(accountId, amount);
    await applyOutbox(this.db, this.redis);
  }

  override async owe(accountId: string, credits: number): Promise<void> {
    await super.owe(accountId, credits);
    await applyOutbox(this.db, this.redis);
  }

  /** The charges of the deleted account are booked first. In production, this happens after some seconds. */
  override async succeed(closedId: string, accountId: string): Promise<void> {
    await this.drain(closedId);
    await super.succeed(closedId, accountId);
    await applyOutbox(this.db, this.redis);
  }

  override async revoke(keyId: string): Promise<void> {
    await super.revoke(keyId);
    await applyOutbox(this.db, this.redis);
  }

  /** Paid credits in the ledger after all charges are booked. Redis must have the same number. */
  override async balance(accountId: string, mode: Mode = 'live'): Promise<number> {
    const { paidCredits } = await this.gate.funds(await this.place(accountId), mode);
    await this.drain(accountId);
    const booked = await super.balance(accountId, mode);
    if (booked !== paidCredits)
      throw new Error(`Redis has ${paidCredits} credits, the ledger ${booked}.`);
    return booked;
  }

  /** Differences within the ledger after all charges are booked. */
  override async drifts(): Promise<readonly LedgerDrift[]> {
    const accounts = await this.db.selectFrom('accounts').select('id').execute();
    for (const { id } of accounts) await this.balance(id);
    return await super.drifts();
  }

  /** Charges on their way to the ledger. */
  async events(partition: number): Promise<UsageEvent[]> {
    const entries = await this.redis.xrange(eventsKey(partition), '-', '+');
    return entries.map(([id, fields]) => decodeEvent(id, fields));
  }

  /** Books the charges of an account's group, as a worker does. */
  async drain(accountId: string): Promise<void> {
    const { partition } = await this.place(accountId);
    const parts = { db: this.db, redis: this.redis, log: SILENT, observer: QUIET, lagMs: 0 };
    const group = allGroups().find((each) => partitionsOf(each).includes(partition)) ?? 0;
    await new Drain(parts).drainGroup(group);
  }

  /** Opens another gate on the same stores, like the gate of another process. */
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
