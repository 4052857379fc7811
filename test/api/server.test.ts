import { afterAll, describe, expect, it } from 'vitest';
import { newAccount } from '../support/accounts.js';
import { freshEnv, serveAt } from '../support/cli.js';
import { sendHalf } from '../support/half-request.js';
import { postJson } from '../support/post-json.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';

const GOOD = { measurement: 'Stature', gender: 'Male', age: 30, percentile: 50 };

const env = freshEnv({ METRICS_PORT: '0', ARTIFACTS_DIR: writeTinyArtifact() });
const { apiKey } = await newAccount(env.DATABASE_URL, 'test');
const served = await serveAt(env);
const { address, metricsAddress } = served;
afterAll(() => served.child.kill('SIGKILL'));

const post = () => postJson(`${address}/v1/predict`, apiKey, GOOD);

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
    const finish = await sendHalf(
      `${address}/v1/predict`,
      `Bearer ${apiKey}`,
      JSON.stringify(GOOD),
    );
    const exited = served.stop();
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
