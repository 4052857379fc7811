import { Cluster, type Redis } from 'ioredis';

const LOOK_EVERY_MS = 2000;
/** Until there is something to compare with: a Redis that restarts meanwhile would pass unseen. */
const FIRST_LOOKS_EVERY_MS = 50;

/**
 * Watches for restarts of Redis and for replicas that take over: they may be at an earlier moment, so
 * what they say has to be compared with the ledger anew.
 *
 * @param onRestart called when a master has a `run_id` that none had before
 * @returns ends the watch
 */
export function watchRestarts(redis: Redis | Cluster, onRestart: () => void): () => void {
  const known = new Set<string>();
  const look = async () => {
    const nodes = redis instanceof Cluster ? redis.nodes('master') : [redis];
    const ids = await Promise.all(nodes.map(runId));
    const fresh = ids.filter((id) => id !== undefined && !known.has(id));
    // Those of the first look are where it starts from.
    const restarted = known.size > 0 && fresh.length > 0;
    for (const id of fresh) if (id !== undefined) known.add(id);
    if (restarted) onRestart();
  };
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const watch = async () => {
    await look();
    if (ended) return;
    timer = setTimeout(watch, known.size === 0 ? FIRST_LOOKS_EVERY_MS : LOOK_EVERY_MS);
  };
  void watch();
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}

/** Undefined while the node is away. */
async function runId(node: Redis): Promise<string | undefined> {
  try {
    return /^run_id:(\w+)/m.exec(await node.info('server'))?.[1];
  } catch {
    return undefined;
  }
}
