import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsKey, fundsKey } from '../../../src/billing/redis/keys.js';
import type { RedisGate } from '../../../src/billing/redis/redis-gate.js';
import { connectJobs } from '../../../src/billing/worker/connect.js';
import { type Jobs, startJobs } from '../../../src/billing/worker/jobs.js';
import { haveServers } from '../../support/servers.js';
import { type Payer, stepOf, until, WorkerHarness } from './worker-harness.js';

const ANSWERS = 400;
const ANSWER_CHARS = 10_000;

describe.skipIf(!haveServers)('a Redis whose memory is full', { timeout: 120_000 }, () => {
  let harness: WorkerHarness;
  let gate: RedisGate;
  let jobs: Jobs | undefined;
  beforeAll(async () => {
    harness = await WorkerHarness.open();
    gate = await harness.openGate();
  });
  afterAll(async () => {
    await jobs?.close();
    await gate.close();
    await harness.close();
  });

  it('charges nothing, is drained all the same, and goes on once there is room', async () => {
    const payer = await harness.newPayer(10_000);
    for (let call = 0; call < ANSWERS; call++) {
      const answer = { key: `k${call}`, answerJson: `"${'x'.repeat(ANSWER_CHARS)}"` };
      await gate.step(stepOf(payer, answer));
    }
    // The stream holds as much as the answers: with it gone there is room again.
    await harness.server.run('config', 'set', 'maxmemory', (await usedBytes()) - 1_000_000);
    const before = await held(payer);
    await expect(gate.step(stepOf(payer))).rejects.toMatchObject({ reason: 'unavailable' });
    expect(await held(payer)).toEqual(before);
    const lines = await work();
    await until(async () => (await entriesOf(payer)) === ANSWERS);
    await until(async () => (await harness.redis.xlen(eventsKey(payer.partition))) === 0);
    expect(await gate.step(stepOf(payer))).toMatchObject({ kind: 'charged' });
    await harness.drainAll();
    expect(await harness.balance(payer)).toBe(10_000 - ANSWERS - 1);
    expect(await harness.reconcile()).toEqual([]);
    expect(lines.length).toBeLessThan(20);
  });

  /** Starts a worker's jobs; the lines it logs. */
  async function work(): Promise<readonly string[]> {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const drain = harness.drain();
    jobs = startJobs({
      connection: connectJobs(harness.server.url),
      log,
      observer: harness,
      reconcileEveryMs: 3_600_000,
      handlers: {
        drain: (group, stop) => drain.drainGroup(group, stop),
        reconcile: async () => undefined,
        expire: async () => undefined,
      },
    });
    await sleep(1000);
    return lines;
  }

  async function usedBytes(): Promise<number> {
    return Number(/^used_memory:(\d+)/m.exec(await harness.redis.info('memory'))?.[1]);
  }

  async function held({ accountId, mode, partition }: Payer): Promise<unknown> {
    const funds = await harness.redis.hgetall(fundsKey(partition, accountId, mode));
    return { ...funds, events: await harness.redis.xlen(eventsKey(partition)) };
  }

  async function entriesOf({ accountId }: Payer): Promise<number> {
    const { entries } = await harness.db
      .selectFrom('ledger_entries')
      .select((eb) => eb.fn.countAll<number>().as('entries'))
      .where('account_id', '=', accountId)
      .where('kind', '=', 'usage')
      .executeTakeFirstOrThrow();
    return Number(entries);
  }
});
