import { setTimeout as sleep } from 'node:timers/promises';
import { POSTGRES, type PostgresServer, startPostgres } from '../test/support/postgres-server.js';
import { findProgram, remedyFor } from '../test/support/programs.js';
import { REDIS, type RedisServer, startRedis } from '../test/support/redis-server.js';
import { median, type Plan, ratios } from './compare.js';
import { cpuMicros, processTree } from './cpu.js';
import { drainLines } from './drain.js';
import type { Load } from './load.js';
import { startBare, startVitruvia } from './servers.js';
import type { Line } from './table.js';

/** Number of accounts, each with its own key: enough that caches and sets do not stay small. */
const KEYS = 512;
const SETTLE_MS = 6000;

/** Cost of a request for each part in one round. */
interface Share {
  readonly nodeMicros: number;
  readonly redisMicros: number;
  readonly postgresMicros: number;
  /** Calls of EVALSHA as Redis counts them. */
  readonly evalshas: number;
}

/** Compares one process on a private Redis and PostgreSQL with the bare route. */
export async function manyLines(load: Load, plan: Plan): Promise<Line[]> {
  const missing = [REDIS, POSTGRES].filter((program) => findProgram(program) === undefined);
  if (missing.length > 0) {
    process.stderr.write(`${remedyFor(missing)}; the part with many nodes is left out\n`);
    return [];
  }
  const redis = await startRedis({ aof: true });
  const postgres = await startPostgres();
  try {
    const databaseUrl = await postgres.newDatabase();
    return [
      ...(await requestLines(load, plan, { redis, postgres, databaseUrl })),
      ...(await drainLines(redis, postgres, databaseUrl)),
    ];
  } finally {
    await Promise.all([redis.stop(), postgres.stop()]);
  }
}

interface Stores {
  readonly redis: RedisServer;
  readonly postgres: PostgresServer;
  readonly databaseUrl: string;
}

async function requestLines(load: Load, plan: Plan, stores: Stores): Promise<Line[]> {
  const { redis, postgres, databaseUrl } = stores;
  const bare = await startBare();
  try {
    const own = await startVitruvia({ databaseUrl, redisUrl: redis.url, keyCount: KEYS });
    try {
      // Redis learns of the grants above through separate steps, at once and again a little later.
      await sleep(SETTLE_MS);
      const shares: Share[] = [];
      let failures = 0;
      const found = await ratios(load, bare, own, plan, async (run) => {
        const before = await used(redis, own.pid, postgres.pid);
        const result = await run();
        const after = await used(redis, own.pid, postgres.pid);
        shares.push(perRequest(before, after, result.requests));
        failures += result.failures;
        return result;
      });
      return [
        { measure: 'bare Fastify route', value: found.bareRate, unit: '/s' },
        { measure: 'POST /v1/predict, Redis', value: found.ownRate, unit: '/s' },
        { measure: 'predict ÷ bare, Redis', value: found.rate, unit: '×', floor: 0.7 },
        { measure: 'p99 ÷ p99 of bare, Redis', value: found.p99, unit: '×' },
        { measure: 'answers other than 200, Redis', value: failures, unit: '', ceiling: 0 },
        ...shareLines(shares),
      ];
    } finally {
      await own.stop();
    }
  } finally {
    await bare.stop();
  }
}

/** Resources that each part has used since it started. */
async function used(redis: RedisServer, node: number, postgres: number): Promise<Share> {
  const stats = `${await redis.run('info', 'commandstats')}`;
  return {
    nodeMicros: cpuMicros([node]),
    redisMicros: cpuMicros([redis.pid]),
    postgresMicros: cpuMicros(processTree(postgres)),
    evalshas: Number(/^cmdstat_evalsha:calls=(\d+)/m.exec(stats)?.[1] ?? 0),
  };
}

function perRequest(before: Share, after: Share, requests: number): Share {
  const of = (name: keyof Share) => (after[name] - before[name]) / requests;
  return {
    nodeMicros: of('nodeMicros'),
    redisMicros: of('redisMicros'),
    postgresMicros: of('postgresMicros'),
    evalshas: of('evalshas'),
  };
}

/** The steps of a turn share an EVALSHA; a connection that is cut off may add one. */
function shareLines(shares: readonly Share[]): Line[] {
  const of = (pick: (share: Share) => number) => median(shares.map(pick));
  return [
    { measure: 'EVALSHA per request', value: of((s) => s.evalshas), unit: '', ceiling: 1.01 },
    { measure: 'CPU per request, node', value: of((s) => s.nodeMicros), unit: 'µs' },
    { measure: 'CPU per request, Redis', value: of((s) => s.redisMicros), unit: 'µs' },
    { measure: 'CPU per request, PostgreSQL', value: of((s) => s.postgresMicros), unit: 'µs' },
  ];
}
