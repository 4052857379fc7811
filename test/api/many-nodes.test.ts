import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '../../src/accounts/accounts.js';
import { grantCredits } from '../../src/accounts/credits.js';
import { createKey, revokeKey } from '../../src/accounts/keys.js';
import { openDatabase } from '../../src/database/open.js';
import type { Database } from '../../src/database/schema.js';
import { predict } from '../../src/operations/predict.js';
import { type ServedAt, serveAt } from '../support/cli.js';
import { postJson } from '../support/post-json.js';
import {
  haveServers,
  newMigratedDatabase,
  type RedisServer,
  startRedis,
} from '../support/servers.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';
import { until } from '../support/until.js';

describe.skipIf(!haveServers)('two nodes on one Redis and PostgreSQL', () => {
  let redis: RedisServer;
  let db: Database;
  let nodes: ServedAt[];
  let account: string;
  beforeAll(async () => {
    redis = await startRedis({ aof: true });
    const databaseUrl = await newMigratedDatabase();
    db = await openDatabase(databaseUrl);
    account = (await createAccount(db, 'one')).id;
    const env = {
      METRICS_PORT: '0',
      LOG_LEVEL: 'silent',
      DATABASE_URL: databaseUrl,
      REDIS_URL: redis.url,
      ARTIFACTS_DIR: writeTinyArtifact(),
    };
    nodes = await Promise.all([serveAt(env), serveAt(env)]);
  });
  afterAll(async () => {
    for (const { child } of nodes ?? []) child.kill('SIGKILL');
    await db?.destroy();
    await redis?.stop();
  });

  async function ask(node: number, apiKey: string, more: Record<string, string> = {}) {
    const url = `${nodes[node]?.address}/v1/predict`;
    const answer = await postJson(url, apiKey, predict.example, more);
    // biome-ignore lint/suspicious/noExplicitAny: answers and problems alike.
    return { status: answer.status, body: (await answer.json()) as any };
  }
  /** Asks again with the same key while the service fails. On a busy machine, Redis may answer a step too late. */
  async function askUntilAnswered(node: number, apiKey: string) {
    const key = { 'idempotency-key': randomUUID() };
    for (;;) {
      const answer = await ask(node, apiKey, key);
      if (answer.status !== 500) return answer;
    }
  }

  it('share free calls, and see new credits and revoked keys', async () => {
    const key = await createKey(db, account, 'live');
    for (let call = 0; call < 10; call++) {
      const { status, body } = await askUntilAnswered(call % 2, key.apiKey);
      expect([status, body.remaining_free_calls]).toEqual([200, 9 - call]);
    }
    expect((await askUntilAnswered(0, key.apiKey)).body.code).toBe('free_tier_exhausted');
    await grantCredits(db, account, 'live', 1000);
    // `billing/worker/outbox.test.ts` proves that this takes less than a second.
    await until(async () => (await ask(1, key.apiKey)).status === 200);
    expect((await askUntilAnswered(0, key.apiKey)).body).not.toHaveProperty('remaining_free_calls');
    await revokeKey(db, key.id);
    await until(async () => (await ask(0, key.apiKey)).status === 401);
    expect((await askUntilAnswered(1, key.apiKey)).status).toBe(401);
    const text = await (await fetch(`${nodes[0]?.metricsAddress}/metrics`)).text();
    expect(text).toMatch(/vitruvia_gate_steps_total\{outcome="charged"\} [1-9]/);
    expect(text).toMatch(/vitruvia_gate_loads_total\{what="account"\} 1/);
  });

  it('end normally on SIGTERM', async () => {
    for (const { stop } of nodes) {
      expect(await stop()).toEqual([0, null]);
    }
  });
});
