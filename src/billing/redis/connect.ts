import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { Deadlines } from './deadlines.js';

const CONNECT_TIMEOUT_MS = 1000;
const RETRY_MAX_MS = 500;
const RETRY_STEP_MS = 50;
const SLOTS_REFRESH_MS = 2000;

const retry = (times: number): number => Math.min(times * RETRY_STEP_MS, RETRY_MAX_MS);

/**
 * Options of a client that sends every command at most once. No command waits for a connection, and
 * no command is sent again when its reply was lost. A silent connection is closed, and the commands
 * on it fail. The client reconnects as long as it lives.
 */
const FAIL_FAST = {
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: CONNECT_TIMEOUT_MS,
  maxLoadingRetryTime: RETRY_MAX_MS,
  connectionName: 'vitruvia-gate',
} satisfies RedisOptions;

/**
 * Connects to Redis, or to a Redis Cluster.
 *
 * @param url `redis://…` or `rediss://…` for one Redis; for a cluster several such URLs, separated
 * by commas, or `redis+cluster://…` (`rediss+cluster://…`)
 * @param silenceMaxMs a connection counts as dead when it is silent for this time while a command
 * waits for its reply; a pause of this process counts as silence too
 */
export function connectRedis(url: string, silenceMaxMs: number): Redis | Cluster {
  const failFast = { ...FAIL_FAST, socketTimeout: silenceMaxMs };
  const nodes = clusterNodes(url);
  const client =
    nodes === undefined
      ? new Redis(url, { ...failFast, enableOfflineQueue: false, retryStrategy: retry })
      : connectCluster(nodes, failFast);
  // Without a listener, ioredis writes to standard error. Every failed command rejects anyway.
  client.on('error', () => undefined);
  return client;
}

/**
 * Asks each connection for a sign of life, and closes those that give none. The client then
 * connects again. With `silenceMaxMs`, a pause of this process counts as silence; here it does not.
 *
 * @param deadlines how long a sign of life may take
 */
export async function closeSilent(client: Redis | Cluster, deadlines: Deadlines): Promise<void> {
  const nodes = client instanceof Cluster ? client.nodes('master') : [client];
  await Promise.all(
    nodes
      .filter(({ status }) => status === 'ready')
      .map((node) => {
        const { stream } = node;
        return deadlines.watch(node.ping()).catch((error: Error) => stream.destroy(error));
      }),
  );
}

function connectCluster(
  nodes: readonly string[],
  failFast: typeof FAIL_FAST & { readonly socketTimeout: number },
): Cluster {
  return new Cluster([...nodes], {
    enableAutoPipelining: true,
    // ioredis would take the first argument for a key, but here it is the number of keys.
    autoPipeliningIgnoredCommands: ['gateSteps'],
    enableOfflineQueue: false,
    clusterRetryStrategy: retry,
    clusterNodeRetryStrategy: retry,
    // Sends a command again only if a node refused to run it (MOVED, ASK), to the node that was named.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    retryDelayOnTryAgain: 0,
    slotsRefreshInterval: SLOTS_REFRESH_MS,
    redisOptions: { ...failFast, ...securityOf(nodes[0] ?? '') },
  });
}

/** The URLs of a cluster's nodes; undefined for the URL of one Redis. */
export function clusterNodes(url: string): string[] | undefined {
  const parts = url.split(',').map((part) => part.trim());
  if (parts.length === 1 && !/^rediss?\+cluster:/i.test(url)) return undefined;
  return parts.map((part) => part.replace(/^(rediss?)\+cluster:/i, '$1:'));
}

/** Credentials and TLS of a node's URL. Nodes that the cluster names later need them too. */
export function securityOf(url: string) {
  const { protocol, username, password } = new URL(url);
  return {
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' ? { tls: {} } : {}),
  };
}
