import { describe, expect, it } from 'vitest';
import { eventsKey, stateKey } from '../../../src/billing/redis/keys.js';
import { createRedisGate } from '../../../src/billing/redis/redis-gate.js';
import { haveServers } from '../../support/servers.js';
import { until } from '../../support/until.js';
import { useOpened } from '../../support/use-opened.js';
import { type Payer, stepOf, WorkerHarness } from './worker-harness.js';

const HOUR_MS = 3_600_000;
const LAG_MS = 500;

describe.skipIf(!haveServers)('a Redis whose clock was set back by an hour', () => {
  const harness = useOpened(() => WorkerHarness.open());

  it('is drained of events that are old enough, and not of younger ones', async () => {
    const payer = await newPayer();
    const gate = await harness.openGate();
    const drain = harness.drain(LAG_MS);
    const group = Math.floor(payer.partition / 64);
    await gate.step(stepOf(payer));
    expect((await drain.drainGroup(group)).events).toBe(0);
    await gate.step(stepOf(payer));
    const batches: number[] = [];
    await until(async () => {
      const { events } = await drain.drainGroup(group);
      if (events > 0) batches.push(events);
      return batches.length === 2;
    });
    expect(batches).toEqual([1, 1]);
    expect(await harness.balance(payer)).toBe(98);
    expect(await harness.redis.hget(stateKey(payer.partition), 'oldest')).toBeNull();
    expect(await harness.reconcile()).toEqual([]);
    await gate.close();
  });

  it('fails closed as usual when nothing is drained', async () => {
    const payer = await newPayer();
    const stores = { redisUrl: harness.server.url, db: harness.db };
    const gate = await createRedisGate({ ...stores, answerMaxMs: 5000, backlogMaxAgeMs: 300 });
    await harness.redis.hset(stateKey(payer.partition), 'oldest', Date.now() + HOUR_MS);
    expect(await gate.step(stepOf(payer))).toMatchObject({ kind: 'charged' });
    await harness.drain(HOUR_MS).drainGroup(Math.floor(payer.partition / 64));
    const isRefused = () =>
      gate.step(stepOf(payer)).then(
        () => false,
        () => true,
      );
    await until(isRefused);
    await expect(gate.step(stepOf(payer))).rejects.toMatchObject({ reason: 'unavailable' });
    await gate.close();
  });

  /** Creates a payer whose latest event has a time one hour ahead of the clock. */
  async function newPayer(): Promise<Payer> {
    const payer = await harness.newPayer(100);
    const name = eventsKey(payer.partition);
    const id = `${Date.now() + HOUR_MS}-0`;
    await harness.redis.xadd(name, id, 'charge', 'x');
    await harness.redis.xdel(name, id);
    return payer;
  }
});
