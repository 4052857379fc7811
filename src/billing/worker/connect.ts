import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { clusterNodes, securityOf } from '../redis/connect.js';

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
