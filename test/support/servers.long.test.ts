import { Cluster } from 'ioredis';
import { describe, expect, it } from 'vitest';
import {
  haveServers,
  newPostgresDatabase,
  runSql,
  startPostgres,
  startRedis,
  startRedisCluster,
} from './servers.js';

describe.skipIf(!haveServers)('test servers', () => {
  it('Redis keeps what its append-only file has, through a kill, on the same port', async () => {
    const redis = await startRedis({ aof: true });
    try {
      await redis.run('set', 'kept', 'yes');
      // The file is flushed every second. If the process is killed, no part of the file is lost.
      await redis.kill();
      await expect(redis.run('ping')).rejects.toThrow();
      await redis.restart();
      expect(await redis.run('get', 'kept')).toBe('yes');
      await redis.flush();
      expect(await redis.run('dbsize')).toBe(0);
    } finally {
      await redis.stop();
    }
    expect(redis.pid).toBe(0);
  });

  it('Redis can be paused', async () => {
    const redis = await startRedis();
    try {
      redis.pause();
      const answer = redis.run('ping');
      expect(await Promise.race([answer, later(200)])).toBe('nothing');
      redis.resume();
      expect(await answer).toBe('PONG');
    } finally {
      await redis.stop();
    }
  });

  it('Redis Cluster serves keys of any hash tag', async () => {
    const cluster = await startRedisCluster();
    const client = new Cluster(cluster.url.split(','));
    try {
      for (let partition = 0; partition < 30; partition++) {
        await client.mset({ [`{p${partition}}:a`]: partition, [`{p${partition}}:b`]: 1 });
      }
      const sizes = await Promise.all(cluster.nodes.map((node) => node.run('dbsize')));
      expect(sizes.reduce<number>((sum, size) => sum + Number(size), 0)).toBe(60);
      expect(sizes.every((size) => Number(size) > 0)).toBe(true);
    } finally {
      client.disconnect();
      await cluster.stop();
    }
  });

  it('PostgreSQL gives each test a database of its own', async () => {
    const [one, other] = await Promise.all([newPostgresDatabase(), newPostgresDatabase()]);
    await runSql(one, 'create table t as select 1 as n');
    expect(await runSql(one, 'select n from t')).toEqual([{ n: 1 }]);
    await expect(runSql(other, 'select n from t')).rejects.toThrow('does not exist');
  });

  it('PostgreSQL can be paused, killed and started again', async () => {
    const postgres = await startPostgres();
    try {
      const url = await postgres.newDatabase();
      await runSql(url, 'create table t as select 1 as n');
      postgres.pause();
      const answer = runSql(url, 'select n from t');
      expect(await Promise.race([answer, later(200)])).toBe('nothing');
      postgres.resume();
      expect(await answer).toEqual([{ n: 1 }]);
      await postgres.kill();
      await expect(runSql(url, 'select 1')).rejects.toThrow('ECONNREFUSED');
      await postgres.restart();
      expect(await runSql(url, 'select n from t')).toEqual([{ n: 1 }]);
    } finally {
      await postgres.stop();
    }
  });
});

async function later(ms: number): Promise<string> {
  return await new Promise((resolve) => setTimeout(() => resolve('nothing'), ms));
}
