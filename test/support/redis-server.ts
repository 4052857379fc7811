import { Redis } from 'ioredis';
import { newFolder, removeFolder } from './folders.js';
import { findProgram, type Program, remedyFor } from './programs.js';
import { freePort, ServerProcess } from './server-process.js';
import { until } from './until.js';

/** Redis' server. */
export const REDIS: Program = { name: 'redis-server', debianPackage: 'redis-server' };

/** Options of a Redis. */
export interface RedisOptions {
  /** Whether Redis keeps an append-only file and flushes it every second, as the service requires (default false). */
  readonly aof?: boolean;
  /** Further arguments of redis-server, such as `'--maxmemory', '1mb'`. */
  readonly args?: readonly string[];
}

/** A private redis-server on a loopback port, with a folder of its own. */
export interface RedisServer {
  /** `redis://127.0.0.1:<port>`. */
  readonly url: string;
  readonly port: number;
  /** Process id; 0 while it does not run. */
  readonly pid: number;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
  /** Stops the server with SIGSTOP. It keeps its connections and answers nothing. */
  pause(): void;
  resume(): void;
  /** Starts the server on the same port and folder. If it runs, SIGTERM ends it first. */
  restart(): Promise<void>;
  /** Removes all data. */
  flush(): Promise<void>;
  /** Sends one command over a connection of its own. */
  run(command: string, ...args: (string | number)[]): Promise<unknown>;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
}

/** Three masters that share all slots. */
export interface RedisCluster {
  /** The three nodes, separated by commas. */
  readonly url: string;
  readonly nodes: readonly RedisServer[];
  stop(): Promise<void>;
}

const NODES = 3;
const SLOTS = 16_384;
const CLUSTER_TIMEOUT_MS = 15_000;
/** Several tries, because another test may take a free port before this one uses it. */
const CLUSTER_TRIES = 3;

/** Starts a Redis. */
export async function startRedis(options: RedisOptions = {}): Promise<RedisServer> {
  const { aof = false, args = [] } = options;
  const file = findProgram(REDIS);
  if (file === undefined) throw new Error(remedyFor([REDIS]));
  const port = await freePort();
  const folder = newFolder('redis');
  const run = (command: string, ...words: (string | number)[]) => runOnce(port, command, words);
  const server = new ServerProcess(folder, {
    file,
    args: [
      ...['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', ''],
      ...['--appendonly', aof ? 'yes' : 'no', '--appendfsync', 'everysec', ...args],
    ],
    ping: async () => {
      await run('ping');
    },
  });
  await server.start();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    get pid() {
      return server.pid;
    },
    kill: () => server.end('SIGKILL'),
    pause: () => void server.signal('SIGSTOP'),
    resume: () => void server.signal('SIGCONT'),
    async restart() {
      await server.end('SIGTERM');
      await server.start();
    },
    async flush() {
      await run('flushall');
    },
    run,
    async stop() {
      await server.end('SIGKILL');
      removeFolder(folder);
    },
  };
}

/** Starts a Redis Cluster of three masters. Resolves when every node reports that the cluster works. */
export async function startRedisCluster(options: RedisOptions = {}): Promise<RedisCluster> {
  for (let tries = 1; ; tries++) {
    try {
      return await startNodes(options);
    } catch (error) {
      if (tries === CLUSTER_TRIES) throw error;
    }
  }
}

async function startNodes(options: RedisOptions): Promise<RedisCluster> {
  const nodes: RedisServer[] = [];
  try {
    for (let node = 0; node < NODES; node++) nodes.push(await startNode(options));
    await joinNodes(nodes);
  } catch (error) {
    await Promise.all(nodes.map((node) => node.stop()));
    throw error;
  }
  return {
    url: nodes.map(({ url }) => url).join(','),
    nodes,
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}

async function startNode({ args = [], ...options }: RedisOptions): Promise<RedisServer> {
  const busPort = await freePort();
  const cluster = ['--cluster-enabled', 'yes', '--cluster-port', `${busPort}`];
  return await startRedis({
    ...options,
    args: [...cluster, '--cluster-node-timeout', '5000', ...args],
  });
}

async function joinNodes(nodes: readonly RedisServer[]): Promise<void> {
  for (const [index, node] of nodes.entries()) {
    const first = Math.floor((index * SLOTS) / NODES);
    const last = Math.floor(((index + 1) * SLOTS) / NODES) - 1;
    await node.run('cluster', 'addslotsrange', first, last);
    await node.run('cluster', 'set-config-epoch', index + 1);
  }
  const [firstNode] = nodes;
  for (const node of nodes.slice(1)) {
    const bus = /^[^@]*@(\d+)/m.exec(`${await node.run('cluster', 'nodes')}`)?.[1];
    await firstNode?.run('cluster', 'meet', '127.0.0.1', node.port, bus ?? '');
  }
  await until(() => allInOrder(nodes), CLUSTER_TIMEOUT_MS);
}

async function allInOrder(nodes: readonly RedisServer[]): Promise<boolean> {
  const infos = await Promise.all(nodes.map((node) => node.run('cluster', 'info')));
  return infos.every(
    (info) => `${info}`.includes('cluster_state:ok') && `${info}`.includes(`cluster_size:${NODES}`),
  );
}

async function runOnce(
  port: number,
  command: string,
  args: readonly (string | number)[],
): Promise<unknown> {
  const client = new Redis(port, '127.0.0.1', {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  });
  // Without a listener, ioredis would print the error that the command already reports.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await client.call(command, ...args);
  } finally {
    client.disconnect();
  }
}
