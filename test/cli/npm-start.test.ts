import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { projectDir } from '../../src/core/project-dir.js';
import { freshEnv, run } from '../support/cli.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';
import { until } from '../support/until.js';

let pid = 0;
afterEach(() => {
  if (pid !== 0) process.kill(pid, 'SIGKILL');
  pid = 0;
});

it('reload reaches the service that npm start runs, and says what became of it', async () => {
  const root = writeTinyArtifact('old');
  writeTinyArtifact('new', { root });
  const env = freshEnv({ ARTIFACTS_DIR: root, PORT: '0' });
  const npm = spawn('npm', ['start'], {
    cwd: projectDir(),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { text: '' };
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (text) => (output.text += text));
  await until(() => output.text.includes('is listening on'), 120_000);
  pid = Number(/"pid":(\d+)/.exec(output.text)?.[1]);
  expect(output.text).toContain('"artifact":"old"');

  expect((await run('reload --json', env)).json.services).toEqual([{ pid, outcome: 'unchanged' }]);
  expect((await run('artifacts use new --json', env)).code).toBe(0);
  const reloaded = await run('reload', env);
  expect(reloaded).toMatchObject({ code: 0, stdout: `process ${pid}: switched\n` });

  writeFileSync(join(root, 'current'), 'missing\n');
  const refused = await run('reload --json', env);
  expect([refused.code, refused.json.code]).toEqual([1, 'artifacts_refused']);

  const ended = once(npm, 'exit');
  process.kill(pid, 'SIGTERM');
  await ended;
  pid = 0;
  expect((await run('reload --json', env)).json.code).toBe('no_service');
});
