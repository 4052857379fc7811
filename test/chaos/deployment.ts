import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount } from '../../src/accounts/accounts.js';
import { grantCredits } from '../../src/accounts/credits.js';
import { createKey } from '../../src/accounts/keys.js';
import { openDatabase } from '../../src/database/open.js';
import type { Database } from '../../src/database/schema.js';
import { programWords } from '../support/build.js';
import {
  type PostgresServer,
  type RedisServer,
  startPostgres,
  startRedis,
} from '../support/servers.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';
import type { ClientPlan, Seen } from './answer-log.js';
import { type SharedClock, sharedClock } from './clock-file.js';
import { type ApiNode, type Node, startApi, startWorkerNode } from './topology.js';

/** An account under load. */
export interface Customer {
  readonly account: string;
  readonly partition: number;
  readonly keys: readonly { readonly id: string; readonly apiKey: string }[];
}

/** Redis, PostgreSQL, two API processes, two workers, and customers. */
export interface Deployment {
  readonly redis: RedisServer;
  readonly postgres: PostgresServer;
  readonly db: Database;
  readonly clock: SharedClock;
  readonly apis: readonly ApiNode[];
  readonly workers: readonly Node[];
  readonly customers: readonly Customer[];
  close(): Promise<void>;
}

const CUSTOMERS = 12;
const KEYS_PER_CUSTOMER = 10;
/** Credits that customers start with, in turn: none, few that run out, and plenty. */
const CREDITS = [0, 30, 300, 100_000];

/** Starts everything. */
export async function startDeployment(): Promise<Deployment> {
  const [redis, postgres] = await Promise.all([startRedis({ aof: true }), startPostgres()]);
  const databaseUrl = await postgres.newDatabase();
  const db = await openDatabase(databaseUrl);
  const clock = sharedClock();
  const customers = await newCustomers(db);
  const settings = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis.url,
    ARTIFACTS_DIR: writeTinyArtifact(),
    LOG_LEVEL: 'info',
  };
  const apis = await Promise.all(['api-1', 'api-2'].map((name) => startApi(name, settings, clock)));
  const workers = await Promise.all(
    ['worker-1', 'worker-2'].map((name) => startWorkerNode(name, settings, clock)),
  );
  return {
    redis,
    postgres,
    db,
    clock,
    apis,
    workers,
    customers,
    async close() {
      await Promise.all([...apis, ...workers].map((node) => node.kill()));
      await db.destroy();
      await Promise.all([redis.stop(), postgres.stop()]);
    },
  };
}

async function newCustomers(db: Database): Promise<Customer[]> {
  const customers: Customer[] = [];
  for (let index = 0; index < CUSTOMERS; index++) {
    const { id, partition } = await createAccount(db, `customer ${index}`);
    const credits = CREDITS[index % CREDITS.length] ?? 0;
    if (credits > 0) await grantCredits(db, id, 'live', credits);
    const keys = [];
    for (let key = 0; key < KEYS_PER_CUSTOMER; key++) keys.push(await createKey(db, id, 'live'));
    customers.push({ account: id, partition, keys });
  }
  return customers;
}

/** Running client processes. */
export interface Load {
  /** Waits for their end and returns what they saw. */
  finish(): Promise<readonly Seen[]>;
  kill(): void;
}

/** Starts client processes that send random requests to every API process. */
export function startLoad(
  { apis, customers }: Deployment,
  plan: Pick<ClientPlan, 'seed' | 'seconds' | 'concurrency'>,
  clients: number,
): Load {
  const folder = mkdtempSync(join(tmpdir(), 'vitruvia-clients-'));
  const running = Array.from({ length: clients }, (_, index) => {
    const logFile = join(folder, `seen-${index}.jsonl`);
    const whole: ClientPlan = {
      ...plan,
      seed: plan.seed + index,
      addresses: apis.map(({ address }) => address),
      keys: customers.flatMap(({ keys }) => keys.map(({ apiKey }) => apiKey)),
      logFile,
    };
    const planFile = join(folder, `plan-${index}.json`);
    writeFileSync(planFile, JSON.stringify(whole));
    const words = [...programWords('test/chaos/client-child'), planFile];
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'inherit', 'inherit'] });
    return { child, ended: once(child, 'exit'), logFile };
  });
  return {
    async finish() {
      for (const { ended } of running) {
        const [code] = (await ended) as [number | null];
        if (code !== 0) throw new Error(`A client ended with exit code ${code}.`);
      }
      return running.flatMap(({ logFile }) => readLog(logFile));
    },
    kill() {
      for (const { child } of running) (child as ChildProcess).kill('SIGKILL');
    },
  };
}

function readLog(file: string): Seen[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Seen);
}
