import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount } from '../src/accounts/accounts.js';
import { grantCredits } from '../src/accounts/credits.js';
import { createKey } from '../src/accounts/keys.js';
import { openDatabase } from '../src/database/open.js';

/** A server to measure, in a separate process. */
export interface BenchServer {
  readonly address: string;
  /** From the start of the process to its first answer, in ms. */
  readonly startMs: number;
  readonly pid: number;
  readonly keys: readonly string[];
  /** Resident memory in bytes; undefined without /proc. */
  readonly residentBytes: () => number | undefined;
  readonly stop: () => Promise<void>;
}

/** Options of a run of the service. */
export interface VitruviaOptions {
  /** A library to load before libc. */
  readonly preload?: string;
  /** By default a new SQLite file. */
  readonly databaseUrl?: string;
  readonly redisUrl?: string;
  /** Number of accounts, each with a funded key; 8 by default. */
  readonly keyCount?: number;
}

async function started(child: ChildProcess, keys: readonly string[]): Promise<BenchServer> {
  const begun = performance.now();
  let seen = '';
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(seen) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`a server ended before it listened:\n${seen}`)));
  });
  const startMs = performance.now() - begun;
  return {
    address,
    startMs,
    pid: child.pid ?? 0,
    keys,
    residentBytes: () => {
      try {
        const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
        return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
      } catch {
        return undefined;
      }
    },
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** The bare Fastify route. */
export function startBare(): Promise<BenchServer> {
  const script = new URL('./bare-server.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, ['--import', 'tsx', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return started(child, ['none']);
}

/** The built service with funded keys and an unlimited rate. */
export async function startVitruvia(options: VitruviaOptions = {}): Promise<BenchServer> {
  const { databaseUrl = freshFile(), redisUrl, preload, keyCount = 8 } = options;
  const db = await openDatabase(databaseUrl);
  const keys: string[] = [];
  for (let i = 0; i < keyCount; i++) {
    const account = await createAccount(db, `bench ${i}`);
    await grantCredits(db, account.id, 'live', 1_000_000_000);
    keys.push((await createKey(db, account.id, 'live', 'bench')).apiKey);
  }
  await db.destroy();
  const script = new URL('../bin/vitruvia.js', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, 'serve'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      DATABASE_URL: databaseUrl,
      RATE_LIMIT_MAX: '1000000000',
      KEY_FAILURES_MAX: '1000000000',
      COMPUTE_SECONDS_PER_MINUTE: '1000000000',
      // Failures are counted by the bench; a log line for each would distort the measurement.
      ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl, LOG_LEVEL: 'silent' }),
      ...(preload === undefined ? {} : { LD_PRELOAD: preload }),
    },
  });
  return started(child, keys);
}

function freshFile(): string {
  return `file:${join(mkdtempSync(join(tmpdir(), 'vitruvia-bench-')), 'bench.sqlite')}`;
}
