import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import Libsql from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '../../src/accounts/accounts.js';
import { grantCredits } from '../../src/accounts/credits.js';
import { createKey } from '../../src/accounts/keys.js';
import { openDatabase } from '../../src/database/open.js';
import type { Database } from '../../src/database/schema.js';
import { populationShare } from '../../src/operations/population-share.js';
import { predict } from '../../src/operations/predict.js';
import { programWords } from '../support/build.js';
import { newSqliteUrl } from '../support/folders.js';
import { Hold } from '../support/held-operations.js';
import { postJson } from '../support/post-json.js';
import {
  haveServers,
  newMigratedDatabase,
  type RedisServer,
  startRedis,
} from '../support/servers.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';
import { until } from '../support/until.js';

const SHARE_COST = 5;

/** A service process. */
class Node {
  private constructor(
    private readonly child: ChildProcess,
    readonly address: string,
    private readonly metricsAddress: string,
  ) {}

  static async start(env: Readonly<Record<string, string>>): Promise<Node> {
    const child = spawn(process.execPath, [...programWords('test/api/compute-child')], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (child.stdout === null) throw new Error('no pipe');
    const [line] = await once(createInterface(child.stdout), 'line');
    const { address, metricsAddress } = JSON.parse(String(line));
    return new Node(child, address, metricsAddress);
  }

  async post(path: string, body: object, apiKey: string, key?: string) {
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    const answer = await postJson(this.address + path, apiKey, body, headers);
    const text = await answer.text();
    const replayed = answer.headers.get('idempotent-replayed') === 'true';
    // biome-ignore lint/suspicious/noExplicitAny: answers and problems alike.
    return { status: answer.status, text, replayed, body: JSON.parse(text) as any };
  }

  /**
   * Posts with the same idempotency key until the service answers without a failure. On a busy machine, a step may wait
   * too long for Redis and is then refused, mostly in a process that has just started.
   */
  async postUntilAnswered(...parts: Required<Parameters<Node['post']>>): ReturnType<Node['post']> {
    for (;;) {
      const answer = await this.post(...parts);
      if (answer.status !== 500) return answer;
    }
  }

  async metrics(): Promise<string> {
    return (await fetch(`${this.metricsAddress}/metrics`)).text();
  }

  async kill(): Promise<void> {
    const ended = once(this.child, 'exit');
    if (this.child.kill('SIGKILL')) await ended;
  }
}

const GATES = ['embedded', 'Redis'] as const;

describe.skipIf(!haveServers).each(GATES)('heavy operations on the %s gate', (gate) => {
  const hold = new Hold();
  let redis: RedisServer | undefined;
  let db: Database;
  let env: Record<string, string>;
  let node: Node;

  beforeAll(async () => {
    redis = gate === 'Redis' ? await startRedis({ aof: true }) : undefined;
    const file = newSqliteUrl();
    const databaseUrl = redis === undefined ? file : await newMigratedDatabase();
    db = await openDatabase(databaseUrl);
    env = {
      ...hold.env,
      PORT: '0',
      METRICS_PORT: '0',
      LOG_LEVEL: 'silent',
      DATABASE_URL: databaseUrl,
      ...(redis === undefined ? {} : { REDIS_URL: redis.url }),
      ARTIFACTS_DIR: writeTinyArtifact(),
    };
    node = await Node.start(env);
  });
  afterAll(async () => {
    await node.kill();
    await db.destroy();
    await redis?.stop();
  });

  let customers = 0;

  /** A key of a new account with credits. */
  async function customer(credits: number): Promise<string> {
    const { id } = await createAccount(db, `customer ${++customers}`);
    await grantCredits(db, id, 'live', credits);
    return (await createKey(db, id, 'live')).apiKey;
  }

  const ask = (apiKey: string, key?: string) =>
    node.post(populationShare.path, populationShare.example, apiKey, key);
  const askUntilAnswered = (apiKey: string, key: string) =>
    node.postUntilAnswered(populationShare.path, populationShare.example, apiKey, key);

  /** Spends all paid credits that are left. Returns their number. */
  async function spendRest(apiKey: string): Promise<number> {
    for (let spent = 0; ; spent++) {
      const parts = [predict.path, predict.example, apiKey, `rest-${spent}`] as const;
      const { status, body } = await node.postUntilAnswered(...parts);
      if (status !== 200 || body.remaining_free_calls !== undefined) return spent;
    }
  }

  const itOnRedis = gate === 'Redis' ? it : () => undefined;
  itOnRedis(
    'are not charged when Redis goes amid the computation, and a repeat is charged once',
    async () => {
      const apiKey = await customer(SHARE_COST + 2);
      hold.take();
      const asked = ask(apiKey, 'outage');
      await hold.begun();
      await redis?.kill();
      hold.release();
      const { status, body } = await asked;
      expect([status, body.code]).toEqual([500, 'internal_error']);
      await redis?.restart();
      const [answer, repeat] = [
        await askUntilAnswered(apiKey, 'outage'),
        await askUntilAnswered(apiKey, 'outage'),
      ];
      expect([answer.status, repeat.status, repeat.replayed]).toEqual([200, 200, true]);
      expect(await spendRest(apiKey)).toBe(2);
    },
  );

  it('are charged at most once when their process is killed while the charge is under way', async () => {
    const apiKey = await customer(SHARE_COST + 2);
    hold.take();
    let outcome: string | undefined;
    const asked = ask(apiKey, 'charging').then(
      ({ body }) => {
        outcome = body.code;
      },
      () => {
        outcome = 'lost';
      },
    );
    await hold.begun();
    // The store stops, so the charge begins and cannot end. A gate on Redis gives up before the kill.
    const resume = await stopStore();
    hold.release();
    await until(async () => {
      const waits = /^vitruvia_gate_pending_steps 1$/m.test(await node.metrics());
      return waits || outcome !== undefined;
    });
    await node.kill();
    await asked;
    expect(outcome).toBe(gate === 'Redis' ? 'internal_error' : 'lost');
    await resume();
    node = await Node.start(env);
    // The store may have done the step after the process ended.
    const [answer, repeat] = [
      await askUntilAnswered(apiKey, 'charging'),
      await askUntilAnswered(apiKey, 'charging'),
    ];
    expect([answer.status, repeat.status, repeat.replayed]).toEqual([200, 200, true]);
    expect(repeat.text).toBe(answer.text);
    expect(await spendRest(apiKey)).toBe(2);
  });

  /** Stops the store of charges: stops the process of Redis, or locks the SQLite file. */
  async function stopStore(): Promise<() => Promise<void>> {
    if (redis !== undefined) {
      const { pause, resume } = redis;
      pause();
      return async () => resume();
    }
    const locked = new Libsql((env.DATABASE_URL ?? '').slice('file:'.length));
    // The service may be writing right now.
    locked.pragma('busy_timeout = 60000');
    locked.exec('begin immediate');
    return async () => {
      locked.exec('rollback');
      locked.close();
    };
  }
});
