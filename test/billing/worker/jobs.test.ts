import { Queue } from 'bullmq';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectJobs } from '../../../src/billing/worker/connect.js';
import { allGroups } from '../../../src/billing/worker/groups.js';
import { type JobHandlers, type Jobs, startJobs } from '../../../src/billing/worker/jobs.js';
import { haveServers, startRedis } from '../../support/servers.js';
import { until } from '../../support/until.js';
import { useOpened } from '../../support/use-opened.js';

describe.skipIf(!haveServers)('jobs', () => {
  const server = useOpened(startRedis);
  let jobs: Jobs[] = [];
  let reconciled: number[] = [];
  let expiries = 0;
  let failed: string[] = [];
  beforeEach(async () => {
    await server.flush();
    reconciled = [];
    expiries = 0;
    failed = [];
  });
  afterEach(async () => {
    await Promise.all(jobs.map((each) => each.close()));
    jobs = [];
  });

  it('reconcile every group and expire answers, once for all workers', async () => {
    start();
    start();
    await until(() => reconciled.length >= allGroups().length && expiries > 0);
    expect(reconciled.toSorted((a, b) => a - b)).toEqual(allGroups());
    expect(expiries).toBe(1);
  });

  it('are scheduled again after Redis was emptied', async () => {
    start();
    await until(() => reconciled.length === allGroups().length && expiries === 1);
    await server.flush();
    await until(() => reconciled.length === 2 * allGroups().length && expiries === 2);
    expect(failed).toEqual([]);
  });

  it('end the schedule of an older worker, and do nothing for its job', async () => {
    const connection = connectJobs(server.url);
    const queue = new Queue('maintenance', { connection, prefix: '{vitruvia}' });
    await queue.upsertJobScheduler('partition', { every: 600_000 }, { name: 'partition' });
    await queue.add('partition', {});
    start();
    await until(async () => (await queue.getJobSchedulersCount()) === allGroups().length + 1);
    await until(async () => (await queue.getJobCountByTypes('wait', 'active')) === 0);
    expect(reconciled.toSorted((a, b) => a - b)).toEqual(allGroups());
    expect(failed).toEqual([]);
    await queue.close();
    connection.disconnect();
  });

  it('are repeated after a failure, which is counted', async () => {
    start({
      reconcile: async (group) => {
        reconciled.push(group);
        if (group === 3 && failed.length === 0) throw new Error('PostgreSQL is away');
      },
    });
    await until(() => reconciled.filter((group) => group === 3).length === 2);
    expect(failed).toEqual(['reconcile']);
  });

  it('reconcile groups on demand', async () => {
    const running = start();
    await until(() => reconciled.length === allGroups().length);
    await running.reconcileSoon([5, 7]);
    await until(() => reconciled.length === allGroups().length + 2);
    expect(reconciled.slice(-2).toSorted((a, b) => a - b)).toEqual([5, 7]);
  });

  it('can be closed while Redis is away', async () => {
    const away = await startRedis();
    const connection = connectJobs(away.url);
    const running = start({}, connection);
    await until(() => reconciled.length === allGroups().length);
    await away.kill();
    await until(() => connection.status !== 'ready');
    await expect(running.close()).resolves.toBeUndefined();
    jobs = [];
    await away.stop();
  });

  function start(handlers: Partial<JobHandlers> = {}, connection = connectJobs(server.url)): Jobs {
    const running = startJobs({
      connection,
      log: pino({ level: 'silent' }),
      observer: { jobFailed: (job) => void failed.push(job) },
      // Long enough that only the first reconciliation happens within a test.
      reconcileEveryMs: 3_600_000,
      handlers: {
        reconcile: async (group) => void reconciled.push(group),
        expire: async () => void expiries++,
        ...handlers,
      },
    });
    jobs.push(running);
    return running;
  }
});
