import { statSync, symlinkSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { firstSteps } from '../../src/cli/first-account.js';
import { readConfig } from '../../src/config.js';
import { type CliEnv, freshEnv, run, type Served, serve } from '../support/cli.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';

const ARTIFACTS_DIR = writeTinyArtifact();
const servers: Served[] = [];

async function serving(env: CliEnv, words: readonly string[] = []): Promise<Served> {
  const served = await serve(env, words);
  servers.push(served);
  return served;
}

afterEach(() => {
  for (const { child } of servers.splice(0)) child.kill('SIGKILL');
});

/** Sends the request of the printed curl command. */
function follow(output: string): Promise<Response> {
  const line = /curl (\S+) -H '([^']+)' -H '([^']+)' -d '([^']+)'/.exec(output);
  const [, url, first, second, body] = (line ?? []) as readonly string[];
  if (url === undefined || body === undefined) throw new Error(`no curl line in:\n${output}`);
  const headers = [first, second].map((header) => String(header).split(': ') as [string, string]);
  return fetch(url, { method: 'POST', headers, body });
}

describe('serve', () => {
  it('creates a first account once, and is one process for a SQLite file that commands use', async () => {
    const env = freshEnv({ ARTIFACTS_DIR });
    const first = await serving(env);
    const answer = await follow(first.output.stdout);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ measurement: 'Stature', country: 'NL' });
    const { pid } = first.child;
    const path = env.DATABASE_URL.replace('file:', '');
    expect(statSync(`${path}-serving`).mode & 0o777).toBe(0o600);
    // Another name of the file changes nothing.
    symlinkSync(path, `${path}-link`);
    const linked = { ...env, PORT: '0', DATABASE_URL: `file:${path}-link` };
    const refused = await run('serve --json', linked);
    expect(refused.code).toBe(1);
    const fault = JSON.parse(refused.stderr || refused.stdout);
    expect(fault).toMatchObject({ code: 'database_served' });
    expect(fault.message).toContain(`in use by another server (process ${pid})`);
    expect(fault.message).toContain('Several servers need Redis and PostgreSQL');
    expect((await run('keys create --account first --mode test', env)).code).toBe(0);
    // The lock ends with its process, however that ends.
    await first.stop('SIGKILL');
    expect(first.output.stderr).not.toContain('vt_test_');

    const second = await serving(env);
    expect(second.output.stdout).toMatch(/listening on http:\/\/127\.0\.0\.1:\d+ /);
    expect(second.output.stdout).toContain('npx vitruvia keys create --account first');
    const [grant = ''] = /(?<=npx vitruvia )credits grant .+/.exec(second.output.stdout) ?? [];
    const balance = Number(/--amount (\d+)/.exec(grant)?.[1]);
    expect((await run(`${grant} --json`, env)).json).toMatchObject({ balance });
    expect(second.output.stdout).not.toContain('vt_');
    expect(await second.stop('SIGINT')).toEqual([0, null]);
  });

  it('does not create an account in production', async () => {
    const env = freshEnv({ ARTIFACTS_DIR, SERVICE_ENV: 'production' });
    expect((await run('accounts list --json', env)).json).toEqual([]);
    const { hints, ...made } = await firstSteps(readConfig(env));
    expect(made).toEqual({});
    expect(hints.join('\n')).toContain('npx vitruvia accounts create --name NAME');
    expect((await run('accounts list --json', env)).json).toEqual([]);
  });

  it('explains in one sentence why it cannot start', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const PORT = String((other.address() as AddressInfo).port);
    const failure = await run('serve', freshEnv({ ARTIFACTS_DIR, PORT }));
    other.close();
    expect(failure).toMatchObject({ code: 1, stdout: '' });
    expect(failure.stderr.trim().split('\n')).toHaveLength(1);
    expect(failure.stderr).toContain(`127.0.0.1:${PORT} is in use`);
  });
});
