import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../src/config.js';
import { populationShare } from '../../src/operations/population-share.js';
import { type RunningServer, startServer } from '../../src/server.js';
import { newAccount } from '../support/accounts.js';
import { settingsHere } from '../support/cli.js';
import { HELD_OPERATIONS, Hold } from '../support/held-operations.js';
import { postJson } from '../support/post-json.js';
import { until } from '../support/until.js';

const { path, example, refusals } = populationShare;
const hold = new Hold();
let server: RunningServer;
let apiKey: string;

beforeAll(async () => {
  Object.assign(process.env, hold.env);
  const settings = settingsHere();
  ({ apiKey } = await newAccount(settings.DATABASE_URL, 'test', 12));
  const config = readConfig(settings);
  // The pool of threads takes its settings from the configuration.
  server = await startServer({ ...config, operationsModule: HELD_OPERATIONS } as typeof config);
});
afterAll(() => server.close());

const metrics = async () => (await fetch(`${server.metricsAddress}/metrics`)).text();

/** Sends a request over a new connection, so that no open connection delays the end of the service. */
function ask(
  route: string,
  body: unknown,
  more: Record<string, string> = {},
  signal?: AbortSignal,
) {
  const headers = { connection: 'close', ...more };
  return postJson(server.address + route, apiKey, body, headers, signal);
}

it('shows answers, refusals and computations of heavy operations', async () => {
  // An answer, its repeat, and refusals: before a computation, during one, and for lack of credits.
  const once = { 'idempotency-key': 'one' };
  expect((await ask(path, example, once)).status).toBe(200);
  expect((await ask(path, example, once)).status).toBe(200);
  expect((await ask(path, {})).status).toBe(400);
  expect((await ask(path, refusals.population_empty)).status).toBe(422);
  expect((await ask(path, example)).status).toBe(200);
  expect((await ask(path, example)).status).toBe(402);
  const text = await metrics();
  for (const line of [
    'vitruvia_charges_total{operation="population_share",source="credits"} 2',
    'vitruvia_charges_total{operation="population_share",source="replay"} 1',
    'vitruvia_charged_units_total{operation="population_share",source="credits"} 10',
    'vitruvia_refusals_total{operation="population_share",code="validation_error"} 1',
    'vitruvia_refusals_total{operation="population_share",code="population_empty"} 1',
    'vitruvia_refusals_total{operation="population_share",code="insufficient_credits"} 1',
    'vitruvia_computation_seconds_count{operation="population_share"} 3',
    'vitruvia_computations_total{outcome="answered"} 2',
    'vitruvia_computations_total{outcome="refused"} 1',
    'vitruvia_computations_total{outcome="left"} 0',
    'vitruvia_computations_under_way 0',
  ]) {
    expect(text).toContain(`${line}\n`);
  }
  expect(text).toMatch(
    /vitruvia_http_requests_total\{route="\/v1\/population\/share",status="200"\} 3/,
  );
});

it('shows a computation under way, and that its client has left', async () => {
  const leaving = new AbortController();
  hold.take();
  // This call costs no more than the two remaining credits.
  const known = [{ measurement: 'Stature', percentile: 50 }];
  const person = ask('/v1/person', { gender: 'Female', age: 30, known }, {}, leaving.signal);
  const left = expect(person).rejects.toThrow('aborted');
  await hold.begun();
  expect(await metrics()).toContain('vitruvia_computations_under_way 1\n');
  leaving.abort();
  await left;
  await until(async () => (await metrics()).includes('vitruvia_computations_under_way 0\n'));
  expect(await metrics()).toContain('vitruvia_computations_total{outcome="left"} 1\n');
  hold.release();
});
