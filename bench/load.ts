import autocannon from 'autocannon';
import { predict } from '../src/operations/predict.js';
import type { Server } from './service.js';

/** Answers of a server under load. */
export interface LoadResult {
  /** Number of answers, with any status. */
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Number of answers with another status than 200. */
  readonly failures: number;
}

/** A server to load, and what is sent to it. Each body is sent with each key. */
export interface Target {
  readonly url: string;
  readonly keys: readonly string[];
  readonly bodies: readonly string[];
  /** Headers besides the content type and the key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Connections open at once. */
  readonly connections?: number;
}

/** Connections of a target unless it says otherwise. */
export const CONNECTIONS = 64;
/** Predictions for every server measured. */
export const PREDICTIONS = [
  { measurement: 'Stature', gender: 'Female', age: 70, percentile: 95, country: 'JP' },
  { measurement: 'SittingHeight', gender: 'Male', age: 30, percentile: 5, country: 'NL' },
  { measurement: 'HandLength', gender: 'Female', age: 8.5, percentile: 50, unit: 'cm' },
  { measurement: 'HipBreadth', gender: 'Male', age: 45, percentile: 99, clothing: 'winter' },
];

/** These predictions as a target on any server. */
export const predictions = ({ address, keys }: Server): Target => ({
  url: address + predict.path,
  keys,
  bodies: PREDICTIONS.map((body) => JSON.stringify(body)),
});

/** Median of an odd number of values. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] as number;

/** Length of a comparison. */
export interface Plan {
  readonly rounds: number;
  readonly seconds: number;
}

const WARM_UP_SECONDS = 2;

/**
 * Measures in alternating rounds, after a first round that does not count.
 *
 * @param runs measurements by name; each takes some seconds
 * @returns a function that gives the median of a figure over the rounds
 */
export async function alternate<Runs extends Record<string, (seconds: number) => Promise<object>>>(
  { rounds, seconds }: Plan,
  runs: Runs,
) {
  type Round = { [Name in keyof Runs]: Awaited<ReturnType<Runs[Name]>> };
  const round = async (time: number) => {
    const found: Record<string, object> = {};
    for (const [name, measure] of Object.entries(runs)) found[name] = await measure(time);
    return found as Round;
  };
  await round(WARM_UP_SECONDS);
  const found: Round[] = [];
  for (let i = 0; i < rounds; i++) found.push(await round(seconds));
  return (pick: (round: Round) => number): number => median(found.map(pick));
}

/**
 * Makes a run for `alternate` that loads a target.
 *
 * @param expected whether all requests are to be answered or all to be refused
 * @throws Error if they are not
 */
export function loaded(target: Target, expected: 'answered' | 'refused' = 'answered') {
  return async (seconds: number): Promise<LoadResult> => {
    const result = await load(target, seconds);
    const { failures, requests } = result;
    if (failures === (expected === 'answered' ? 0 : requests)) return result;
    throw new Error(`${failures} of ${requests} requests were refused at ${target.url}`);
  };
}

/** Loads a target for some seconds. */
export async function load(
  { url, keys, bodies, headers, connections = CONNECTIONS }: Target,
  duration: number,
): Promise<LoadResult> {
  const requestsOf = (key: string): autocannon.Request[] => {
    const type = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
    return bodies.map((body) => ({ method: 'POST', body, headers: { ...type, ...headers } }));
  };
  // Every connection begins its list at the same moment. With equal lists, all connections would use the same key at
  // the same time.
  let client = 0;
  const setupClient = (one: autocannon.Client): void => {
    const own = keys.filter((_, k) => k % connections === client % keys.length);
    const used = own.length > 0 ? own : [keys[client % keys.length] as string];
    one.setRequests(used.flatMap(requestsOf));
    client++;
  };
  const result = await autocannon({ url, connections, duration, setupClient });
  return {
    requests: result.requests.total,
    perSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: result.non2xx + result.errors,
  };
}
