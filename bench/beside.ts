import { OPERATIONS } from '../src/operations/index.js';
import { populationPercentiles } from '../src/operations/population-percentiles.js';
import { populationShare } from '../src/operations/population-share.js';
import { predict } from '../src/operations/predict.js';
import { samplePeople } from '../src/operations/sample-people.js';
import { BODIES, median, type Plan } from './compare.js';
import type { Load } from './load.js';
import { ADULTS, EIGHT_LIMITS } from './population.js';
import { type BenchServer, startVitruvia } from './servers.js';
import type { Line } from './table.js';

// Batches, and predict beside population requests, over HTTP.

const BATCH_PATH = '/v1/batch';
const ENTRIES = 1000;
/** Keys that send predictions or batches, and keys that ask about populations. */
const [LIGHT_KEYS, HEAVY_KEYS] = [16, 4];
/** Connections that send batches; the pool has places for nine computations on two cores. */
const BATCH_CONNECTIONS = 8;
/** Computations that an account may have at once. */
const EACH = 2;

/** Measures one process on the embedded database. */
export async function besideLines(load: Load, plan: Plan): Promise<Line[]> {
  const server = await startVitruvia({ keyCount: LIGHT_KEYS + HEAVY_KEYS });
  try {
    return [
      await peopleLine(server),
      ...(await batchLines(load, server, plan)),
      ...(await p99Lines(load, server, plan)),
    ];
  } finally {
    await server.stop();
  }
}

/** 10,000 people with all measurements as an Arrow stream, to its end. */
async function peopleLine(server: BenchServer): Promise<Line> {
  const body = JSON.stringify({ population: ADULTS, count: 10_000, seed: 1, format: 'arrow' });
  const times: number[] = [];
  for (let i = 0; i < 4; i++) {
    const startedMs = performance.now();
    await answered(server, LIGHT_KEYS, samplePeople.path, body);
    times.push(performance.now() - startedMs);
  }
  const value = median(times.slice(1));
  return { measure: '10,000 people as an Arrow stream', value, unit: 'ms', ceiling: 1500 };
}

async function batchLines(
  load: Load,
  server: BenchServer,
  { rounds, seconds }: Plan,
): Promise<Line[]> {
  const five = OPERATIONS.slice(0, 5).map(({ name, example }) => ({
    operation: name,
    input: example,
  }));
  const mixed = batchBody(five);
  const times: number[] = [];
  for (let i = 0; i < 60; i++) {
    const startedMs = performance.now();
    await answered(server, i % LIGHT_KEYS, BATCH_PATH, mixed);
    times.push(performance.now() - startedMs);
  }
  const inputs = BODIES.map((body) => ({ operation: predict.name, input: JSON.parse(body) }));
  const keys = server.keys.slice(0, LIGHT_KEYS);
  const batches = { url: server.address + BATCH_PATH, keys, bodies: [batchBody(inputs)] };
  const singles = { url: server.address + predict.path, keys, bodies: BODIES };
  await load.send(batches, 2, BATCH_CONNECTIONS);
  await load.send(singles, 2);
  const found: { entries: number; ratio: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const many = await load.send(batches, seconds, BATCH_CONNECTIONS);
    const one = await load.send(singles, seconds);
    const failures = many.failures + one.failures;
    if (failures > 0) throw new Error(`${failures} requests failed`);
    const entries = many.requestsPerSecond * ENTRIES;
    found.push({ entries, ratio: entries / one.requestsPerSecond });
  }
  return [
    {
      measure: 'batch of 1,000 entries of five operations, p50',
      value: median(times.slice(29)),
      unit: 'ms',
      ceiling: 100,
    },
    {
      measure: 'predict entries in batches',
      value: median(found.map(({ entries }) => entries)),
      unit: '/s',
      floor: 150_000,
    },
    {
      measure: 'entries in batches ÷ single requests',
      value: median(found.map(({ ratio }) => ratio)),
      unit: '×',
    },
  ];
}

/** A batch of entries in turn. */
function batchBody(entries: readonly object[]): string {
  const requests = Array.from({ length: ENTRIES }, (_, i) => entries[i % entries.length]);
  return JSON.stringify({ requests });
}

/** Compares the p99 of predict with and without computations, in alternating rounds. */
async function p99Lines(
  load: Load,
  server: BenchServer,
  { rounds, seconds }: Plan,
): Promise<Line[]> {
  const keys = server.keys.slice(0, LIGHT_KEYS);
  const target = { url: server.address + predict.path, keys, bodies: BODIES };
  const run = async () => {
    const result = await load.send(target, seconds);
    if (result.failures > 0) throw new Error(`${result.failures} requests failed`);
    return result;
  };
  const warm = busy(server);
  await load.send(target, 2);
  await warm.end();
  const found: { without: number; beside: number; slowed: number; answers: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const without = await run();
    const computations = busy(server);
    const beside = await run();
    const answers = await computations.end();
    found.push({
      without: without.p99Ms,
      beside: beside.p99Ms,
      slowed: beside.requestsPerSecond / without.requestsPerSecond,
      answers: answers / seconds,
    });
  }
  const of = (pick: (one: (typeof found)[number]) => number) => median(found.map(pick));
  return [
    { measure: 'p99 of predict', value: of(({ without }) => without), unit: 'ms' },
    { measure: 'population answers beside predict', value: of((one) => one.answers), unit: '/s' },
    {
      measure: 'p99 of predict beside them ÷ without',
      value: of(({ without, beside }) => beside / without),
      unit: '×',
      ceiling: 2,
    },
    { measure: 'rate of predict beside them ÷ without', value: of((one) => one.slowed), unit: '×' },
  ];
}

/** What several accounts ask while predictions are measured: small and large computations. */
const COMPUTATIONS = [
  [
    populationShare.path,
    {
      population: { groups: [{ countries: ['EU27'], ageMin: 18, ageMax: 65 }] },
      limits: EIGHT_LIMITS,
    },
  ],
  [populationPercentiles.path, populationPercentiles.example],
] as const;

/** Keeps the pool busy: each account has two requests under way. `end` resolves to the answers. */
function busy(server: BenchServer): { end(): Promise<number> } {
  let [ended, answers] = [false, 0];
  const ask = async (client: number): Promise<void> => {
    const key = LIGHT_KEYS + (client % HEAVY_KEYS);
    for (let i = client; !ended; i++) {
      const [path, body] = COMPUTATIONS[i % COMPUTATIONS.length] as (typeof COMPUTATIONS)[number];
      await answered(server, key, path, JSON.stringify(body));
      if (!ended) answers++;
    }
  };
  const clients = Array.from({ length: EACH * HEAVY_KEYS }, (_, client) => ask(client));
  return {
    async end() {
      ended = true;
      await Promise.all(clients);
      return answers;
    },
  };
}

/** @throws Error for any other answer than 200 */
async function answered(server: BenchServer, key: number, path: string, body: string) {
  const response = await fetch(server.address + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${server.keys[key]}` },
    body,
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path} was refused: ${text.slice(0, 500)}`);
}
