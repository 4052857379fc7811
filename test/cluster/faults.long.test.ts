import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FILES } from '../../src/lookup/format.js';
import { freePort } from '../support/server-process.js';
import { haveServers, type RedisServer, startRedis } from '../support/servers.js';
import { until } from '../support/until.js';
import { type Cluster, lives, startCluster } from './serving-cluster.js';

const NODE_OPTIONS = `--import ${new URL('../support/faults.js', import.meta.url).href}`;
/** Much longer than a process on a busy machine is silent. */
const TIMEOUT_SECONDS = 10;
const onLinux = process.platform === 'linux';
const canRun = onLinux && haveServers;
describe.skipIf(!canRun)('the processes of serve --workers', () => {
  let redis: RedisServer;
  let cluster: Cluster;

  beforeAll(async () => {
    redis = await startRedis();
    cluster = await startCluster(redis, {
      NODE_OPTIONS,
      PROCESS_TIMEOUT_SECONDS: String(TIMEOUT_SECONDS),
      // With port 0, new processes would listen on another port as soon as all old processes are gone.
      PORT: String(await freePort()),
    });
  });
  afterAll(async () => {
    cluster.served.child.kill('SIGKILL');
    await redis.stop();
  });

  function logged(text: string): boolean {
    return cluster.served.output.stderr.includes(text);
  }

  async function bothServe(): Promise<void> {
    await until(async () => (await cluster.metrics()).includes('vitruvia_processes 2'));
    expect((await cluster.post()).status).toBe(200);
  }

  it('are not replaced when the primary was suspended', async () => {
    const before = cluster.pids();
    const { child } = cluster.served;
    child.kill('SIGSTOP');
    // The fault itself lasts this long.
    await sleep(1.3 * TIMEOUT_SECONDS * 1000);
    child.kill('SIGCONT');
    await bothServe();
    expect(cluster.pids()).toEqual(before);
  });

  it('are replaced when their event loop blocks', async () => {
    const [blocked = 0, healthy] = cluster.pids();
    process.kill(blocked, 'SIGWINCH');
    await until(() => !lives(blocked));
    expect(logged(`"silent_pid":${blocked}`)).toBe(true);
    await bothServe();
    expect(cluster.pids()).toContain(healthy);
  });

  it('are replaced after a native fault', async () => {
    const [first = 0] = cluster.pids();
    process.kill(first, 'SIGURG');
    await until(() => logged('"signal":"SIGSEGV"'));
    await bothServe();
  });

  it('are replaced after their mapped artifact was overwritten in place', async () => {
    const grid = join(cluster.artifactsDir, 'tiny', FILES.grid);
    const bytes = readFileSync(grid);
    truncateSync(grid, 0);
    await until(async () => {
      await cluster.post().catch(() => undefined);
      return logged('"signal":"SIGBUS"');
    });
    writeFileSync(grid, bytes);
    await until(() => cluster.post().then(isOk, () => false));
    await bothServe();
  });
});

function isOk({ status }: Response): boolean {
  return status === 200;
}
