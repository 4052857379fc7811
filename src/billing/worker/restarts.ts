import { Cluster, type Redis } from 'ioredis';

const LOOK_EVERY_MS = 2000;

/**
 * Watches for restarts of Redis: it may have gone back to an earlier moment, so what it says has to
 * be compared with the ledger anew.
 *
 * @param onRestart called when a node runs under another `run_id` than before
 * @returns ends the watch
 */
export function watchRestarts(redis: Redis | Cluster, onRestart: () => void): () => void {
  const known = new Map<string, string>();
  const look = async () => {
    const nodes = redis instanceof Cluster ? redis.nodes('master') : [redis];
    let restarted = false;
    for (const node of nodes) {
      const name = `${node.options.host}:${node.options.port}`;
      const id = await runId(node);
      const before = known.get(name);
      if (id === undefined) continue;
      known.set(name, id);
      restarted ||= before !== undefined && before !== id;
    }
    if (restarted) onRestart();
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  void look();
  return () => clearInterval(timer);
}

/** Undefined while the node is away. */
async function runId(node: Redis): Promise<string | undefined> {
  try {
    return /^run_id:(\w+)/m.exec(await node.info('server'))?.[1];
  } catch {
    return undefined;
  }
}
