import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '../../src/accounts/accounts.js';
import { createKey } from '../../src/accounts/keys.js';
import { openDatabase } from '../../src/database/open.js';
import { programWords } from '../support/build.js';
import { sendHalf } from '../support/half-request.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';

const BODY = JSON.stringify({ measurement: 'Stature', gender: 'Male', age: 30, percentile: 50 });

let child: ChildProcess;
let address = '';
let metricsAddress = '';
let apiKey = '';

beforeAll(async () => {
  const databaseUrl = `file:${join(mkdtempSync(join(tmpdir(), 'vitruvia-server-')), 'db.sqlite')}`;
  const db = await openDatabase(databaseUrl);
  const { id } = await createAccount(db, 'one');
  ({ apiKey } = await createKey(db, id, 'test'));
  await db.destroy();
  const env = {
    ...process.env,
    PORT: '0',
    METRICS_PORT: '0',
    LOG_LEVEL: 'error',
    DATABASE_URL: databaseUrl,
    ARTIFACTS_DIR: writeTinyArtifact(),
  };
  child = spawn(process.execPath, [...programWords('test/support/serve-child')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.stdout === null) throw new Error('no pipe');
  const [line] = await once(createInterface(child.stdout), 'line');
  ({ address, metricsAddress } = JSON.parse(String(line)));
});

afterAll(() => {
  child.kill('SIGKILL');
});

function post(): Promise<Response> {
  return fetch(`${address}/v1/predict`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: BODY,
  });
}

describe('a server process', () => {
  it('answers, and serves its metrics only on the metrics port', async () => {
    const answer = await post();
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ value: 1750, remaining_free_calls: 9 });
    const refused = await fetch(`${address}/v1/predict`, { method: 'POST' });
    expect(refused.status).toBe(401);
    const text = await (await fetch(`${metricsAddress}/metrics`)).text();
    expect(text).toContain('vitruvia_charges_total{operation="predict",source="free"} 1');
    expect(text).toContain('vitruvia_http_requests_total{route="/v1/predict",status="200"} 1');
    expect(text).toContain('vitruvia_artifact_info{version="tiny"} 1');
    expect(text).toContain('vitruvia_gate_pending_steps 0');
    expect(text).toContain('vitruvia_debt_credits 0');
    expect((await fetch(`${address}/metrics`)).status).toBe(404);
  });

  it('finishes requests in flight on SIGTERM and exits with 0', async () => {
    const finish = await sendHalf(`${address}/v1/predict`, `Bearer ${apiKey}`, BODY);
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    const connecting = () =>
      fetch(`${address}/health`).then(
        () => 'answered',
        () => 'refused',
      );
    await expect.poll(connecting).toBe('refused');
    await expect(post()).rejects.toThrow();
    const text = await finish();
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(text).toContain('"remaining_free_calls":8');
    expect(await exited).toEqual([0, null]);
  });
});
