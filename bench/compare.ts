import { predict } from '../src/operations/predict.js';
import type { Load, LoadResult } from './load.js';
import type { BenchServer } from './servers.js';

/** Request bodies for every server measured. */
export const BODIES = [
  { measurement: 'Stature', gender: 'Female', age: 70, percentile: 95, country: 'JP' },
  { measurement: 'SittingHeight', gender: 'Male', age: 30, percentile: 5, country: 'NL' },
  { measurement: 'HandLength', gender: 'Female', age: 8.5, percentile: 50, unit: 'cm' },
  { measurement: 'HipBreadth', gender: 'Male', age: 45, percentile: 99, clothing: 'winter' },
].map((body) => JSON.stringify(body));

/** Median of an odd number of values. */
export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] as number;

/** Length of a measurement. */
export interface Plan {
  readonly rounds: number;
  readonly seconds: number;
  /** Connections open at once, 64 by default. */
  readonly connections?: number;
}

/** Result of a comparison with the bare route: medians of the rounds. */
export interface Ratios {
  /** Processor time of the load generator per request to the bare route, in µs. */
  readonly generatorMicros: number;
  readonly rate: number;
  readonly p99: number;
  readonly bareRate: number;
  readonly ownRate: number;
}

/** Loads a server. Every answer must be 200, unless the caller counts failures. */
async function measured(
  load: Load,
  server: BenchServer,
  seconds: number,
  counted = false,
  connections?: number,
): Promise<LoadResult> {
  const url = server.address + predict.path;
  const result = await load.send({ url, keys: server.keys, bodies: BODIES }, seconds, connections);
  if (result.failures > 0 && !counted)
    throw new Error(`${result.failures} requests failed at ${url}`);
  return result;
}

/**
 * Measures the bare route and another server in alternating rounds.
 *
 * @param around wraps each round of the other server, to measure more and to count its failures
 * @returns medians of the ratios within each round
 */
export async function ratios(
  load: Load,
  bare: BenchServer,
  server: BenchServer,
  { rounds, seconds, connections }: Plan,
  around?: (run: () => Promise<LoadResult>) => Promise<LoadResult>,
): Promise<Ratios> {
  await measured(load, bare, 2, false, connections);
  await measured(load, server, 2, around !== undefined, connections);
  const pairs: { bare: LoadResult; own: LoadResult }[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = await measured(load, bare, seconds, false, connections);
    const own = await (around === undefined
      ? measured(load, server, seconds, false, connections)
      : around(() => measured(load, server, seconds, true, connections)));
    pairs.push({ bare: before, own });
  }
  return {
    generatorMicros: median(pairs.map(({ bare }) => bare.generatorMicros)),
    rate: median(pairs.map(({ bare, own }) => own.requestsPerSecond / bare.requestsPerSecond)),
    p99: median(pairs.map(({ bare, own }) => own.p99Ms / bare.p99Ms)),
    bareRate: median(pairs.map(({ bare }) => bare.requestsPerSecond)),
    ownRate: median(pairs.map(({ own }) => own.requestsPerSecond)),
  };
}
