import { describe, expect, it } from 'vitest';
import { freshEnv, run } from './run-cli.js';

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

  it('lists every fault of the configuration', async () => {
    const env = freshEnv({ PORT: 'x', HOST: 'a b', SERVICE_ENV: 'prod' });
    const [text, json] = await Promise.all([run('serve', env), run('accounts list --json', env)]);
    expect(text).toMatchObject({ code: 2, stdout: '' });
    expect(text.stderr.match(/^ {2}(PORT|HOST|SERVICE_ENV) must be/gm)).toHaveLength(3);
    expect(text.stderr).not.toMatch(/^\s+at /m);
    expect(json).toMatchObject({ code: 2, stderr: '', json: { code: 'invalid_configuration' } });
    expect(json.json.faults).toHaveLength(3);
  });
});

describe('help', () => {
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
    'credits grant',
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
    const [help, none, pipeline] = await Promise.all([
      run('--help'),
      run('--json'),
      run('pipeline --help'),
    ]);
    expect(help.code).toBe(0);
    expect(help.stdout).toContain('Exit codes: 0 done, 1 refused or failed, 2 wrong usage');
    expect(none).toMatchObject({ code: 2, json: { code: 'wrong_usage' } });
    // The help comes from the pipeline itself, with its exit code.
    expect(pipeline.code).toBe(0);
    expect(pipeline.stdout).toContain('--without');
  });
});
