import { Cluster, type Redis } from 'ioredis';

/**
 * The share of its memory limit (`maxmemory`) that Redis uses, 0 to 1; the fullest node of a cluster
 * counts. 0 without a limit.
 *
 * @throws what Redis reports
 */
export async function memoryShare(redis: Redis | Cluster): Promise<number> {
  const nodes = redis instanceof Cluster ? redis.nodes('master') : [redis];
  const shares = nodes.map(async (node) => {
    const text = await node.info('memory');
    const figure = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(text)?.[1]);
    const maxBytes = figure('maxmemory');
    return maxBytes === 0 ? 0 : figure('used_memory') / maxBytes;
  });
  return Math.max(...(await Promise.all(shares)));
}
