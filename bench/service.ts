import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAccount } from '../src/accounts/accounts.js';
import { grantCredits } from '../src/accounts/credits.js';
import { deploymentSecret, PICTURE_SECRET } from '../src/accounts/deployment-secret.js';
import { createKey } from '../src/accounts/keys.js';
import { type Mode, TEST_CREDITS_PER_DAY } from '../src/core/billing-terms.js';
import { projectDir } from '../src/core/project-dir.js';
import { openDatabase } from '../src/database/open.js';
import type { Database } from '../src/database/schema.js';
import { type CliEnv, listen, serve } from '../test/support/cli.js';
import { newFolder } from '../test/support/folders.js';
import { startPostgres } from '../test/support/postgres-server.js';
import { startRedis } from '../test/support/redis-server.js';
import { until } from '../test/support/until.js';
import { cpuMicros, memoryBytes } from './process.js';

// Services, stores and other processes, each on loopback. `stopAll` ends all that a part of a run has started.

/** The artifacts that are measured. */
export const ARTIFACTS_DIR = process.env.ARTIFACTS_DIR || join(projectDir(), 'data/artifacts');

/** A server in a process of its own, and API keys for it. */
export interface Server {
  readonly address: string;
  readonly pid: number;
  readonly keys: readonly string[];
  stop(): Promise<unknown>;
}

/** The built service. */
export interface Service extends Server {
  readonly env: CliEnv;
  /** Time from the start of the process until it listens. */
  readonly startMs: number;
  readonly metricsAddress?: string;
}

const ends: (() => Promise<unknown>)[] = [];

/** Ends all that was started, the newest first. */
export async function stopAll(): Promise<void> {
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
}

/** Registers `end`, so that `stopAll` ends what was started. */
export function ended<Started>(started: Started, end: () => Promise<unknown>): Started {
  ends.push(end);
  return started;
}

/** The settings of an embedded database, which is empty. */
export const newFile = (): CliEnv => ({
  DATABASE_URL: `file:${join(newFolder('bench'), 'bench.sqlite')}`,
});

/** Starts a private Redis and PostgreSQL, with an empty database. */
export async function startStores() {
  const redis = await startRedis({ aof: true });
  ended(redis, () => redis.stop());
  const postgres = await startPostgres();
  ended(postgres, () => postgres.stop());
  const env: CliEnv = { DATABASE_URL: await postgres.newDatabase(), REDIS_URL: redis.url };
  return { redis, postgres, env };
}

async function startService(
  env: CliEnv,
  keys: readonly string[],
  words: readonly string[] = [],
): Promise<Service> {
  const begunMs = performance.now();
  const { child, output, stop } = await serve({ ARTIFACTS_DIR, LOG_LEVEL: 'silent', ...env }, [
    '--json',
    ...words,
  ]);
  const startMs = performance.now() - begunMs;
  const { address, metricsAddress } = JSON.parse(output.stdout);
  const pid = child.pid ?? 0;
  return ended({ address, metricsAddress, pid, keys, env, startMs, stop }, () => stop());
}

/** Starts the worker that books what Redis has charged. */
export async function startWorker(env: CliEnv) {
  const more = { METRICS_PORT: '0', LOG_LEVEL: 'error' };
  const { child, output, stop } = await listen(['worker', '--json'], { ...env, ...more });
  const { metricsAddress } = JSON.parse(output.stdout) as { metricsAddress: string };
  return ended({ pid: child.pid ?? 0, metricsAddress }, () => stop());
}

/** Reads the metrics of a process. Returns a function that gives a metric by its name. */
export async function metricsOf(metricsAddress: string): Promise<(name: string) => number> {
  const text = await (await fetch(`${metricsAddress}/metrics`)).text();
  return (name) => Number(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)`, 'm').exec(text)?.[1]);
}

/** Starts a module of this folder in a process of its own. Resolves when the process has sent a message. */
export async function startChild(name: string, ...words: string[]) {
  const child = fork(fileURLToPath(new URL(`./${name}.ts`, import.meta.url)), words);
  const gone = once(child, 'exit');
  const stop = () => {
    child.kill('SIGKILL');
    return gone;
  };
  const [said] = await once(child, 'message');
  return ended({ child, said, stop }, stop);
}

/** Sends a message to a child process, and returns the child's next message. */
export async function answerOf<Answer>(child: ChildProcess, message: object | string) {
  const told = once(child, 'message');
  child.send(message);
  return ((await told) as [Answer])[0];
}

/** Starts a bare Fastify route. */
export async function startBare(): Promise<Server> {
  const { child, said, stop } = await startChild('bare-server');
  return { address: said, pid: child.pid ?? 0, keys: ['none'], stop };
}

/** Creates accounts with credits, each with the same number of keys. Returns the keys. */
async function newAccounts(
  db: Database,
  name: string,
  count: number,
  mode: Mode,
  credits: number,
  each = 1,
) {
  const keys: string[] = [];
  for (let i = 0; i < count; i++) {
    const { id } = await createAccount(db, `${name} ${i}`);
    if (credits > 0) await grantCredits(db, id, mode, credits);
    for (let k = 0; k < each; k++) keys.push((await createKey(db, id, mode, `${k}`)).apiKey);
  }
  return keys;
}

const UNLIMITED = String(1e9);

/** Starts a service without limits. Each of its keys has an account with credits. */
export async function startUnlimited(env = newFile(), keyCount = 8): Promise<Service> {
  const db = await openDatabase(env.DATABASE_URL);
  const keys = await newAccounts(db, 'bench', keyCount, 'live', 1e9);
  await db.destroy();
  const limits = ['RATE_LIMIT_MAX', 'KEY_FAILURES_MAX', 'COMPUTE_SECONDS_PER_MINUTE'];
  const unlimited = Object.fromEntries(limits.map((name) => [name, UNLIMITED]));
  return startService({ ...unlimited, ...env }, keys);
}

/**
 * Kind of account that attacks: `test` has test credits, `free` a live key without credits, `paying` a live key with
 * credits.
 */
export type Purse = 'test' | 'free' | 'paying';

/** A service to attack, with the limits of every service. Its keys are those of a paying customer. */
export interface Attacked extends Service {
  /** Keys of other accounts, one account each. */
  readonly others: Readonly<Record<Purse, readonly string[]>>;
  /** Credits that all accounts have been charged so far. */
  spent(): Promise<number>;
  /** The secret that signs addresses of pictures. */
  pictureSecret(): Promise<string>;
  /**
   * Memory in bytes that the service holds for itself. Pages of the artifacts do not count: all processes share them,
   * and the system may drop them.
   */
  memory(): number;
  /** All memory in bytes that the system keeps for the service. */
  residentBytes(): number;
  /** Processor time of the service so far in ms. Other programs on the machine do not change it. */
  processorMs(): number;
  /** The longest hold of the event loop since the last call. */
  loop(): Promise<LoopHold>;
}

/** How long something held the event loop. */
export interface LoopHold {
  /** Processor time of the thread in ms. Other programs on the machine do not change it. */
  readonly heldMs: number;
  /** The longest delay by the metric of the service, in ms. It contains the time for which other programs ran. */
  readonly delayMs: number;
}

/** Several keys, so that the rate limit of one key does not end the measurement. */
const CUSTOMER_KEYS = 80;
const CREDITS = 1_000_000;
const BOOKING_MAX_MS = 60_000;

/**
 * Starts a service to attack.
 *
 * @param accounts number of accounts of each purse
 * @param workers number of serving processes; more than one use Redis
 */
export async function startAttacked(accounts: number, workers: number): Promise<Attacked> {
  const env = workers === 1 ? newFile() : (await startStores()).env;
  const db = await openDatabase(env.DATABASE_URL);
  ended(db, () => db.destroy());
  const keys = await newAccounts(db, 'customer', 1, 'live', CREDITS, CUSTOMER_KEYS);
  const others = {
    test: await newAccounts(db, 'test', accounts, 'test', TEST_CREDITS_PER_DAY),
    free: await newAccounts(db, 'free', accounts, 'live', 0),
    paying: await newAccounts(db, 'paying', accounts, 'live', CREDITS),
  };
  const holdsFile = join(newFolder('holds'), 'holds');
  writeFileSync(holdsFile, '');
  const watched = {
    ...{ METRICS_PORT: '0', LOOP_HOLDS_FILE: holdsFile },
    NODE_OPTIONS: `--import ${new URL('./loop-holds.js', import.meta.url)}`,
  };
  const words = ['--workers', String(workers)];
  const service = await startService({ ...env, ...watched }, keys, words);
  // Without a worker, no charge is booked. After a while, Redis then refuses charges.
  const worker = workers === 1 ? undefined : await startWorker(env);
  const { pid, metricsAddress = '' } = service;
  return {
    ...service,
    env,
    others,
    async spent() {
      const booked = async () => {
        if (worker === undefined) return true;
        return (await metricsOf(worker.metricsAddress))('vitruvia_backlog_events') === 0;
      };
      await until(booked, BOOKING_MAX_MS);
      const { left } = await db
        .selectFrom('balances')
        .select(({ fn }) => fn.sum<number>('paid_credits').as('left'))
        .where('mode', '=', 'live')
        .executeTakeFirstOrThrow();
      return CREDITS * (1 + accounts) - Number(left);
    },
    pictureSecret: () => deploymentSecret(db, PICTURE_SECRET),
    memory: () => memoryBytes(pid, 'RssAnon'),
    residentBytes: () => memoryBytes(pid, 'VmRSS'),
    processorMs: () => cpuMicros(pid) / 1000,
    async loop() {
      const delay = (await metricsOf(metricsAddress))('vitruvia_event_loop_delay_seconds');
      const holds = readFileSync(holdsFile, 'utf8').split('\n').filter(Boolean);
      writeFileSync(holdsFile, '');
      return { heldMs: Math.max(0, ...holds.map(Number)), delayMs: 1000 * delay };
    },
  };
}
