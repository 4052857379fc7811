import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { clusterNodes, securityOf } from '../redis/connect.js';

const CHECK_RESTART_MS = 2000;
/** Interval until the first run ids are known. A restart before that would not be noticed. */
const FIRST_CHECK_MS = 50;
const RETRY_MAX_MS = 1000;
const RETRY_STEP_MS = 50;
/** A connection is closed when a reply takes longer. */
const SILENCE_MAX_MS = 5000;

const retry = (times: number): number => Math.min(times * RETRY_STEP_MS, RETRY_MAX_MS);

const FAIL_FAST = {
  enableAutoPipelining: true,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  socketTimeout: SILENCE_MAX_MS,
  connectionName: 'vitruvia-worker',
} satisfies RedisOptions;
const WAIT_FOREVER = {
  maxRetriesPerRequest: null,
  connectionName: 'vitruvia-jobs',
} satisfies RedisOptions;

/**
 * Connects a worker to Redis. While Redis is away, commands fail, and the worker repeats its work
 * later. The client reconnects by itself.
 *
 * @param url as for `connectRedis`
 */
export function connectWorker(url: string): Redis | Cluster {
  return connect(url, FAIL_FAST, false);
}

/**
 * Connects BullMQ to Redis. Commands wait until Redis is back.
 *
 * @param url as for `connectRedis`
 */
export function connectJobs(url: string): Redis | Cluster {
  return connect(url, WAIT_FOREVER, true);
}

/**
 * Waits until a client is connected.
 *
 * @param maxMs how long to wait at most
 * @returns whether it is connected
 */
export async function waitUntilReady(redis: Redis | Cluster, maxMs: number): Promise<boolean> {
  if (redis.status !== 'ready') {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, maxMs);
      redis.once('ready', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
  return redis.status === 'ready';
}

function connect(
  url: string,
  options: typeof FAIL_FAST | typeof WAIT_FOREVER,
  enableOfflineQueue: boolean,
): Redis | Cluster {
  const nodes = clusterNodes(url);
  const client =
    nodes === undefined
      ? new Redis(url, { ...options, enableOfflineQueue, retryStrategy: retry })
      : new Cluster([...nodes], {
          enableOfflineQueue,
          enableAutoPipelining: options === FAIL_FAST,
          clusterRetryStrategy: retry,
          clusterNodeRetryStrategy: retry,
          redisOptions: { ...options, ...securityOf(nodes[0] ?? '') },
        });
  // Without a listener, ioredis writes to standard error. A failed command reports its own error.
  client.on('error', () => undefined);
  return client;
}

/**
 * Watches for restarts of Redis and for replicas that take over. In both cases Redis may have lost
 * its latest data, so it has to be compared with the ledger again.
 *
 * @param onRestart is called when a master has a `run_id` that no master had before
 * @returns a function that ends the watch
 */
export function watchRestarts(redis: Redis | Cluster, onRestart: () => void): () => void {
  const known = new Set<string>();
  const check = async () => {
    const nodes = redis instanceof Cluster ? redis.nodes('master') : [redis];
    const ids = await Promise.all(nodes.map(runId));
    const fresh = ids.filter((id) => id !== undefined && !known.has(id));
    // The ids of the first check only serve to compare later ids with them.
    const restarted = known.size > 0 && fresh.length > 0;
    for (const id of fresh) if (id !== undefined) known.add(id);
    if (restarted) onRestart();
  };
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const watch = async () => {
    await check();
    if (ended) return;
    timer = setTimeout(watch, known.size === 0 ? FIRST_CHECK_MS : CHECK_RESTART_MS);
  };
  void watch();
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}

/** The node's `run_id`; undefined while the node is away. */
async function runId(node: Redis): Promise<string | undefined> {
  try {
    return /^run_id:(\w+)/m.exec(await node.info('server'))?.[1];
  } catch {
    return undefined;
  }
}

/**
 * The share of its memory limit (`maxmemory`) that Redis uses, 0 to 1; 0 without a limit. In a
 * cluster, the share of the fullest node.
 *
 * @throws the error of Redis
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
