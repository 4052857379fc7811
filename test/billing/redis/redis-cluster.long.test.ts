import { describe, expect, it } from 'vitest';
import { stateKey } from '../../../src/billing/redis/keys.js';
import { haveServers, startRedisCluster } from '../../support/servers.js';
import { useOpened } from '../../support/use-opened.js';
import { gateContract } from '../gate-contract.js';
import { step, type TestKey } from '../gate-harness.js';
import { RedisHarness } from './redis-harness.js';

/** Much longer than the remaining nodes need, also on a busy machine. */
const ANSWER_MAX_MS = 2000;

describe.skipIf(!haveServers)('redis gate on a cluster of three nodes', () => {
  const cluster = useOpened(startRedisCluster);

  gateContract('redis cluster', (options) => RedisHarness.open(cluster, options));

  it('asks once for all steps of a turn and partition', async () => {
    const harness = await RedisHarness.open(cluster);
    const keys: TestKey[] = [];
    for (let i = 0; i < 12; i++) keys.push(await harness.newKey(await harness.newAccount()));
    const turn = () =>
      Promise.all([...keys, ...keys, ...keys].map((key) => harness.gate.step(step(key))));
    // A busy machine may need a moment to open its first connections.
    await expect.poll(() => turn().then(() => true)).toBe(true);
    const calls = async () => {
      const stats = await Promise.all(
        cluster.nodes.map((node) => node.run('info', 'commandstats')),
      );
      const counts = stats.map(
        (text) => /cmdstat_evalsha:calls=(\d+)/.exec(String(text))?.[1] ?? 0,
      );
      return counts.reduce<number>((sum, count) => sum + Number(count), 0);
    };
    const before = await calls();
    await turn();
    const partitions = new Set(keys.map(({ partition }) => partition));
    expect((await calls()) - before).toBe(partitions.size);
    await harness.close();
  });

  it('spreads accounts over all nodes, and continues when one is lost', async () => {
    const harness = await RedisHarness.open(cluster, { answerMaxMs: ANSWER_MAX_MS });
    const keys: TestKey[] = [];
    for (let i = 0; i < 24; i++) keys.push(await harness.newKey(await harness.newAccount()));
    const settle = () => Promise.allSettled(keys.map((key) => harness.gate.step(step(key))));
    // A busy machine may need a moment to open its first connections.
    await expect
      .poll(async () => (await settle()).every(({ status }) => status === 'fulfilled'))
      .toBe(true);
    const [lost] = cluster.nodes;
    const names = new Set((await lost?.run('keys', '*:state')) as string[]);
    const there = keys.filter(({ partition }) => names.has(stateKey(partition)));
    expect(there.length).toBeGreaterThan(0);
    expect(there.length).toBeLessThan(keys.length);
    await lost?.kill();
    // All steps end while the node is away.
    const results = await settle();
    keys.forEach((key, index) => {
      expect(results[index]?.status).toBe(there.includes(key) ? 'rejected' : 'fulfilled');
    });
    expect(await harness.gate.ready()).toBe(true);
    await lost?.restart();
    await harness.close();
  });
});
