import { describe, expect, it } from 'vitest';
import { connectRedis } from '../../../src/billing/redis/connect.js';
import { RedisBudget } from '../../../src/billing/redis/redis-budget.js';
import { bucketSize } from '../../../src/request/queue.js';
import { haveServers, startRedis } from '../../support/servers.js';
import { until } from '../../support/until.js';
import { useOpened } from '../../support/use-opened.js';

const LIVE = { id: 'a live', priority: 'live' };
const TEST = { id: 'a test', priority: 'test' };

describe.skipIf(!haveServers)('processor time in Redis', () => {
  const server = useOpened(startRedis);

  const faults: unknown[] = [];
  /** Makes a node. Its budgets use a connection of their own and are refilled by one millisecond in an hour. */
  async function node() {
    const redis = connectRedis(server.url, 2000);
    await until(() => redis.status === 'ready');
    const bucketOf = (mode: 'live' | 'test') => ({ ...bucketSize(mode, 30), perMs: 1 / 3_600_000 });
    const budget = new RedisBudget({
      redis,
      bucketOf,
      onFault: (error) => void faults.push(error),
    });
    return { budget, redis };
  }

  it('is shared by all nodes, apart for each account and mode', async () => {
    const [one, other] = [await node(), await node()];
    expect(await one.budget.waitMs(LIVE)).toBe(0);
    await one.budget.take(LIVE, 30_000);
    expect(await other.budget.waitMs(LIVE)).toBe(0);
    await other.budget.take(LIVE, 50_000);
    const waitMs = await one.budget.waitMs(LIVE);
    // The account owes 20 s. One millisecond comes back in an hour.
    expect(waitMs / 3_600_000).toBeGreaterThan(19_999);
    expect(waitMs / 3_600_000).toBeLessThanOrEqual(20_001);
    expect(await other.budget.waitMs(TEST)).toBe(0);
    expect(await other.budget.waitMs({ id: 'b live', priority: 'live' })).toBe(0);
    // A full bucket is not stored.
    const keys = await one.redis.keys('compute:*');
    expect(keys).toEqual(['compute:a:live']);
    expect(await one.redis.pttl('compute:a:live')).toBeGreaterThan(waitMs);
    one.redis.disconnect();
    other.redis.disconnect();
    expect(faults).toEqual([]);
  });

  it('comes back as usual after a clock that ran ahead is set back', async () => {
    const { budget, redis } = await node();
    const account = { id: 'ahead live', priority: 'live' };
    await budget.take(account, 60_000 + 1e-9);
    const key = 'compute:ahead:live';
    await redis.hset(key, 'at', Date.now() + 24 * 3_600_000);
    expect(await budget.waitMs(account)).toBeGreaterThan(0);
    expect(Number(await redis.hget(key, 'at'))).toBeLessThanOrEqual(Date.now() + 1000);
    redis.disconnect();
  });

  it('refuses nobody while Redis does not answer', async () => {
    const { budget, redis } = await node();
    await budget.take(TEST, 1e6);
    expect(await budget.waitMs(TEST)).toBeGreaterThan(0);
    redis.disconnect();
    expect(await budget.waitMs(TEST)).toBe(0);
    await budget.take(TEST, 1);
    expect(faults).toHaveLength(2);
  });
});
