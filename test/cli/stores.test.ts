import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createAccount } from '../../src/accounts/accounts.js';
import { checkRedis } from '../../src/billing/redis/check-redis.js';
import { applyOutbox } from '../../src/billing/worker/outbox.js';
import { withDatabase } from '../../src/cli/with-database.js';
import { readConfig } from '../../src/config.js';
import { describeFailure } from '../../src/failure.js';
import { createLog } from '../../src/log.js';
import { createMetrics } from '../../src/metrics/service-metrics.js';
import { openGate } from '../../src/open-gate.js';
import { stepOf, WorkerHarness } from '../billing/worker/worker-harness.js';
import { type CliEnv, collect, run, start } from '../support/cli.js';
import { startPostgres } from '../support/postgres-server.js';
import {
  haveServers,
  newMigratedDatabase,
  newPostgresDatabase,
  type RedisServer,
  startRedis,
} from '../support/servers.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';
import { until } from '../support/until.js';
import { useOpened } from '../support/use-opened.js';

const ARTIFACTS_DIR = writeTinyArtifact();
const SECRET = 'hunter2';

describe.skipIf(!haveServers)('a store that cannot be used', () => {
  const locked = useOpened(async () => {
    const server = await startRedis();
    // The server is started without a password, because its start is checked without one. It gets the password here.
    await server.run('config', 'set', 'requirepass', 'right');
    return server;
  });
  const open = useOpened(startRedis);
  let databaseUrl: string;
  beforeAll(async () => {
    databaseUrl = await newMigratedDatabase();
  });

  it('is told by address and cause, never with the password', async () => {
    const at = (server: RedisServer, login = '', end = '') =>
      `redis://${login}127.0.0.1:${server.port}${end}`;
    const refused: readonly (readonly [string, string, RegExp])[] = [
      [at(locked, `:${SECRET}@`), 'access_denied', /WRONGPASS/],
      [at(locked, `default:${SECRET}@`), 'access_denied', /WRONGPASS/],
      [at(locked), 'access_denied', /NOAUTH/],
      [at(open, '', '/99'), 'no_database', /DB index/],
      [at(open).replace('redis:', 'rediss:'), 'unreachable', /ETIMEDOUT|TLS/],
      [`redis://:${SECRET}@127.0.0.1:1`, 'unreachable', /ECONNREFUSED/],
      [`redis://:${SECRET}@redis.invalid:6379`, 'unreachable', /redis\.invalid/],
      [at(open).replace('redis:', 'redis+cluster:'), 'no_cluster', /cluster support/],
    ];
    for (const [url, reason, cause] of refused) {
      const error = await checkRedis(url).then(
        () => new Error(`${url} can be used`),
        (fault: Error) => fault,
      );
      expect(error, url).toMatchObject({ reason, message: expect.stringMatching(cause) });
      expect(error.message).toMatch(/^Redis at (127\.0\.0\.1|redis\.invalid):\d+ cannot be used/);
      expect(JSON.stringify([error.message, error.stack, error])).not.toContain(SECRET);
    }
    await checkRedis(at(locked, ':right@', '/1'));
    await checkRedis(at(open, ':needless@'));
  });

  it('ends the start of service and worker, with exit code 1', async () => {
    const env = { DATABASE_URL: databaseUrl, ARTIFACTS_DIR, LOG_LEVEL: 'warn' };
    const wrong = { ...env, REDIS_URL: `redis://:${SECRET}@127.0.0.1:${locked.port}` };
    const unsafe = { ...env, REDIS_URL: open.url, SERVICE_ENV: 'production' };
    const absent = {
      ...{ ...wrong, REDIS_URL: open.url },
      DATABASE_URL: databaseUrl.replace(/\/[^/]*$/, '/absent'),
    };
    const runs: (readonly [string, readonly [string, CliEnv]])[] = [
      ['redis_access_denied', ['serve --json', { ...wrong, PORT: '0' }]],
      ['redis_settings', ['serve --json', unsafe]],
      ['database_no_database', ['worker --json', absent]],
    ];
    const results = await Promise.all(runs.map(([, words]) => run(...words)));
    results.forEach((result, index) => {
      const [code, [words]] = runs[index] ?? ['', ['']];
      expect([words, result.code, result.json.code]).toEqual([words, 1, code]);
      expect(result.json.message).toMatch(
        /127\.0\.0\.1:\d+.* cannot be used (in production )?\(.+\)\. [A-Z]/,
      );
      expect(result.stdout + result.stderr).not.toContain(SECRET);
    });
    expect(results[1]?.json.message).toMatch(/: set appendonly yes\)\. Change/);
  });

  it('is waited for when it comes a little later', async () => {
    const late = await startRedis();
    await late.kill();
    const env = { DATABASE_URL: databaseUrl, REDIS_URL: late.url, LOG_LEVEL: 'warn' };
    const child = start(['worker', '--json'], env);
    const output = collect(child);
    await until(() => output.stderr.includes('waiting for a store, ten seconds at most'), 120_000);
    await late.restart();
    await until(() => output.stdout !== '', 120_000);
    expect(JSON.parse(output.stdout)).toEqual({});
    child.kill('SIGKILL');
    await late.stop();
  });
});

describe.skipIf(!haveServers)('a fault of the database', () => {
  it('is told with its remedy and without the password', async () => {
    const wrong = (await newPostgresDatabase()).replace(/:[^:@]*@/, `:${SECRET}@`);
    const failures = await Promise.all([
      run('accounts list --json', { DATABASE_URL: wrong }),
      run('accounts list --json', { DATABASE_URL: `${wrong}?sslmode=require` }),
      run('accounts list --json', { DATABASE_URL: `postgres://a:${SECRET}@127.0.0.1:1/db` }),
      run('serve --json', { DATABASE_URL: wrong }),
    ]);
    expect(failures.map(({ code, json }) => [code, json.code])).toEqual([
      [1, 'database_access_denied'],
      [1, 'database_tls'],
      [1, 'database_unreachable'],
      [2, 'invalid_configuration'],
    ]);
    expect(failures[0]?.json.message).toContain('Correct the user and password in DATABASE_URL');
    expect(failures[1]?.json.message).toMatch(/support SSL.*Correct sslmode in DATABASE_URL/);
    expect(failures[3]?.json.message).toContain('REDIS_URL must be set');
    expect(JSON.stringify(failures)).not.toContain(SECRET);
  });
});

describe.skipIf(!haveServers)('a PostgreSQL that dies inside a command', () => {
  it('is told with what was booked, without a stack', async () => {
    const server = await startPostgres();
    vi.stubEnv('DATABASE_URL', await server.newDatabase());
    const command = withDatabase(async (db) => {
      await createAccount(db, 'acme');
      await server.kill();
      await createAccount(db, 'other');
    });
    const { document } = await command.then(() => describeFailure(undefined), describeFailure);
    vi.unstubAllEnvs();
    await server.stop();
    expect(document).toEqual({ code: 'database_unavailable', message: expect.any(String) });
    expect(document.message).toMatch(/PostgreSQL at .* What was booked before is kept/);
  });
});

describe.skipIf(!haveServers)('usage that no worker has booked', () => {
  it('is named by credits show and ledger verify', async () => {
    const harness = await WorkerHarness.open();
    const payer = await harness.newPayer(1000);
    const gate = await harness.openGate();
    for (let call = 0; call < 3; call++) await gate.step({ ...stepOf(payer), cost: 100 });
    await gate.close();
    const env = { DATABASE_URL: harness.databaseUrl, REDIS_URL: harness.server.url };
    const show = `credits show --account ${payer.accountId}`;
    const counts = { events: 3, credits: 300, freeCalls: 0, ageSeconds: expect.any(Number) };
    const [shown, text, verified, blind] = await Promise.all([
      run(`${show} --json`, env),
      run(show, env),
      run('ledger verify', env),
      run(show, { DATABASE_URL: harness.databaseUrl }),
    ]);
    expect(shown.json).toMatchObject({ balances: { live: 1000 }, unbooked: { live: counts } });
    const sentence =
      /Not booked yet: 300 credits and 0 free calls of 3 requests; the oldest has waited for \d+ s\./;
    expect(text.stdout).toMatch(sentence);
    expect(verified.stdout).toMatch(sentence);
    expect(blind.stdout).toContain('not known what is not booked yet: REDIS_URL is not set');
    // The metrics of a node without any worker.
    const config = readConfig({ ...env, LOG_LEVEL: 'silent' });
    const metrics = createMetrics();
    const loaded = Promise.resolve(metrics);
    const opened = await openGate(config, { log: createLog(config, 2), metrics: loaded });
    await until(async () => (await opened.backlog?.().catch(() => undefined))?.events === 3);
    expect((await opened.backlog?.())?.ageSeconds).toBeGreaterThan(0);
    await opened.close();
    await opened.db?.destroy();
    // A correction down cannot know what was spent since. It reaches Redis, and what is missing is forgiven.
    const correct = `credits correct --account ${payer.accountId} --amount -900 --reason late --json`;
    for (const applied of [true, false]) {
      expect((await run(correct, env)).json).toMatchObject({ balance: 100, applied });
    }
    await applyOutbox(harness.db, harness.redis);
    const open = await harness.openGate();
    expect(await open.step({ ...stepOf(payer), cost: 100 })).toMatchObject({
      kind: 'insufficient_credits',
    });
    await open.close();
    await harness.drainAll();
    const after = await run(`${show} --json`, env);
    expect(after.json).toMatchObject({ balances: { live: 0 }, unbooked: { live: { events: 0 } } });
    await applyOutbox(harness.db, harness.redis);
    expect(await harness.reconcile()).toEqual([]);
    expect(await harness.wrongBalances()).toEqual([]);
    await harness.close();
  });
});
