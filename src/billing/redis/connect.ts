import { Cluster, Redis, type RedisOptions } from 'ioredis';

const CONNECT_TIMEOUT_MS = 1000;
const RETRY_MAX_MS = 500;
const RETRY_STEP_MS = 50;
const SLOTS_REFRESH_MS = 2000;

const retry = (times: number): number => Math.min(times * RETRY_STEP_MS, RETRY_MAX_MS);

/**
 * A client that asks once: nothing waits for a connection, nothing is sent again when its reply was
 * lost, and a connection that has fallen silent is given up, with what was asked on it, and made
 * anew for as long as the client lives.
 */
const FAIL_FAST = {
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: CONNECT_TIMEOUT_MS,
  maxLoadingRetryTime: RETRY_MAX_MS,
  connectionName: 'vitruvia-gate',
} satisfies RedisOptions;

/**
 * Connects to Redis, or to a cluster where the URL names several nodes.
 *
 * @param url `redis://…` or `rediss://…`; several of them, separated by commas, or
 *   `redis+cluster://…` (`rediss+cluster://…`) for a cluster
 * @param silenceMaxMs a connection on which nothing comes for so long, with something asked, is
 *   taken for dead
 */
export function connectRedis(url: string, silenceMaxMs: number): Redis | Cluster {
  const failFast = { ...FAIL_FAST, socketTimeout: silenceMaxMs };
  const nodes = clusterNodes(url);
  const client =
    nodes === undefined
      ? new Redis(url, { ...failFast, enableOfflineQueue: false, retryStrategy: retry })
      : connectCluster(nodes, failFast);
  // Without a listener ioredis writes to standard error; what fails says so itself.
  client.on('error', () => undefined);
  return client;
}

function connectCluster(
  nodes: readonly string[],
  failFast: typeof FAIL_FAST & { readonly socketTimeout: number },
): Cluster {
  return new Cluster([...nodes], {
    enableAutoPipelining: true,
    enableOfflineQueue: false,
    clusterRetryStrategy: retry,
    clusterNodeRetryStrategy: retry,
    // Only what a node refused to run (MOVED, ASK) is sent again, to the node it named.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    retryDelayOnTryAgain: 0,
    slotsRefreshInterval: SLOTS_REFRESH_MS,
    redisOptions: { ...failFast, ...securityOf(nodes[0] ?? '') },
  });
}

/** Nodes of a cluster as URLs of single ones; undefined for the URL of one Redis. */
export function clusterNodes(url: string): string[] | undefined {
  const parts = url.split(',').map((part) => part.trim());
  if (parts.length === 1 && !/^rediss?\+cluster:/i.test(url)) return undefined;
  return parts.map((part) => part.replace(/^(rediss?)\+cluster:/i, '$1:'));
}

/** What the nodes a cluster tells of later need too, and its own URL does not say of them. */
export function securityOf(url: string) {
  const { protocol, username, password } = new URL(url);
  return {
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' ? { tls: {} } : {}),
  };
}
