import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { newFolder, removeFolder } from './folders.js';
import { findProgram, type Program, remedyFor } from './programs.js';
import { freePort, type RunAs, ServerProcess } from './server-process.js';

/** PostgreSQL's server; `initdb` is beside it. */
export const POSTGRES: Program = {
  name: 'postgres',
  debianPackage: 'postgresql',
  folders: ['/usr/lib/postgresql/*/bin'],
};

/** A private PostgreSQL on a loopback port, with a folder of its own. */
export interface PostgresServer {
  /** The administrator's database. */
  readonly url: string;
  readonly port: number;
  /** Process id of the postmaster; 0 while it does not run. */
  readonly pid: number;
  /** Creates an empty database and resolves to its URL. */
  newDatabase(): Promise<string>;
  /** Ends all processes of the server with SIGKILL. */
  kill(): Promise<void>;
  /** Starts the server on the same port and folder. If it runs, it is ended first (fast shutdown). */
  restart(): Promise<void>;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
}

const USER = 'vitruvia';
const MAX_CONNECTIONS = 200;

/**
 * Creates and starts a PostgreSQL.
 *
 * @param settings settings of postgresql.conf, which replace the defaults
 */
export async function startPostgres(
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> {
  const file = findProgram(POSTGRES);
  if (file === undefined) throw new Error(remedyFor([POSTGRES]));
  const runAs = notRoot();
  const folder = newFolder('postgres');
  if (runAs !== undefined) chownSync(folder, runAs.uid, runAs.gid);
  const password = randomBytes(12).toString('hex');
  const data = await createCluster(dirname(file), folder, password, runAs);
  const port = await freePort();
  const urlOf = (database: string) =>
    `postgres://${USER}:${password}@127.0.0.1:${port}/${database}`;
  const url = urlOf('postgres');
  const all: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: `${port}`,
    unix_socket_directories: '',
    max_connections: `${MAX_CONNECTIONS}`,
    // A killed server leaves no shared memory outside its folder.
    dynamic_shared_memory_type: 'mmap',
    ...settings,
  };
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = new ServerProcess(folder, {
    file,
    args: ['-D', data, ...args],
    runAs,
    ping: async () => {
      await runSql(url, 'select 1');
    },
  });
  await server.start();
  const end = async (): Promise<void> => {
    server.signal('SIGSTOP');
    for (const pid of backends(server.pid)) kill(pid);
    await server.end('SIGKILL');
  };
  return {
    url,
    port,
    get pid() {
      return server.pid;
    },
    async newDatabase() {
      const name = `test_${randomBytes(6).toString('hex')}`;
      await runSql(url, `create database ${name}`);
      return urlOf(name);
    },
    kill: end,
    async restart() {
      await server.end('SIGINT');
      await server.start();
    },
    async stop() {
      await end();
      removeFolder(folder);
    },
  };
}

async function createCluster(
  bin: string,
  folder: string,
  password: string,
  runAs: RunAs | undefined,
): Promise<string> {
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password);
  if (runAs !== undefined) chownSync(passwordFile, runAs.uid, runAs.gid);
  const words = ['-D', data, '-U', USER, '--pwfile', passwordFile, '--auth', 'scram-sha-256'];
  await promisify(execFile)(
    join(bin, 'initdb'),
    [...words, '--encoding', 'UTF8', '--no-locale', '--no-sync'],
    { ...runAs, cwd: folder },
  );
  return data;
}

/** PostgreSQL refuses to run as root. If the tests run as root, it runs as postgres or nobody. */
function notRoot(): RunAs | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const user of ['postgres', 'nobody']) {
    try {
      const id = (option: string): number =>
        Number(execFileSync('id', [option, user], { encoding: 'utf8', stdio: 'pipe' }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // No such user.
    }
  }
  throw new Error('PostgreSQL needs a user other than root to run as, such as nobody.');
}

/** The processes of the postmaster. Each has its own process group, so one signal would not reach all. */
function backends(pid: number): number[] {
  if (pid === 0) return [];
  try {
    const text = execFileSync('pgrep', ['-P', `${pid}`], { encoding: 'utf8' });
    return text.trim().split('\n').map(Number);
  } catch {
    return [];
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Runs one statement over a connection of its own. */
export async function runSql(url: string, statement: string): Promise<readonly object[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  // If the server is killed, the connection ends. The rejected statement already reports this.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(statement)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}
