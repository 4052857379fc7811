import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { fundsKey } from '../../../src/billing/redis/keys.js';
import { expireAnswers } from '../../../src/billing/worker/jobs.js';
import { applyOutbox } from '../../../src/billing/worker/outbox.js';
import { haveServers } from '../../support/servers.js';
import { until } from '../../support/until.js';
import { useOpened } from '../../support/use-opened.js';
import { type Payer, stepOf, WorkerHarness } from './worker-harness.js';

const DAY_MS = 24 * 3600 * 1000;

describe.skipIf(!haveServers)('a loss of data in Redis', () => {
  const harness = useOpened(() => WorkerHarness.open({ aof: true }));
  const gate = useOpened(() => harness.openGate());

  it('at a restart from its file includes nothing that is in the ledger', async () => {
    const payer = await harness.newPayer(100_000);
    let charged = 0;
    let going = true;
    const charging = Array.from({ length: 8 }, async () => {
      while (going) {
        // While Redis is down, a refusal returns at once. The pause lets the rest of the test run.
        const one = await charge(payer).catch(() => sleep(1, 0));
        charged += one;
      }
    });
    const drain = (async () => {
      while (going) await harness.drainAll(1500).catch(() => undefined);
    })();
    await until(async () => (await harness.entriesOf(payer)) > 100);
    await harness.server.kill();
    await harness.server.restart();
    await until(gateIsReady);
    const before = await harness.entriesOf(payer);
    await until(async () => (await harness.entriesOf(payer)) > before);
    going = false;
    await Promise.all([...charging, drain]);
    expect(await harness.reconcile()).toEqual([]);
    await harness.drainAll();
    expect(await harness.reconcile()).toEqual([]);
    // A killed Redis keeps all that it has written. A request that was cut off may have been charged.
    const entries = await harness.entriesOf(payer);
    expect(entries).toBeGreaterThanOrEqual(charged);
    expect(entries).toBeLessThanOrEqual(charged + 8);
    expect(await harness.balance(payer)).toBe(100_000 - entries);
    expect(await paid(payer)).toBe(100_000 - entries);
    expect(await harness.wrongBalances()).toEqual([]);
  });

  it('by emptying it includes only what was not drained yet', async () => {
    const payer = await harness.newPayer(100);
    for (let call = 0; call < 20; call++) await charge(payer);
    await harness.drainAll();
    for (let call = 0; call < 5; call++) await charge(payer);
    await harness.server.flush();
    expect(await paid(payer)).toBe(80);
    await charge(payer);
    await harness.drainAll();
    expect(await harness.balance(payer)).toBe(79);
    expect(await paid(payer)).toBe(79);
    expect(await harness.reconcile()).toEqual([]);
  });

  it('by emptying it keeps stored answers, until they are a day old', async () => {
    const payer = await harness.newPayer(100);
    const answer = { key: 'k', answerJson: '{"value":1}' };
    expect(await gate.step(stepOf(payer, answer))).toMatchObject({ kind: 'charged' });
    await harness.drainAll();
    await harness.server.flush();
    const again = await gate.step(stepOf(payer, { ...answer, answerJson: '{}' }));
    expect(again).toMatchObject({ kind: 'replayed', answerJson: '{"value":1}' });
    expect(await expireAnswers(harness.db, Date.now())).toBe(0);
    expect(await expireAnswers(harness.db, Date.now() + DAY_MS)).toBe(1);
  });

  it('by an earlier state allows double spending, which is forgiven, and is repaired', async () => {
    const payer = await harness.newPayer(10);
    for (let call = 0; call < 8; call++) await charge(payer);
    await harness.drainAll();
    await harness.redis.hset(fundsKey(payer.partition, payer.accountId, payer.mode), 'spent', 0);
    for (let call = 0; call < 10; call++) await charge(payer);
    await harness.drainAll();
    expect(await harness.balance(payer)).toBe(0);
    expect(harness.batches.at(-1)).toMatchObject({ booked: 10, forgiven: 8 });
    await applyOutbox(harness.db, harness.redis);
    const counters = (await harness.reconcile()).map(({ counter, found, expected }) => [
      counter,
      found,
      expected,
    ]);
    expect(counters).toEqual([['spent', 10, 18]]);
    expect(await paid(payer)).toBe(0);
    expect(await harness.reconcile()).toEqual([]);
    expect(await harness.wrongBalances()).toEqual([]);
  });

  /** Makes a request. Returns 1 if a credit was charged for it. */
  async function charge(payer: Payer): Promise<number> {
    const outcome = await gate.step(stepOf(payer));
    return outcome.kind === 'charged' && outcome.remainingFreeCalls === undefined ? 1 : 0;
  }

  function gateIsReady(): Promise<boolean> {
    return gate.ready();
  }

  async function paid({ accountId: id, partition, mode }: Payer): Promise<number> {
    return (await gate.funds({ id, partition }, mode)).paidCredits;
  }
});
