import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { grantCredits } from '../../../src/accounts/credits.js';
import { fundsKey } from '../../../src/billing/redis/keys.js';
import { programWords } from '../../support/build.js';
import { haveServers, startPostgres } from '../../support/servers.js';
import { until } from '../../support/until.js';
import { useOpened } from '../../support/use-opened.js';
import { type Payer, stepOf, WorkerHarness } from './worker-harness.js';

const EVENTS = 200;

/** Whether the stores go down, too, which takes a minute more. */
const all = process.env.MODE === 'all';

describe.skipIf(!haveServers)('vitruvia worker', () => {
  const postgres = useOpened(startPostgres);
  const harness = useOpened(async () =>
    WorkerHarness.open({ aof: true, databaseUrl: await postgres.newDatabase() }),
  );
  let workers: ChildProcess[] = [];
  afterEach(async () => {
    await Promise.all(workers.map((worker) => end(worker, 'SIGKILL')));
    workers = [];
  });

  it('drains, credits and measures beside another worker; SIGTERM ends it with exit code 0', async () => {
    const [worker, metrics] = await start();
    await start();
    const payer = await spender();
    await charge(payer, EVENTS);
    await grantCredits(harness.db, payer.accountId, 'live', 7);
    await until(() => booked(payer, EVENTS));
    await until(async () => (await inRedis(payer, 'credited')) === 10_007);
    const measured = async () => (await fetch(`${metrics}/metrics`)).text();
    // Events are removed just after they are booked.
    await until(async () => /^vitruvia_backlog_events 0$/m.test(await measured()));
    const text = await measured();
    expect(text).toMatch(/^vitruvia_outbox_lag_seconds \d/m);
    expect(text).toMatch(/^vitruvia_drained_events_total \d+$/m);
    expect(await end(worker, 'SIGTERM')).toBe(0);
  });

  it('has a command `reconcile` whose exit code and JSON report a drift', async () => {
    const payer = await spender();
    const gate = await harness.openGate();
    await gate.step(stepOf(payer));
    await gate.close();
    expect(await reconcileByCommand()).toMatchObject({ drifts: [] });
    await harness.redis.hset(fundsKey(payer.partition, payer.accountId, payer.mode), 'spent', 9);
    const { accountId, mode } = payer;
    expect(await reconcileByCommand()).toMatchObject({
      exit: 1,
      code: 'drift_found',
      drifts: [{ accountId, mode, counter: 'spent', found: 9, expected: 1 }],
    });
    expect(await inRedis(payer, 'spent')).toBe(1);
  });

  if (!all) return;

  it('recovers after Redis and PostgreSQL were away, and after Redis was emptied', async () => {
    await start();
    const payer = await spender();
    await postgres.kill();
    await charge(payer, EVENTS);
    await postgres.restart();
    await until(() => booked(payer, EVENTS));
    await harness.server.kill();
    await harness.server.restart();
    await charge(payer, EVENTS);
    await until(() => booked(payer, 2 * EVENTS));
    await harness.server.flush();
    await charge(payer, EVENTS);
    await until(() => booked(payer, 3 * EVENTS));
    expect(await harness.wrongBalances()).toEqual([]);
  });

  it('compares Redis with the ledger as soon as Redis has restarted', async () => {
    const payer = await spender();
    const gate = await harness.openGate();
    await gate.step(stepOf(payer));
    await gate.close();
    const [, metrics] = await start({ RECONCILE_INTERVAL_SECONDS: '3600' });
    await until(() => booked(payer, 1));
    const funds = fundsKey(payer.partition, payer.accountId, payer.mode);
    await until(async () => {
      const text = await (await fetch(`${metrics}/metrics`)).text();
      return /^vitruvia_drained_events_total [1-9]/m.test(text);
    });
    await harness.redis.hset(funds, 'spent', 0);
    await harness.server.restart();
    await until(async () => (await inRedis(payer, 'spent')) === 1);
    // The worker first repairs Redis. The row and the metric follow a moment later.
    const drifts = () =>
      harness.db
        .selectFrom('drifts')
        .select(['counter', 'found', 'expected'])
        .where('account_id', '=', payer.accountId)
        .execute();
    const drift = { counter: 'spent', found: 0, expected: 1 };
    await expect.poll(drifts).toEqual([drift]);
    const text = async () => (await fetch(`${metrics}/metrics`)).text();
    const counted = /^vitruvia_drifts_total\{counter="spent"\} 1$/m;
    await expect.poll(text).toMatch(counted);
  });

  async function start(env: Record<string, string> = {}): Promise<[ChildProcess, string]> {
    const worker = spawn(process.execPath, [...programWords('src/cli'), 'worker', '--json'], {
      env: { ...environment(), METRICS_PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    workers.push(worker);
    const [line] = await once(worker.stdout, 'data');
    const { metricsAddress } = JSON.parse(`${line}`) as { metricsAddress: string };
    return [worker, metricsAddress];
  }

  function environment(): NodeJS.ProcessEnv {
    const { server, databaseUrl } = harness;
    const stores = { REDIS_URL: server.url, DATABASE_URL: databaseUrl };
    return { ...process.env, ...stores, DRAIN_LAG_MS: '200', LOG_LEVEL: 'error' };
  }

  async function reconcileByCommand(): Promise<unknown> {
    const args = [...programWords('src/cli'), 'reconcile', '--json'];
    try {
      const { stdout } = await promisify(execFile)(process.execPath, args, { env: environment() });
      return JSON.parse(stdout);
    } catch (error) {
      const { code, stdout } = error as { code: number; stdout: string };
      return { exit: code, ...JSON.parse(stdout) };
    }
  }

  async function spender(): Promise<Payer> {
    const payer = await harness.newPayer(10_000);
    const gate = await harness.openGate();
    await gate.funds({ id: payer.accountId, partition: payer.partition }, payer.mode);
    await gate.close();
    return payer;
  }

  async function charge(payer: Payer, events: number): Promise<void> {
    await Promise.all(Array.from({ length: events }, () => harness.charge(payer, 1)));
  }

  async function booked(payer: Payer, events: number): Promise<boolean> {
    const entries = await harness.entriesOf(payer);
    if (entries > events) throw new Error(`${entries} entries of ${events} events`);
    return entries === events;
  }

  async function inRedis(payer: Payer, counter: string): Promise<number> {
    const funds = fundsKey(payer.partition, payer.accountId, payer.mode);
    return Number(await harness.redis.hget(funds, counter));
  }
});

/** Ends a process with a signal if it still runs. Returns its exit code. */
async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill(signal);
    await once(child, 'exit');
  }
  return child.exitCode;
}
