import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount } from '../src/accounts/accounts.js';
import { grantCredits } from '../src/accounts/credits.js';
import { createKey } from '../src/accounts/keys.js';
import { openDatabase } from '../src/database/open.js';

/** A server under measurement, in a process of its own. */
export interface BenchServer {
  readonly address: string;
  /** From the start of the process to its first answer, in ms. */
  readonly startMs: number;
  readonly keys: readonly string[];
  /** Resident memory in bytes; undefined where /proc is not to be had. */
  readonly residentBytes: () => number | undefined;
  readonly stop: () => Promise<void>;
}

const KEYS = 8;

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

/** The service itself, as built, with funded keys and no rate limit in the way. */
export async function startVitruvia(preload?: string): Promise<BenchServer> {
  const databaseUrl = `file:${join(mkdtempSync(join(tmpdir(), 'vitruvia-bench-')), 'bench.sqlite')}`;
  const db = await openDatabase(databaseUrl);
  const keys: string[] = [];
  for (let i = 0; i < KEYS; i++) {
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
      ...(preload === undefined ? {} : { LD_PRELOAD: preload }),
    },
  });
  return started(child, keys);
}
