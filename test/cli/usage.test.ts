import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { programWords } from '../support/build.js';
import { freshEnv, run } from '../support/cli.js';

describe('wrong usage', () => {
  it.each([
    ['bogus', "unknown command 'bogus'"],
    ['accounts create', '--name'],
    ['keys create --account a --mode free', 'live, test'],
    ['credits grant --account a --amount many', 'It must be a number.'],
    ['predict --measurement Stature --age 3', '--gender, --percentile'],
    ['accounts list --bogus', "unknown option '--bogus'"],
  ])('%s exits with 2 and says why', async (words, message) => {
    const [text, json] = await Promise.all([run(words), run(`${words} --json`)]);
    expect(text).toMatchObject({ code: 2, stdout: '' });
    expect(text.stderr).toContain(message);
    expect(text.stderr).not.toMatch(/^\s+at /m);
    expect(json).toMatchObject({ code: 2, stderr: '', json: { code: 'wrong_usage' } });
    expect(json.json.message).toContain(message);
  });

  it('refuses JSON that names a field twice', async () => {
    const population = '{"groups":[{"countries":["DE"],"ageMin":20,"ageMin":30,"ageMax":60}]}';
    const words = ['percentiles', '--measurements', 'Stature', '--percentiles', '50'];
    const { code, stderr } = await run([...words, '--population', population]);
    expect(code).toBe(2);
    expect(stderr).toContain('"ageMin" is given more than once in the same JSON object.');
  });

  it('lists every fault of the configuration', async () => {
    const env = freshEnv({ PORT: 'x', HOST: 'a b', SERVICE_ENV: 'prod' });
    const words = 'accounts list';
    const [text, json] = await Promise.all([run(words, env), run(`${words} --json`, env)]);
    expect(text).toMatchObject({ code: 2, stdout: '' });
    expect(text.stderr.match(/^ {2}(PORT|HOST|SERVICE_ENV) must be/gm)).toHaveLength(3);
    expect(text.stderr).not.toMatch(/^\s+at /m);
    expect(json).toMatchObject({ code: 2, stderr: '', json: { code: 'invalid_configuration' } });
    expect(json.json.faults).toHaveLength(3);
  });
});

describe('commands of many nodes', () => {
  it('are refused without their stores', async () => {
    // Another Redis may run at the default address. The test must not reach it.
    const url = 'redis://127.0.0.1:1';
    const postgres = 'postgres://a:b@127.0.0.1:1/c';
    const [neither, worker, noPostgres, noRedis] = await Promise.all([
      run('reconcile'),
      run('worker --json'),
      run('reconcile --json', freshEnv({ REDIS_URL: url })),
      run('reconcile --json', { DATABASE_URL: postgres }),
    ]);
    expect(neither).toMatchObject({ code: 2, stdout: '' });
    expect(neither.stderr).toBe(
      'The configuration is not valid:\n  REDIS_URL (redis://host:6379) and DATABASE_URL (postgres://…) must be set, because this command is only for many nodes. A single process (npx vitruvia serve) does without it.\n',
    );
    expect(worker).toMatchObject({ code: 2, stderr: '', json: { code: 'invalid_configuration' } });
    for (const [half, missing] of [
      [noPostgres, /^DATABASE_URL must be postgres/],
      [noRedis, /^REDIS_URL must be set/],
    ] as const) {
      expect(half).toMatchObject({ code: 2, json: { code: 'invalid_configuration' } });
      expect(half.json.faults).toEqual([expect.stringMatching(missing)]);
    }
  });
});

describe('help', () => {
  it('of a program of the package names the command that was typed', async () => {
    const typed = 'Usage: npx vitruvia pipeline ';
    const called = await run('pipeline --help');
    expect(called).toMatchObject({ code: 0, stdout: expect.stringContaining(typed) });
    expect(called.stdout).not.toContain('npm run');
    expect(called.stdout).toContain('--without');
    const [file = '', ...words] = [process.execPath, ...programWords('pipeline/main'), '--help'];
    const { stdout } = await promisify(execFile)(file, words);
    expect(stdout).toContain('Usage: npm run pipeline -- ');
    expect(stdout).not.toContain('npx vitruvia');
  });

  it.each([
    'serve',
    'artifacts verify',
    'artifacts install',
    'artifacts use',
    'accounts create',
    'accounts list',
    'keys create',
    'keys list',
    'keys revoke',
    'accounts delete',
    'ledger export',
    'credits grant',
    'credits correct',
    'credits show',
    'credits debts',
    'credits forgive',
    'lookup',
  ])('%s --help gives an example', async (words) => {
    const { code, stdout, stderr } = await run(`${words} --help`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`npx vitruvia ${words}`);
  });

  it('names every command, without and with a word', async () => {
    const [help, none] = await Promise.all([run('--help'), run('--json')]);
    expect(help.code).toBe(0);
    expect(help.stdout).toContain('Exit codes: 0 done, 1 refused or failed, 2 wrong usage');
    expect(none).toMatchObject({ code: 2, json: { code: 'wrong_usage' } });
  });
});
