import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { grantCredits } from '../../../src/accounts/credits.js';
import { revokeKey } from '../../../src/accounts/keys.js';
import { apiKeyKey, eventsKey, fundsKey, stateKey } from '../../../src/billing/redis/keys.js';
import { applyOutbox } from '../../../src/billing/worker/outbox.js';
import { bookDebt } from '../../../src/ledger/debts.js';
import { haveServers } from '../../support/servers.js';
import { useOpened } from '../../support/use-opened.js';
import { type Payer, WorkerHarness } from './worker-harness.js';

describe.skipIf(!haveServers)('reconcile', () => {
  const harness = useOpened(() => WorkerHarness.open());

  it('finds nothing where Redis agrees with ledger and events', async () => {
    const payer = await loadedPayer(100);
    await harness.charge(payer, 5);
    await harness.drainAll();
    await harness.charge(payer, 7);
    expect(await harness.reconcile()).toEqual([]);
  });

  it('reports and repairs a drift of each counter', async () => {
    const payer = await loadedPayer(100);
    await harness.charge(payer, 0, 2);
    await harness.drainAll();
    await harness.charge(payer, 10);
    await harness.charge(payer, 0, 3);
    const { accountId, mode, partition } = payer;
    const funds = fundsKey(partition, accountId, mode);
    const right = await harness.redis.hgetall(funds);
    await harness.redis.hset(funds, { credited: 90, version: 7, spent: 3, free: '' });
    const before = harness.driftCounters.length;
    const drifts = [
      { accountId, mode, counter: 'credited', found: 90, expected: 100 },
      { accountId, mode, counter: 'credit_version', found: 7, expected: 1 },
      { accountId, mode, counter: 'spent', found: 3, expected: 10 },
      { accountId, mode, counter: 'free_calls', found: 0, expected: 5 },
    ];
    expect(await harness.reconcile()).toEqual(drifts);
    expect(await harness.redis.hgetall(funds)).toEqual(right);
    expect(harness.driftCounters.slice(before)).toEqual(drifts.map(({ counter }) => counter));
    const rows = await harness.db
      .selectFrom('drifts')
      .select(['mode', 'counter', 'found', 'expected'])
      .where('account_id', '=', accountId)
      .orderBy('id')
      .execute();
    expect(rows).toEqual(drifts.map(({ accountId: _, ...drift }) => drift));
    expect(await harness.reconcile()).toEqual([]);
  });

  it('reports and repairs a debt that Redis does not know, unless it is on its way', async () => {
    const payer = await loadedPayer(100);
    const { accountId, mode, partition } = payer;
    const entry = { accountId, kind: 'reversed', credits: 40, reversal: 'refund:1' } as const;
    await harness.db
      .transaction()
      .execute((trx) => bookDebt(trx, { ...entry, cause: 'refund:1', atMs: Date.now() }));
    expect(await harness.reconcile()).toEqual([]);
    await harness.db.deleteFrom('redis_outbox').execute();
    expect(await harness.reconcile()).toEqual([
      { accountId, mode, counter: 'debt', found: 0, expected: 40 },
      { accountId, mode, counter: 'debt_version', found: 0, expected: 1 },
    ]);
    const funds = fundsKey(partition, accountId, mode);
    expect(await harness.redis.hmget(funds, 'debt', 'debt_version')).toEqual(['40', '1']);
    expect(await harness.reconcile()).toEqual([]);
  });

  it('repairs funds that are not numbers', async () => {
    const payer = await loadedPayer(50);
    const funds = fundsKey(payer.partition, payer.accountId, payer.mode);
    await harness.redis.hset(funds, 'spent', 'much');
    await harness.redis.hdel(funds, 'free');
    expect((await harness.reconcile()).map(({ counter, found }) => [counter, found])).toEqual([
      ['spent', -1],
      ['free_calls', -1],
    ]);
    expect(await harness.redis.hmget(funds, 'spent', 'free')).toEqual(['0', '']);
  });

  it('does not remove credits that are on their way to Redis', async () => {
    const payer = await loadedPayer(100);
    await grantCredits(harness.db, payer.accountId, 'live', 50);
    expect(await harness.reconcile()).toEqual([]);
    await applyOutbox(harness.db, harness.redis);
    const funds = fundsKey(payer.partition, payer.accountId, payer.mode);
    expect(await harness.redis.hmget(funds, 'credited', 'version')).toEqual(['150', '2']);
    expect(await harness.reconcile()).toEqual([]);
  });

  it('counts an event once when it is in the ledger and still in the stream', async () => {
    const payer = await loadedPayer(100);
    const requestId = await harness.charge(payer, 4);
    const [entry] = await harness.redis.xrange(eventsKey(payer.partition), '-', '+');
    await harness.drainAll();
    await harness.redis.del(eventsKey(payer.partition));
    await harness.redis.xadd(eventsKey(payer.partition), entry?.[0] ?? '', ...(entry?.[1] ?? []));
    expect(requestId).not.toBe('');
    expect(await harness.reconcile()).toEqual([]);
    expect(await harness.redis.xlen(eventsKey(payer.partition))).toBe(0);
  });

  it('marks revoked keys in Redis, except those that the outbox has yet to apply', async () => {
    const payer = await loadedPayer(1);
    const { hash } = await harness.db
      .selectFrom('api_keys')
      .select('hash')
      .where('id', '=', payer.keyId)
      .executeTakeFirstOrThrow();
    const key = apiKeyKey(payer.partition, hash);
    await harness.redis.hset(key, { id: payer.keyId, revoked: 0 });
    await revokeKey(harness.db, payer.keyId);
    expect(await harness.reconcile()).toEqual([]);
    await harness.db.deleteFrom('redis_outbox').execute();
    const { accountId, mode } = payer;
    expect(await harness.reconcile()).toEqual([
      { accountId, mode, counter: 'revoked', found: 0, expected: 1 },
    ]);
    expect(await harness.redis.hget(key, 'revoked')).toBe('1');
  });

  it('finds nothing during charges, drains and credits', async () => {
    const payers = await Promise.all(Array.from({ length: 8 }, () => loadedPayer(100_000)));
    let going = true;
    const charging = payers.map(async (payer) => {
      while (going) {
        await Promise.all(Array.from({ length: 20 }, () => harness.charge(payer, 1)));
        await sleep(20);
      }
    });
    const draining = (async () => {
      while (going) await harness.drainAll();
    })();
    const crediting = (async () => {
      while (going) {
        for (const { accountId } of payers) await grantCredits(harness.db, accountId, 'live', 1);
        await applyOutbox(harness.db, harness.redis);
      }
    })();
    try {
      for (let round = 0; round < 2; round++) expect(await harness.reconcile()).toEqual([]);
    } finally {
      going = false;
      await Promise.all([...charging, draining, crediting]);
    }
    await harness.drainAll();
    expect(await harness.reconcile()).toEqual([]);
    expect(await harness.wrongBalances()).toEqual([]);
  });

  /** Creates an account whose funds are in Redis, in the form in which the gate loads them. */
  async function loadedPayer(credits: number): Promise<Payer> {
    const payer = await harness.newPayer(credits);
    const funds = fundsKey(payer.partition, payer.accountId, payer.mode);
    const counters = { credited: credits, version: 1, spent: 0, free: '', free_total: 0 };
    await harness.redis.hset(stateKey(payer.partition), 'generation', 1);
    await harness.redis.hset(funds, counters);
    return payer;
  }
});
