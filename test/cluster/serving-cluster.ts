import { randomUUID } from 'node:crypto';
import { afterEach } from 'vitest';
import { newAccount } from '../support/accounts.js';
import { type Served, serveAt } from '../support/cli.js';
import { sendHalf } from '../support/half-request.js';
import { postJson } from '../support/post-json.js';
import { newMigratedDatabase, type RedisServer, startRedis } from '../support/servers.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';
import { useOpened } from '../support/use-opened.js';

const GOOD = { measurement: 'Stature', gender: 'Male', age: 30, percentile: 50 };

/** Two serving processes and their primary. */
export interface Cluster {
  readonly served: Served;
  readonly artifactsDir: string;
  /** The processes that listened and still run. */
  pids(): number[];
  /**
   * Sends a prediction over a connection of its own. While the service fails, the request is sent again with the same
   * key: on a busy machine, Redis may answer a step too late.
   */
  post(): Promise<Response>;
  metrics(): Promise<string>;
  /** Sends a request whose body does not end; see `sendHalf`. */
  half(): Promise<() => Promise<string>>;
}

/** Gives each test of a group clusters of its own on one Redis. They are killed after it. */
export function useClusters(): () => Promise<Cluster> {
  const running: Served[] = [];
  const redis = useOpened(startRedis);
  afterEach(() => {
    for (const { child } of running.splice(0)) child.kill('SIGKILL');
  });
  return async () => {
    const cluster = await startCluster(redis);
    running.push(cluster.served);
    return cluster;
  };
}

/**
 * Starts `serve --workers 2` on a new PostgreSQL database. The caller must end it.
 *
 * @param more further settings
 */
export async function startCluster(
  redis: RedisServer,
  more: Readonly<Record<string, string>> = {},
): Promise<Cluster> {
  const databaseUrl = await newMigratedDatabase();
  const { apiKey } = await newAccount(databaseUrl, 'test', 0);
  const artifactsDir = writeTinyArtifact();
  const env = { DATABASE_URL: databaseUrl, REDIS_URL: redis.url, ARTIFACTS_DIR: artifactsDir };
  const served = await serveAt({ ...env, METRICS_PORT: '0', ...more }, ['--workers', '2']);
  const { address, metricsAddress } = served;
  return {
    served,
    artifactsDir,
    pids: () =>
      [...served.output.stderr.matchAll(/"pid":(\d+),.*"msg":"listening"/g)]
        .map(([, pid]) => Number(pid))
        .filter(lives),
    async post() {
      const headers = { 'idempotency-key': randomUUID(), connection: 'close' };
      for (;;) {
        const answer = await postJson(`${address}/v1/predict`, apiKey, GOOD, headers);
        if (answer.status !== 500) return answer;
        await answer.text();
      }
    },
    metrics: async () => await (await fetch(`${metricsAddress}/metrics`)).text(),
    half: () => sendHalf(`${address}/v1/predict`, `Bearer ${apiKey}`, JSON.stringify(GOOD)),
  };
}

/** Whether a process runs. */
export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
