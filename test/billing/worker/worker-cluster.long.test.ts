import { Cluster, Command } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { grantCredits } from '../../../src/accounts/credits.js';
import { eventsKey, stateKey } from '../../../src/billing/redis/keys.js';
import { createRedisGate } from '../../../src/billing/redis/redis-gate.js';
import { connectWorker } from '../../../src/billing/worker/connect.js';
import { Drain } from '../../../src/billing/worker/drain.js';
import { allGroups } from '../../../src/billing/worker/groups.js';
import { reconcileGroup } from '../../../src/billing/worker/reconcile.js';
import { backlogOf } from '../../../src/billing/worker/unbooked.js';
import { readConfig } from '../../../src/config.js';
import { PARTITIONS } from '../../../src/core/billing-terms.js';
import { startWorker } from '../../../src/worker.js';
import { haveServers, startRedisCluster } from '../../support/servers.js';
import { until } from '../../support/until.js';
import { useOpened } from '../../support/use-opened.js';
import { type Payer, stepOf, WorkerHarness } from './worker-harness.js';

const ACCOUNTS = 12;

/** A partition without a payer, on the node with this port. */
function unusedOn(payers: readonly Payer[], { slots }: Cluster, port: number | undefined): number {
  return [...Array(PARTITIONS).keys()].findIndex(
    (partition) =>
      payers.every((payer) => payer.partition !== partition) &&
      slots[new Command('xlen', [eventsKey(partition)]).getSlot()]?.[0]?.endsWith(`:${port}`),
  );
}

describe.skipIf(!haveServers)('worker on a Redis Cluster', () => {
  const cluster = useOpened(startRedisCluster);
  const harness = useOpened(() => WorkerHarness.open());

  it('drains, credits and reconciles across all nodes', async () => {
    const { db, databaseUrl, log } = harness;
    const stores = { REDIS_URL: cluster.url, DATABASE_URL: databaseUrl };
    const config = readConfig({ ...stores, DRAIN_LAG_MS: '0', LOG_LEVEL: 'silent' });
    const worker = await startWorker(config);
    const gate = await createRedisGate({ redisUrl: cluster.url, db, answerMaxMs: 5000 });
    const payers = await Promise.all(Array.from({ length: ACCOUNTS }, () => harness.newPayer(10)));
    for (const payer of payers) {
      expect(await gate.step(stepOf(payer))).toMatchObject({ kind: 'charged' });
      await grantCredits(db, payer.accountId, 'live', 5);
    }
    for (const payer of payers) {
      const { accountId: id, partition, mode } = payer;
      await until(async () => (await harness.balance(payer)) === 14);
      await until(async () => (await gate.funds({ id, partition }, mode)).paidCredits === 14);
    }
    const redis = connectWorker(cluster.url);
    expect(redis).toBeInstanceOf(Cluster);
    await until(async () => redis.status === 'ready');
    let accounts = 0;
    for (const group of allGroups()) {
      const found = await reconcileGroup({ db, redis, log, observer: harness }, group);
      expect(found.drifts).toEqual([]);
      accounts += found.accounts;
    }
    expect(accounts).toBe(ACCOUNTS);
    redis.disconnect();
    await gate.close();
    await worker.close();
  });

  it('reads the whole backlog in a few calls, also while a slot moves', async () => {
    const { db, log } = harness;
    const gate = await createRedisGate({ redisUrl: cluster.url, db, answerMaxMs: 5000 });
    const payers = await Promise.all(Array.from({ length: ACCOUNTS }, () => harness.newPayer(10)));
    const redis = connectWorker(cluster.url) as Cluster;
    await until(async () => redis.status === 'ready' && redis.slots.length > 0);
    for (const payer of payers) await gate.step(stepOf(payer));
    // Loads the script on each node.
    expect(await backlogOf(redis)).toMatchObject({ events: ACCOUNTS });
    const scriptCalls = async (read: () => Promise<unknown>) => {
      for (const node of cluster.nodes) await node.run('config', 'resetstat');
      await read();
      const stats = await Promise.all(
        cluster.nodes.map((node) => node.run('info', 'commandstats')),
      );
      const counts = stats.map((text) => /cmdstat_evalsha:calls=(\d+)/.exec(`${text}`)?.[1]);
      return counts.reduce((sum, count) => sum + Number(count ?? 0), 0);
    };
    // 1,024 partitions in calls of 64, and one more for each further node.
    expect(await scriptCalls(() => backlogOf(redis))).toBeLessThanOrEqual(16 + 2);
    const drain = new Drain({ db, redis, log, observer: harness, lagMs: 60_000 });
    expect(await scriptCalls(() => drain.drainGroup(0))).toBeLessThanOrEqual(3);
    const [from, to] = cluster.nodes;
    const id = await to?.run('cluster', 'myid');
    const slot = new Command('xlen', [eventsKey(unusedOn(payers, redis, from?.port))]).getSlot();
    for (const node of [to, from]) await node?.run('cluster', 'setslot', slot, 'node', `${id}`);
    expect(await backlogOf(redis)).toMatchObject({ events: ACCOUNTS });
    redis.disconnect();
    await gate.close();
  });

  it('drains the other nodes while the node with the jobs is away', async () => {
    const { db, databaseUrl } = harness;
    for (const node of cluster.nodes) {
      await node.run('config', 'set', 'cluster-require-full-coverage', 'no');
    }
    const stores = { REDIS_URL: cluster.url, DATABASE_URL: databaseUrl };
    const config = readConfig({ ...stores, DRAIN_LAG_MS: '0', LOG_LEVEL: 'silent' });
    const worker = await startWorker(config);
    const gate = await createRedisGate({ redisUrl: cluster.url, db, answerMaxMs: 5000 });
    const payers = await Promise.all(Array.from({ length: ACCOUNTS }, () => harness.newPayer(10)));
    for (const payer of payers) await gate.step(stepOf(payer));
    for (const payer of payers) await until(async () => (await harness.balance(payer)) === 9);
    const jobs = await Promise.all(cluster.nodes.map((node) => node.run('keys', '{vitruvia}*')));
    const lost = cluster.nodes[jobs.findIndex((names) => (names as string[]).length > 0)];
    const gone = (await lost?.run('keys', '*:state')) as string[];
    const others = payers.filter(({ partition }) => !gone.includes(stateKey(partition)));
    expect(others.length).toBeGreaterThan(0);
    await lost?.kill();
    for (const payer of others) await gate.step(stepOf(payer));
    for (const payer of others) await until(async () => (await harness.balance(payer)) === 8);
    await lost?.restart();
    for (const payer of payers) {
      await until(
        async () => (await gate.step(stepOf(payer)).catch(() => undefined)) !== undefined,
      );
    }
    const left = (payer: Payer) => (others.includes(payer) ? 7 : 8);
    for (const payer of payers) {
      await until(async () => (await harness.balance(payer)) <= left(payer));
    }
    await gate.close();
    await worker.close();
  });
});
