import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresServer } from '../test/support/postgres-server.js';
import type { RedisServer } from '../test/support/redis-server.js';
import { cpuMicros, processTree } from './cpu.js';
import type { Line } from './table.js';

const POLL_MS = 50;
const LONGEST_MS = 300_000;

/** Events booked and CPU time used at one moment. */
interface Reading {
  readonly atMs: number;
  readonly booked: number;
  readonly waiting: number;
  readonly workerMicros: number;
  readonly redisMicros: number;
  readonly postgresMicros: number;
}

/** Starts one worker on the streams that a run has left, and measures it until they are empty. */
export async function drainLines(
  redis: RedisServer,
  postgres: PostgresServer,
  databaseUrl: string,
): Promise<Line[]> {
  const { child, metricsAddress } = await startWorker(redis.url, databaseUrl);
  const read = async (): Promise<Reading> => {
    const text = await (await fetch(`${metricsAddress}/metrics`)).text();
    const metric = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
    return {
      atMs: performance.now(),
      booked: metric('vitruvia_drained_events_total'),
      waiting: metric('vitruvia_backlog_events'),
      workerMicros: cpuMicros([child.pid ?? 0]),
      redisMicros: cpuMicros([redis.pid]),
      postgresMicros: cpuMicros(processTree(postgres.pid)),
    };
  };
  try {
    const first = await until(read, ({ booked }) => booked > 0);
    const last = await until(read, ({ waiting }) => waiting === 0);
    const events = last.booked - first.booked;
    const per = (name: 'workerMicros' | 'redisMicros' | 'postgresMicros') =>
      (last[name] - first[name]) / events;
    const rate = (events / (last.atMs - first.atMs)) * 1000;
    return [
      { measure: 'events drained by one worker', value: rate, unit: '/s', floor: 20_000 },
      { measure: 'CPU per event, worker', value: per('workerMicros'), unit: 'µs' },
      { measure: 'CPU per event, Redis', value: per('redisMicros'), unit: 'µs' },
      { measure: 'CPU per event, PostgreSQL', value: per('postgresMicros'), unit: 'µs' },
    ];
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

async function startWorker(redisUrl: string, databaseUrl: string) {
  const script = new URL('../bin/vitruvia.js', import.meta.url).pathname;
  const env = { REDIS_URL: redisUrl, DATABASE_URL: databaseUrl, HOST: '127.0.0.1' };
  const child: ChildProcess = spawn(process.execPath, [script, 'worker', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env, METRICS_PORT: '0', LOG_LEVEL: 'error' },
  });
  if (child.stdout === null) throw new Error('no pipe');
  const [line] = await once(createInterface(child.stdout), 'line');
  const { metricsAddress } = JSON.parse(String(line)) as { readonly metricsAddress: string };
  return { child, metricsAddress };
}

async function until(
  read: () => Promise<Reading>,
  holds: (reading: Reading) => boolean,
): Promise<Reading> {
  const deadlineMs = performance.now() + LONGEST_MS;
  for (;;) {
    const reading = await read();
    if (holds(reading)) return reading;
    if (reading.atMs > deadlineMs) throw new Error('the worker did not drain the streams in time');
    await sleep(POLL_MS);
  }
}
