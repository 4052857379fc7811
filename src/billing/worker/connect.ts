import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { clusterNodes, securityOf } from '../redis/connect.js';

const LOOK_EVERY_MS = 2000;
/** Until there is something to compare with: a Redis that restarts meanwhile would pass unseen. */
const FIRST_LOOKS_EVERY_MS = 50;
const RETRY_MAX_MS = 1000;
const RETRY_STEP_MS = 50;
/** A connection on which nothing comes for so long, with something asked, is given up. */
const SILENCE_MAX_MS = 5000;

const retry = (times: number): number => Math.min(times * RETRY_STEP_MS, RETRY_MAX_MS);

const ASK_ONCE = {
  enableAutoPipelining: true,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  socketTimeout: SILENCE_MAX_MS,
  connectionName: 'vitruvia-worker',
} satisfies RedisOptions;
const WAIT = { maxRetriesPerRequest: null, connectionName: 'vitruvia-jobs' } satisfies RedisOptions;

/**
 * Connects what a worker does to Redis. What is asked while Redis is away fails, and its job with
 * it, to be repeated later; the connection comes back by itself.
 *
 * @param url as for `connectRedis`
 */
export function connectWorker(url: string): Redis | Cluster {
  return connect(url, ASK_ONCE, false);
}

/**
 * Connects BullMQ, which waits for Redis as long as it takes.
 *
 * @param url as for `connectRedis`
 */
export function connectJobs(url: string): Redis | Cluster {
  return connect(url, WAIT, true);
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
  options: typeof ASK_ONCE | typeof WAIT,
  enableOfflineQueue: boolean,
): Redis | Cluster {
  const nodes = clusterNodes(url);
  const client =
    nodes === undefined
      ? new Redis(url, { ...options, enableOfflineQueue, retryStrategy: retry })
      : new Cluster([...nodes], {
          enableOfflineQueue,
          enableAutoPipelining: options === ASK_ONCE,
          clusterRetryStrategy: retry,
          clusterNodeRetryStrategy: retry,
          redisOptions: { ...options, ...securityOf(nodes[0] ?? '') },
        });
  // Without a listener ioredis writes to standard error; what fails says so itself.
  client.on('error', () => undefined);
  return client;
}

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
