import { describe, expect, it } from 'vitest';
import { checkRedis } from '../../../src/billing/redis/check-redis.js';
import type { SettingsFault } from '../../../src/billing/redis/settings.js';
import { haveServers, startRedis } from '../../support/servers.js';
import { useOpened } from '../../support/use-opened.js';
import { RedisHarness } from './redis-harness.js';

describe.skipIf(!haveServers)('a Redis that can lose charges', () => {
  const server = useOpened(() => startRedis({ aof: true }));
  const set = (name: string, value: string | number) => server.run('config', 'set', name, value);

  it('is refused in production, with the line to change, also where CONFIG is forbidden', async () => {
    await checkRedis(server.url, true);
    const user = ['on', '>secret', '~*', '+@all', '-config'];
    await server.run('acl', 'setuser', 'service', ...user);
    const url = server.url.replace('//', '//service:secret@');
    const safe = { 'maxmemory-policy': 'noeviction', appendonly: 'yes' };
    const unsafe = [
      ['maxmemory-policy', 'allkeys-lru'],
      ['maxmemory-policy', 'volatile-ttl'],
      ['appendonly', 'no'],
    ] as const;
    for (const [name, value] of unsafe) {
      await set(name, value);
      const message = expect.stringContaining(`: set ${name} ${safe[name]}`);
      await expect(checkRedis(url, true)).rejects.toMatchObject({ reason: 'settings', message });
      await checkRedis(url);
      await set(name, safe[name]);
    }
  });

  it('makes a running node not ready, and so do evicted keys until an operator has seen them', async () => {
    const told: string[] = [];
    const onSettings = (faults: readonly SettingsFault[]) =>
      told.push(faults.map(({ kind }) => kind).join());
    const harness = await RedisHarness.open(server, { production: true, onSettings });
    const preview = await harness.anotherGate({ production: false, onSettings: () => undefined });
    const becomes = (ready: boolean, gate = harness.gate) =>
      expect.poll(() => gate.ready()).toBe(ready);
    await becomes(true);
    await set('maxmemory-policy', 'allkeys-random');
    await becomes(false);
    expect(await preview.ready()).toBe(true);
    await harness.redis.set('a', 'b');
    await set('maxmemory', 1);
    await harness.redis.set('c', 'd').catch(() => undefined);
    await set('maxmemory', 0);
    await set('maxmemory-policy', 'noeviction');
    await becomes(false, preview);
    await expect.poll(() => [told[0], told.at(-1)]).toEqual(['policy', 'evicted']);
    expect(await harness.gate.ready()).toBe(false);
    await server.run('config', 'resetstat');
    await becomes(true);
    await becomes(true, preview);
    expect(told.at(-1)).toBe('');
    await preview.close();
    await harness.close();
  });
});
