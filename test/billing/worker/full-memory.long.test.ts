import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsKey, fundsKey } from '../../../src/billing/redis/keys.js';
import type { RedisGate } from '../../../src/billing/redis/redis-gate.js';
import { connectJobs } from '../../../src/billing/worker/connect.js';
import { runDrains } from '../../../src/billing/worker/drain.js';
import { type Jobs, startJobs } from '../../../src/billing/worker/jobs.js';
import { haveServers } from '../../support/servers.js';
import { until } from '../../support/until.js';
import { type Payer, stepOf, WorkerHarness } from './worker-harness.js';

const ANSWERS = 400;
const ANSWER_CHARS = 10_000;
/** Without our pauses, the loop of BullMQ would be refused about 500 times in a turn of 50 ms. */
const REFUSALS_MAX_PER_TURN = 20;

describe.skipIf(!haveServers)('a Redis whose memory is full', () => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const stop = new AbortController();
  let harness: WorkerHarness;
  let gate: RedisGate;
  let jobs: Jobs | undefined;
  let drains: Promise<void> | undefined;
  let reconciliations = 0;
  beforeAll(async () => {
    harness = await WorkerHarness.open();
    gate = await harness.openGate();
  });
  afterAll(async () => {
    stop.abort();
    await Promise.all([drains, jobs?.close()]);
    await gate.close();
    await harness.close();
  });

  it('charges nothing, is drained nevertheless, and charges again once there is room', async () => {
    const payer = await harness.newPayer(10_000);
    jobs = startJobs({
      connection: connectJobs(harness.server.url),
      log,
      observer: harness,
      reconcileEveryMs: 200,
      handlers: { reconcile: async () => reconciliations++, expire: async () => undefined },
    });
    for (let call = 0; call < ANSWERS; call++) {
      const answer = { key: `k${call}`, answerJson: `"${'x'.repeat(ANSWER_CHARS)}"` };
      await gate.step(stepOf(payer, answer));
    }
    await until(() => reconciliations > 0);
    // The stream is as large as the answers, so draining it makes enough room.
    await harness.server.run('config', 'set', 'maxmemory', (await usedBytes()) - 1_000_000);
    const before = await held(payer);
    await expect(gate.step(stepOf(payer))).rejects.toMatchObject({ reason: 'unavailable' });
    expect(await held(payer)).toEqual(before);
    expect(await gate.ready()).toBe(false);
    expect(await refusalsPerTurn()).toBeLessThan(REFUSALS_MAX_PER_TURN);
    const reconciledBefore = reconciliations;
    drains = runDrains(harness.drain(), { log, observer: harness }, stop.signal);
    await until(async () => (await harness.entriesOf(payer)) === ANSWERS);
    await until(async () => (await harness.redis.xlen(eventsKey(payer.partition))) === 0);
    expect(await gate.ready()).toBe(true);
    expect(await gate.step(stepOf(payer))).toMatchObject({ kind: 'charged' });
    await harness.drainAll();
    await until(async () => (await harness.balance(payer)) === 10_000 - ANSWERS - 1);
    await until(() => reconciliations > reconciledBefore);
    expect(await harness.reconcile()).toEqual([]);
    expect(lines.length).toBeLessThan(20);
  });

  /** Number of times that Redis refuses the due jobs in a turn of `until`. */
  async function refusalsPerTurn(): Promise<number> {
    const refusals = async () => {
      const stats = await harness.redis.info('errorstats');
      return Number(/^errorstat_OOM:count=(\d+)/m.exec(stats)?.[1] ?? 0);
    };
    const before = await refusals();
    let turns = 0;
    await until(async () => {
      turns++;
      return (await refusals()) >= before + 10;
    });
    return ((await refusals()) - before) / turns;
  }

  async function usedBytes(): Promise<number> {
    return Number(/^used_memory:(\d+)/m.exec(await harness.redis.info('memory'))?.[1]);
  }

  async function held({ accountId, mode, partition }: Payer): Promise<unknown> {
    const funds = await harness.redis.hgetall(fundsKey(partition, accountId, mode));
    return { ...funds, events: await harness.redis.xlen(eventsKey(partition)) };
  }
});
