import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { createAccount } from '../../../src/accounts/accounts.js';
import { hashApiKey } from '../../../src/accounts/api-key.js';
import { grantCredits } from '../../../src/accounts/credits.js';
import { createKey } from '../../../src/accounts/keys.js';
import type { GateStep } from '../../../src/billing/gate.js';
import { eventsKey, fundsKey, stateKey } from '../../../src/billing/redis/keys.js';
import { createRedisGate, type RedisGate } from '../../../src/billing/redis/redis-gate.js';
import type { Drift } from '../../../src/billing/worker/compare.js';
import {
  type CommittedBatch,
  Drain,
  type Drained,
  type WorkerObserver,
} from '../../../src/billing/worker/drain.js';
import { allGroups } from '../../../src/billing/worker/groups.js';
import { reconcileGroup } from '../../../src/billing/worker/reconcile.js';
import type { Mode } from '../../../src/core/billing-terms.js';
import { openDatabase } from '../../../src/database/open.js';
import type { Database } from '../../../src/database/schema.js';
import { verifyLedger } from '../../../src/ledger/verify-ledger.js';
import { newMigratedDatabase, type RedisServer, startRedis } from '../../support/servers.js';

/** An account that a test charges. */
export interface Payer {
  readonly accountId: string;
  readonly partition: number;
  readonly keyId: string;
  readonly keyHash: string;
  readonly mode: Mode;
}

/** A step of `predict` that costs one credit or free call. */
export function stepOf(
  { keyHash, partition }: Payer,
  idempotency?: { readonly key: string; readonly answerJson: string },
): GateStep {
  const step = { keyHash, partition, requestId: randomUUID(), operation: 'predict' };
  const counts = { cost: 1, hits: 1 };
  if (idempotency === undefined) return { ...step, ...counts };
  return { ...step, ...counts, idempotency: { ...idempotency, fingerprint: 'f' } };
}

/** Makes a charge like the script of the gate, but does not check whether the charge is allowed. */
const CHARGE = `
redis.call('HSETNX', KEYS[1], 'generation', 1)
if redis.call('EXISTS', KEYS[2]) == 1 then
  redis.call('HINCRBY', KEYS[2], 'spent', ARGV[1])
  if ARGV[2] ~= '0' then
    local free = redis.call('HGET', KEYS[2], 'free')
    local use = ARGV[3] .. ':' .. ARGV[2]
    redis.call('HSET', KEYS[2], 'free', free == '' and use or free .. ',' .. use)
  end
end
redis.call('XADD', KEYS[3], '*', unpack(ARGV, 4))`;

/** Names and values of an event, in the order used before 2026-11-22. */
function chargeValues(
  { accountId, mode, keyId }: Payer,
  requestId: string,
  credits: number,
  freeCalls: number,
  atMs: number,
): [string, string | number][] {
  return [
    ['request', requestId],
    ['account', accountId],
    ['mode', mode],
    ['key', keyId],
    ['operation', 'predict'],
    ['hits', 1],
    ['credits', credits],
    ['free_calls', freeCalls],
    ['at', atMs],
  ];
}

/** A Redis and a PostgreSQL, with the parts of a worker. A test calls each part itself. */
export class WorkerHarness implements WorkerObserver {
  readonly log = pino({ level: 'silent' });
  readonly batches: CommittedBatch[] = [];
  readonly driftCounters: string[] = [];
  #payers = 0;
  private constructor(
    readonly server: RedisServer,
    readonly databaseUrl: string,
    readonly db: Database,
    readonly redis: Redis,
  ) {}

  static async open(options: { aof?: boolean; databaseUrl?: string } = {}): Promise<WorkerHarness> {
    const server = await startRedis(options);
    const databaseUrl = options.databaseUrl ?? (await newMigratedDatabase());
    const db = await openDatabase(databaseUrl);
    const redis = new Redis(server.url, { enableAutoPipelining: true });
    redis.on('error', () => undefined);
    return new WorkerHarness(server, databaseUrl, db, redis);
  }

  batchCommitted(batch: CommittedBatch): void {
    this.batches.push(batch);
  }

  driftRepaired(counter: string): void {
    this.driftCounters.push(counter);
  }

  jobFailed(): void {}

  /** A drain without a lag, unless one is given. */
  drain(lagMs = 0): Drain {
    return new Drain({ db: this.db, redis: this.redis, log: this.log, observer: this, lagMs });
  }

  async drainAll(lagMs = 0): Promise<void> {
    const drain = this.drain(lagMs);
    for (const group of allGroups()) {
      let drained: Drained;
      do drained = await drain.drainGroup(group);
      while (drained.more || drained.events > 0);
    }
  }

  /** Number of usage entries of an account in the ledger. */
  async entriesOf({ accountId }: Pick<Payer, 'accountId'>): Promise<number> {
    const { entries } = await this.db
      .selectFrom('ledger_entries')
      .select(({ fn }) => fn.countAll<number>().as('entries'))
      .where('account_id', '=', accountId)
      .where('kind', '=', 'usage')
      .executeTakeFirstOrThrow();
    return entries;
  }

  /** Reconciles all groups; returns the drifts. */
  async reconcile(): Promise<readonly Drift[]> {
    const drifts: Drift[] = [];
    const parts = { db: this.db, redis: this.redis, log: this.log, observer: this };
    for (const group of allGroups()) drifts.push(...(await reconcileGroup(parts, group)).drifts);
    return drifts;
  }

  async newPayer(credits: number, mode: Mode = 'live'): Promise<Payer> {
    const { id: accountId, partition } = await createAccount(this.db, `payer ${++this.#payers}`);
    const { id: keyId, apiKey } = await createKey(this.db, accountId, mode);
    if (credits > 0) await grantCredits(this.db, accountId, mode, credits);
    return { accountId, partition, keyId, keyHash: hashApiKey(apiKey), mode };
  }

  /** Makes a charge in Redis like the gate does. Returns the request id. */
  async charge(
    payer: Payer,
    credits: number,
    freeCalls = 0,
    more: readonly string[] = [],
  ): Promise<string> {
    const requestId = randomUUID();
    const atMs = Date.now();
    const values = chargeValues(payer, requestId, credits, freeCalls, atMs);
    const { accountId, mode, partition } = payer;
    const keys = [stateKey(partition), fundsKey(partition, accountId, mode), eventsKey(partition)];
    const args = [credits, freeCalls, atMs, ...values.flat(), ...more];
    await this.redis.eval(CHARGE, 3, ...keys, ...args);
    return requestId;
  }

  /** Opens a gate on the same stores. */
  openGate(): Promise<RedisGate> {
    // The limit is high, because these tests do not measure how fast a busy machine answers.
    const options = { rateLimitMax: 1_000_000, answerMaxMs: 5000 };
    return createRedisGate({ redisUrl: this.server.url, db: this.db, ...options });
  }

  async balance(payer: Payer): Promise<number> {
    const row = await this.db
      .selectFrom('balances')
      .select('paid_credits')
      .where('account_id', '=', payer.accountId)
      .where('mode', '=', payer.mode)
      .executeTakeFirstOrThrow();
    return row.paid_credits;
  }

  /** Balances that differ from the sum of their ledger entries. */
  wrongBalances() {
    return verifyLedger(this.db);
  }

  async close(): Promise<void> {
    this.redis.disconnect();
    await this.db.destroy();
    await this.server.stop();
  }
}
