import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SHUTDOWN_MS } from '../../src/config.js';
import { CURRENT_POINTER } from '../../src/lookup/format.js';
import { haveServers } from '../support/servers.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';
import { until, withinTurns } from '../support/until.js';
import { lives, useClusters } from './serving-cluster.js';

function isRefused(post: () => Promise<Response>): Promise<boolean> {
  return post().then(
    () => false,
    () => true,
  );
}

describe.skipIf(!haveServers)('several processes on one address', () => {
  const startCluster = useClusters();

  it('all switch artifacts on SIGHUP', async () => {
    const { served, artifactsDir, metrics } = await startCluster();
    writeTinyArtifact('next', { root: artifactsDir, scale: 1.1 });
    writeFileSync(join(artifactsDir, CURRENT_POINTER), 'next\n');
    served.child.kill('SIGHUP');
    await until(async () => !(await metrics()).includes('{version="tiny"}'));
    const text = await metrics();
    expect(text).toContain('vitruvia_artifact_info{version="next"} 1');
    // For some metrics, the worse of the two processes counts. Counts are added up.
    expect(text).toMatch(/^vitruvia_ready 1$/m);
    expect(text).toMatch(/^vitruvia_disk_free_bytes\{disk="artifacts"\} [1-9]/m);
    expect(text).toContain('vitruvia_sign_ins_total{outcome="failed"} 0');
    expect(text).toContain('vitruvia_refunds 0');
    expect(text).toContain('vitruvia_artifact_switches_total{outcome="switched"} 2');
  });

  it('all finish requests in flight on SIGTERM, even if each process gets the signal', async () => {
    const { served, pids, post, half } = await startCluster();
    const finish = [await half(), await half(), await half(), await half()];
    const ended = once(served.child, 'exit');
    const group = [...pids(), served.child.pid ?? 0];
    for (const pid of group) process.kill(pid, 'SIGTERM');
    await until(() => isRefused(post));
    for (const answer of await Promise.all(finish.map((end) => end()))) {
      expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    }
    expect(await ended).toEqual([0, null]);
    expect(pids()).toEqual([]);
  });

  it('end at once on a second signal', async () => {
    const { served, pids, post, half } = await startCluster();
    await half();
    const group = pids();
    served.child.kill('SIGINT');
    await until(() => isRefused(post));
    expect(group.filter(lives)).not.toEqual([]);
    const ended = Promise.all([served.stop('SIGINT'), until(() => !group.some(lives))]);
    // In turns of 50 ms. Without the second signal, the processes would wait twice as long for the half request.
    expect(await withinTurns(SHUTDOWN_MS / 100, ended)).toEqual([[1, null], undefined]);
  });

  it('finish requests in flight when the primary is killed', async () => {
    const { served, pids, half } = await startCluster();
    const finish = await half();
    served.child.kill('SIGKILL');
    await once(served.child, 'exit');
    expect(await finish()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    await until(() => pids().length === 0);
  });
});
