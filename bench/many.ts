import { setTimeout as sleep } from 'node:timers/promises';
import { POSTGRES } from '../test/support/postgres-server.js';
import { findProgram, remedyFor } from '../test/support/programs.js';
import { REDIS } from '../test/support/redis-server.js';
import { until } from '../test/support/until.js';
import { alternate, load, loaded, type Plan, predictions } from './load.js';
import { cpuMicros, processTree } from './process.js';
import { metricsOf, startBare, startStores, startUnlimited, startWorker } from './service.js';
import { atLeast, atMost, type Figure, figure } from './table.js';

/** Number of accounts, each with one key. There are enough that caches and sets do not stay small. */
const KEYS = 512;
const SETTLE_MS = 6000;
const DRAIN_MAX_MS = 300_000;

/** What processes have used so far, by name. */
type Used = Readonly<Record<string, number>>;
/** Use between two readings, divided by the number of requests or events. */
const per = (before: Used, after: Used, count: number) => (name: string) =>
  ((after[name] ?? 0) - (before[name] ?? 0)) / count;

/** Compares one process on a private Redis and PostgreSQL with the bare route. Then drains the charges. */
export async function* many(plan: Plan): AsyncGenerator<Figure> {
  const missing = [REDIS, POSTGRES].filter((program) => findProgram(program) === undefined);
  if (missing.length > 0) {
    process.stderr.write(`${remedyFor(missing)}; the part with many nodes is left out\n`);
    return;
  }
  const { redis, postgres, env } = await startStores();
  const used = (pid: number): Used => ({
    node: cpuMicros(pid),
    Redis: cpuMicros(redis.pid),
    PostgreSQL: cpuMicros(...processTree(postgres.pid)),
  });
  const bare = await startBare();
  const own = await startUnlimited(env, KEYS);
  // Redis learns of these grants in separate steps: at once, and again a little later.
  await sleep(SETTLE_MS);
  const calls = async () => {
    const stats = `${await redis.run('info', 'commandstats')}`;
    return Number(/^cmdstat_evalsha:calls=(\d+)/m.exec(stats)?.[1] ?? 0);
  };
  const reading = async (): Promise<Used> => ({ ...used(own.pid), evalsha: await calls() });
  let failures = 0;
  const of = await alternate(plan, {
    bare: loaded(predictions(bare)),
    async own(seconds) {
      const before = await reading();
      const result = await load(predictions(own), seconds);
      failures += result.failures;
      return { ...result, per: per(before, await reading(), result.requests) };
    },
  });
  yield figure(
    'bare Fastify route',
    of(({ bare }) => bare.perSecond),
    '/s',
  );
  yield figure(
    'POST /v1/predict, Redis',
    of(({ own }) => own.perSecond),
    '/s',
  );
  const rate = of(({ own, bare }) => own.perSecond / bare.perSecond);
  yield atLeast(0.7, 'predict ÷ bare, Redis', rate, '×');
  yield figure(
    'p99 ÷ p99 of bare, Redis',
    of(({ own, bare }) => own.p99Ms / bare.p99Ms),
    '×',
  );
  yield atMost(0, 'answers other than 200, Redis', failures, '');
  // The steps of one turn of the event loop share an EVALSHA. A connection that is cut may add another.
  yield atMost(
    1.01,
    'EVALSHA per request',
    of(({ own }) => own.per('evalsha')),
    '',
  );
  for (const part of ['node', 'Redis', 'PostgreSQL']) {
    yield figure(
      `CPU per request, ${part}`,
      of(({ own }) => own.per(part)),
      'µs',
    );
  }
  await own.stop();
  const worker = await startWorker(env);
  const drained = async () => {
    const metric = await metricsOf(worker.metricsAddress);
    const booked = metric('vitruvia_drained_events_total');
    const waiting = metric('vitruvia_backlog_events');
    return { atMs: performance.now(), booked, waiting, ...used(worker.pid) };
  };
  let now = await drained();
  const reached = async (isReached: () => boolean) => {
    const again = async () => {
      now = await drained();
      return isReached();
    };
    await until(again, DRAIN_MAX_MS);
    return now;
  };
  const begun = await reached(() => now.booked > 0);
  const end = await reached(() => now.waiting === 0);
  const events = end.booked - begun.booked;
  const perSecond = (1000 * events) / (end.atMs - begun.atMs);
  yield atLeast(20_000, 'events drained by one worker', perSecond, '/s');
  const each = per(begun, end, events);
  yield figure('CPU per event, worker', each('node'), 'µs');
  yield figure('CPU per event, Redis', each('Redis'), 'µs');
  yield figure('CPU per event, PostgreSQL', each('PostgreSQL'), 'µs');
}
