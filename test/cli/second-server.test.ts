import { symlinkSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { freshEnv, run, type Served, serve } from '../support/cli.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';

const ARTIFACTS_DIR = writeTinyArtifact();
const servers: Served[] = [];
afterEach(() => {
  for (const { child } of servers.splice(0)) child.kill('SIGKILL');
});

async function serving(env: ReturnType<typeof freshEnv>): Promise<Served> {
  const served = await serve(env);
  servers.push(served);
  return served;
}

it('one process serves from a SQLite file, and commands use it meanwhile', async () => {
  const env = freshEnv({ ARTIFACTS_DIR });
  const first = await serving(env);
  const { pid } = first.child;
  const second = await run('serve --json', { ...env, PORT: '0' });
  expect(second.code).toBe(1);
  expect(JSON.parse(second.stderr || second.stdout)).toMatchObject({ code: 'database_served' });
  expect(second.stderr + second.stdout).toContain(`in use by another server (process ${pid})`);
  // Another name of the file changes nothing.
  const path = env.DATABASE_URL.replace('file:', '');
  symlinkSync(path, `${path}-link`);
  const linked = await run('serve', { ...env, PORT: '0', DATABASE_URL: `file:${path}-link` });
  expect([linked.code, linked.stderr]).toEqual([
    1,
    expect.stringContaining('Several servers need Redis and PostgreSQL'),
  ]);
  expect((await run('accounts create --name beside', env)).code).toBe(0);
  expect((await run(`backup --to ${path}-copy`, env)).code).toBe(0);
  // The lock ends with its process, however that ends.
  await first.stop('SIGKILL');
  const third = await serving(env);
  expect(await third.stop()).toEqual([0, null]);
  expect(await (await serving(env)).stop()).toEqual([0, null]);
});
