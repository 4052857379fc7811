import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccount } from '../src/accounts/accounts.js';
import { grantCredits } from '../src/accounts/credits.js';
import { createKey } from '../src/accounts/keys.js';
import { TEST_CREDITS_PER_DAY } from '../src/core/billing-terms.js';
import { openDatabase } from '../src/database/open.js';

/** Who attacks: what an account pays with. */
export const PURSES = ['test', 'free', 'paying'] as const;
/** `test`: test credits; `free`: a live key without credits; `paying`: a live key with credits. */
export type Purse = (typeof PURSES)[number];

/** A service to attack, on loopback, with the limits that every service has. */
export interface AttackedService {
  readonly address: string;
  readonly databaseUrl: string;
  /** Keys of the customer: several, so that the rate limit of one key does not end the measurement. */
  readonly victimKeys: readonly string[];
  /** Keys of other accounts, one account each. */
  readonly keys: Readonly<Record<Purse, readonly string[]>>;
  /** The credits that all charges so far have taken from the victim. */
  spent(): Promise<number>;
  /**
   * Memory in bytes that the service holds for itself. Pages of the artifacts, which all processes share and the
   * system may drop, do not count.
   */
  memory(): number;
  /** All memory in bytes that the system keeps for it, and what of that is its own. */
  resident(): { readonly resident: number; readonly own: number };
  /** Processor time of the service so far in ms: other programs on the machine do not change it. */
  processorMs(): number;
  /** The longest time for which something held the event loop since the last call. */
  loop(): Promise<LoopHold>;
  stop(): Promise<void>;
}

/** How long something held the event loop. */
export interface LoopHold {
  /** In ms of processor time of its thread: other programs on the machine do not change it. */
  readonly heldMs: number;
  /** The longest delay by the metric of the service, in ms, with the time for which others ran instead. */
  readonly delayMs: number;
}

/** Linux counts processor time in ticks of 10 ms (proc(5)). */
const TICK_MS = 10;
const DELAY = /^vitruvia_event_loop_delay_seconds(?:\{.*\})? (\S+)$/m;
const BOOKING_MAX_MS = 60_000;
const VICTIM_KEYS = 80;
const VICTIM_CREDITS = 1_000_000;

/** The stores of a service, and what ends them. */
interface Stores {
  readonly databaseUrl: string;
  readonly redisUrl?: string;
  stop(): Promise<void>;
}

/** SQLite for one process, Redis and PostgreSQL for several. */
async function startStores(workers: number): Promise<Stores> {
  if (workers === 1) {
    const folder = mkdtempSync(join(tmpdir(), 'vitruvia-attack-'));
    const stop = async () => rmSync(folder, { recursive: true, force: true });
    return { databaseUrl: `file:${join(folder, 'attack.sqlite')}`, stop };
  }
  const [{ startPostgres }, { startRedis }] = await Promise.all([
    import('../test/support/postgres-server.js'),
    import('../test/support/redis-server.js'),
  ]);
  const [redis, postgres] = await Promise.all([startRedis({ aof: true }), startPostgres()]);
  const databaseUrl = await postgres.newDatabase();
  const stop = async () => void (await Promise.all([redis.stop(), postgres.stop()]));
  return { databaseUrl, redisUrl: redis.url, stop };
}

/**
 * @param accounts accounts of each purse
 * @param workers processes that serve
 */
export async function startAttacked(accounts: number, workers: number): Promise<AttackedService> {
  const stores = await startStores(workers);
  const { databaseUrl } = stores;
  const db = await openDatabase(databaseUrl);
  const victim = await createAccount(db, 'victim');
  await grantCredits(db, victim.id, 'live', VICTIM_CREDITS);
  const victimKeys: string[] = [];
  for (let i = 0; i < VICTIM_KEYS; i++) {
    victimKeys.push((await createKey(db, victim.id, 'live', `victim ${i}`)).apiKey);
  }
  const keys: Record<Purse, string[]> = { test: [], free: [], paying: [] };
  for (const purse of PURSES) {
    for (let i = 0; i < accounts; i++) {
      const { id } = await createAccount(db, `${purse} ${i}`);
      const mode = purse === 'test' ? 'test' : 'live';
      if (purse === 'test') await grantCredits(db, id, mode, TEST_CREDITS_PER_DAY);
      if (purse === 'paying') await grantCredits(db, id, mode, VICTIM_CREDITS);
      keys[purse].push((await createKey(db, id, mode, 'attack')).apiKey);
    }
  }
  await db.destroy();
  const metricsPort = await freePort();
  const holdsFile = join(mkdtempSync(join(tmpdir(), 'vitruvia-attack-')), 'holds');
  writeFileSync(holdsFile, '');
  const child = serve(databaseUrl, {
    ...{ workers, redisUrl: stores.redisUrl },
    watched: { METRICS_PORT: String(metricsPort), LOOP_HOLDS_FILE: holdsFile },
  });
  // Without it, Redis would refuse charges that are not booked for long.
  const booking =
    stores.redisUrl === undefined ? undefined : cli(['worker'], databaseUrl, stores.redisUrl);
  const address = await listening(child);
  return {
    address,
    databaseUrl,
    victimKeys,
    keys,
    async spent() {
      if (stores.redisUrl !== undefined) await allBooked(stores.redisUrl);
      const books = await openDatabase(databaseUrl);
      try {
        const { balanceOf } = await import('../src/accounts/credits.js');
        return VICTIM_CREDITS - (await balanceOf(books, victim.id, 'live'));
      } finally {
        await books.destroy();
      }
    },
    memory: () => statusBytes(child, 'RssAnon'),
    resident: () => ({ resident: statusBytes(child, 'VmRSS'), own: statusBytes(child, 'RssAnon') }),
    processorMs() {
      const [, after = ''] = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ');
      const [user, system] = after.split(' ').slice(11, 13);
      return (Number(user) + Number(system)) * TICK_MS;
    },
    async loop() {
      const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
      const [, seconds] = DELAY.exec(await metrics.text()) ?? [];
      const holds = readFileSync(holdsFile, 'utf8').split('\n').filter(Boolean);
      writeFileSync(holdsFile, '');
      return { heldMs: Math.max(0, ...holds.map(Number)), delayMs: 1000 * Number(seconds) };
    },
    async stop() {
      for (const one of [child, booking]) {
        if (one === undefined || one.exitCode !== null) continue;
        one.kill('SIGTERM');
        await once(one, 'exit');
      }
      rmSync(dirname(holdsFile), { recursive: true, force: true });
      await stores.stop();
    },
  };
}

/** A size that Linux tells of a process (proc(5)). */
function statusBytes({ pid }: ChildProcess, name: 'VmRSS' | 'RssAnon'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
}

/** Waits until the worker has written every charge into the ledger: Redis takes them first. */
async function allBooked(redisUrl: string): Promise<void> {
  const [{ connectWorker, waitUntilReady }, { allGroups, partitionsOf }, { streamStatus }] =
    await Promise.all([
      import('../src/billing/worker/connect.js'),
      import('../src/billing/worker/groups.js'),
      import('../src/billing/worker/streams.js'),
    ]);
  const redis = connectWorker(redisUrl);
  try {
    await waitUntilReady(redis, BOOKING_MAX_MS);
    const partitions = allGroups().flatMap(partitionsOf);
    for (const deadline = Date.now() + BOOKING_MAX_MS; Date.now() < deadline; await sleep(100)) {
      const streams = await streamStatus(redis, partitions, 0);
      if (streams.every(({ events }) => events === 0)) return;
    }
    throw new Error('The worker has not written all charges into the ledger after a minute.');
  } finally {
    redis.disconnect();
  }
}

/** Starts the built service on any free port of loopback. */
export function serve(
  databaseUrl: string,
  {
    workers = 1,
    redisUrl,
    watched,
  }: { workers?: number; redisUrl?: string | undefined; watched?: NodeJS.ProcessEnv } = {},
): ChildProcess {
  return cli(['serve', '--workers', String(workers)], databaseUrl, redisUrl, watched);
}

/** A port of loopback that nothing uses. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a command of the built service. */
export function cli(
  words: readonly string[],
  databaseUrl: string,
  redisUrl?: string,
  watched?: NodeJS.ProcessEnv,
): ChildProcess {
  const [script, holds] = ['../bin/vitruvia.js', './loop-holds.js'].map(
    (file) => new URL(file, import.meta.url).pathname,
  ) as [string, string];
  const watching = watched === undefined ? [] : ['--import', holds];
  return spawn(process.execPath, [...watching, script, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      DATABASE_URL: databaseUrl,
      ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
      ...watched,
      LOG_LEVEL: 'silent',
      // A process that a later step expects to end must not wait for a terminal.
      NO_COLOR: '1',
    },
  });
}

/** What a command wrote, and how it ended. */
export async function ended(
  child: ChildProcess,
): Promise<{ readonly code: number | null; readonly text: string }> {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  const [code] = await once(child, 'exit');
  return { code, text };
}

/** The address at which a service listens. */
export async function listening(child: ChildProcess): Promise<string> {
  let seen = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    seen += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(seen) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`the service ended before it listened:\n${seen}`)));
  });
}
