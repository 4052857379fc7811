import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { programWords } from '../support/build.js';
import { freshEnv } from '../support/cli.js';
import { newFolder } from '../support/folders.js';
import { mcpHeaders, rpc } from '../support/mcp.js';
import { installNodes, nodeOf, OTHER_NODES } from '../support/node-versions.js';
import { postJson } from '../support/post-json.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';

const run = promisify(execFile);
const REVISION = '2026-07-28';
const QUESTION = { measurement: 'Stature', gender: 'Male', age: 30, percentile: 50 };
const natives = fileURLToPath(new URL('./native-packages.js', import.meta.url));

let folder: string;
let child: ChildProcess | undefined;

describe('the service on other versions of Node', () => {
  beforeAll(async () => {
    folder = newFolder('node');
    await installNodes(folder);
  });
  afterEach(() => {
    child?.kill('SIGKILL');
  });

  it.each(OTHER_NODES)('loads the native packages with %s', async (version) => {
    const { stdout } = await run(nodeOf(folder, version), [natives]);
    expect(JSON.parse(stdout)).toMatchObject({
      version: `v${version}`,
      rows: [[42]],
      sqlite: { answer: 42 },
      length: 13,
      password: expect.stringMatching(/^\$argon2id\$/),
    });
  });

  it.each(OTHER_NODES)('predicts and charges over REST and MCP with %s', async (version) => {
    const artifacts = writeTinyArtifact();
    const env = { ...process.env, ...freshEnv({ ARTIFACTS_DIR: artifacts, PORT: '0' }) };
    const words = [...programWords('src/cli'), 'serve', '--json'];
    const service = spawn(nodeOf(folder, version), words, {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    child = service;
    const ended = once(service, 'exit');
    const [line] = await Promise.race([once(createInterface(service.stdout), 'line'), ended]);
    const { address, key } = JSON.parse(String(line));
    const post = async (path: string, body: object, headers?: Record<string, string>) =>
      (await postJson(`${address}${path}`, key, body, headers)).json();
    const rest = await post('/v1/predict', QUESTION);
    expect(rest).toMatchObject({ value: 1750, remaining_free_calls: 9 });
    const message = rpc(REVISION, 'tools/call', { name: 'predict', arguments: QUESTION });
    const mcp = await post('/mcp', message, mcpHeaders(REVISION, message));
    expect(mcp).toMatchObject({
      result: { structuredContent: { value: 1750, remaining_free_calls: 8 } },
    });
    for (const page of ['/ready', '/openapi.json', '/docs', '/docs/reference', '/explore']) {
      const answer = await fetch(`${address}${page}`);
      // When it closes, the service waits for answers that are not read.
      await answer.arrayBuffer();
      expect([page, answer.status]).toEqual([page, 200]);
    }
    service.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });
});
