import { describe, expect, it } from 'vitest';
import { BackOff } from '../../src/cluster/primary.js';
import { freshEnv, run } from '../support/cli.js';
import { haveServers } from '../support/servers.js';
import { until } from '../support/until.js';
import { useClusters } from './serving-cluster.js';

describe.skipIf(!haveServers)('several processes on one address', () => {
  const startCluster = useClusters();

  it('continue when one is killed and replaced; their metrics add up', async () => {
    const { pids, post, metrics } = await startCluster();
    const before = pids();
    expect(before).toHaveLength(2);
    // Fewer than the ten free calls.
    let charged = 0;
    for (let call = 0; call < 5; call++) {
      const { status, headers } = await post();
      expect(status).toBe(200);
      if (!headers.has('idempotent-replayed')) charged++;
    }
    const text = await metrics();
    expect(text).toContain(`vitruvia_charges_total{operation="predict",source="free"} ${charged}`);
    expect(text).toContain('vitruvia_artifact_info{version="tiny"} 1');
    expect(text).toContain('vitruvia_processes 2');
    process.kill(before[0] ?? 0, 'SIGKILL');
    for (let call = 0; call < 5; call++) expect((await post()).status).toBe(200);
    await until(async () => (await metrics()).includes('vitruvia_processes 2'));
    expect(await metrics()).toContain('vitruvia_process_respawns_total 1');
    expect(pids()).toHaveLength(2);
    expect(pids()).not.toContain(before[0]);
    expect((await post()).status).toBe(402);
  });
});

describe('serve --workers', () => {
  it('is refused without Redis, because each process would count its own rate limit', async () => {
    const { code, stderr } = await run('serve --workers 2', freshEnv({ PORT: '0' }));
    expect(code).toBe(2);
    expect(stderr).toContain('needs REDIS_URL and DATABASE_URL=postgres://…');
    expect((await run('serve --workers 0', freshEnv({ PORT: '0' }))).code).toBe(2);
  });
});

describe('the time before a process is started again', () => {
  it('doubles up to ten seconds, and starts again at the beginning after a process has worked', () => {
    const backOff = new BackOff();
    const waits = Array.from({ length: 9 }, () => backOff.next(0));
    expect(waits).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
    expect(backOff.next(60_000)).toBe(100);
    expect(backOff.next(9_999)).toBe(200);
  });
});
