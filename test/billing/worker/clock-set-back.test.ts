import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsKey, stateKey } from '../../../src/billing/redis/keys.js';
import { createRedisGate } from '../../../src/billing/redis/redis-gate.js';
import { haveServers } from '../../support/servers.js';
import { until } from '../../support/until.js';
import { type Payer, stepOf, WorkerHarness } from './worker-harness.js';

const HOUR_MS = 3_600_000;
const LAG_MS = 500;

describe.skipIf(!haveServers)('a Redis whose clock was set back by an hour', () => {
  let harness: WorkerHarness;
  beforeAll(async () => {
    harness = await WorkerHarness.open();
  });
  afterAll(() => harness.close());

  it('is drained of what has lain long enough, not of what is younger', async () => {
    const payer = await newPayer();
    const gate = await harness.openGate();
    const drain = harness.drain(LAG_MS);
    const group = Math.floor(payer.partition / 64);
    await gate.step(stepOf(payer));
    expect((await drain.drainGroup(group)).events).toBe(0);
    await gate.step(stepOf(payer));
    await sleep(LAG_MS);
    expect((await drain.drainGroup(group)).events).toBe(1);
    await until(async () => (await drain.drainGroup(group)).events === 1);
    expect(await harness.balance(payer)).toBe(98);
    expect(await harness.redis.hget(stateKey(payer.partition), 'oldest')).toBeNull();
    expect(await harness.reconcile()).toEqual([]);
    await gate.close();
  });

  it('fails closed as ever when nothing is drained', async () => {
    const payer = await newPayer();
    const stores = { redisUrl: harness.server.url, db: harness.db };
    const gate = await createRedisGate({ ...stores, answerMaxMs: 5000, backlogMaxAgeMs: 300 });
    await harness.redis.hset(stateKey(payer.partition), 'oldest', Date.now() + HOUR_MS);
    expect(await gate.step(stepOf(payer))).toMatchObject({ kind: 'charged' });
    await harness.drain(HOUR_MS).drainGroup(Math.floor(payer.partition / 64));
    await sleep(400);
    await expect(gate.step(stepOf(payer))).rejects.toMatchObject({ reason: 'unavailable' });
    await gate.close();
  });

  /** A payer in whose stream the latest event was an hour from now. */
  async function newPayer(): Promise<Payer> {
    const payer = await harness.newPayer(100);
    const name = eventsKey(payer.partition);
    const id = `${Date.now() + HOUR_MS}-0`;
    await harness.redis.xadd(name, id, 'charge', 'x');
    await harness.redis.xdel(name, id);
    return payer;
  }
});
