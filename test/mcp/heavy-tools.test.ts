import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { populationShare } from '../../src/operations/population-share.js';
import { predict } from '../../src/operations/predict.js';
import { reachEnvelope } from '../../src/operations/reach-envelope.js';
import { samplePeople } from '../../src/operations/sample-people.js';
import { HELD_OPERATIONS, Hold } from '../support/held-operations.js';
import { operationNamed } from '../support/operations.js';
import { postJson } from '../support/post-json.js';
import type { Customer } from '../support/service.js';
import { until } from '../support/until.js';
import { useService } from '../support/use-service.js';

const hold = new Hold();

Object.assign(process.env, hold.env);
const nowMs = Date.now();
const computing = { operationsModule: HELD_OPERATIONS, threads: 1 };
// The clock stands still, so all free calls become available again at the same time.
const service = useService({ computing, clock: () => nowMs });

async function connect({ headers }: Customer, mode: 'auto' | 'legacy' = 'auto') {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const url = new URL('/mcp', await service.address());
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return client;
}

async function post(path: string, body: object, { apiKey }: Customer, key = '') {
  const headers = key === '' ? {} : { 'idempotency-key': key };
  const answer = await postJson((await service.address()) + path, apiKey, body, headers);
  // biome-ignore lint/suspicious/noExplicitAny: answers and problems alike.
  return { status: answer.status, body: (await answer.json()) as any };
}

/** A refused call's problem. */
// biome-ignore lint/suspicious/noExplicitAny: the client of each revision has its own type.
function problemOf(answer: any) {
  expect(answer.isError).toBe(true);
  expect(answer.structuredContent).toBeUndefined();
  return JSON.parse(answer.content[0].text);
}

const GROUPS = [
  { countries: ['EU27'], ageMin: 18, ageMax: 30, gender: 'Female', share: 0.25 },
  { countries: ['JP', 'World'], ageMin: 40, ageMax: 45, share: 0.75 },
];

const CALLS: readonly [what: string, operation: string, body: Record<string, unknown>][] = [
  ...[populationShare, reachEnvelope].map(
    ({ name, example }): [string, string, Record<string, unknown>] => [
      'its example',
      name,
      { ...example },
    ],
  ),
  [
    'inches, pounds and clothing',
    'population_percentiles',
    {
      population: { groups: GROUPS },
      measurements: ['BodyMass', 'BMI', 'Stature'],
      percentiles: [0.1, 99.9],
      ...{ unit: 'in', massUnit: 'lb', clothing: 'winter' },
    },
  ],
  [
    'another year',
    'population_share',
    {
      population: { groups: GROUPS, year: 2030 },
      limits: [
        { measurement: 'Stature', max: 1800, posture: 'standing_relaxed' },
        { measurement: 'BodyMass', max: 90 },
      ],
    },
  ],
  [
    'refused entries',
    'batch',
    {
      requests: [
        { id: 'one', operation: 'predict', input: predict.example },
        { operation: 'predict', input: { ...predict.example, percentile: 100 } },
        { operation: 'population_share', input: populationShare.example },
        { operation: 'nothing', input: {} },
      ],
    },
  ],
];

/**
 * The newest revision is tested with every call. The older revision takes the same path after its messages are read.
 */
const MODES = [
  ['2026-07-28', 'auto', CALLS],
  ['2025-11-25', 'legacy', CALLS.slice(0, 1)],
] as const;

describe.each(MODES)('on revision %s', (_revision, mode, calls) => {
  it.each(calls)('%s of %s gets the answer of its route, at its price', async (...call) => {
    const [, name, body] = call;
    const { path, toolAnswer } = operationNamed(name);
    const [rest, mcp] = [await service.customer(50), await service.customer(50)];
    const client = await connect(mcp, mode);
    const answer = await client.callTool({ name, arguments: body });
    // The route answers distances in a table, unless it is asked for JSON.
    const format = toolAnswer === undefined ? {} : { format: 'json' };
    const twin = await post(path, { ...body, ...format }, rest);
    expect(twin.status).toBe(200);
    expect(answer.isError ?? false).toBe(false);
    expect(answer.structuredContent).toEqual(toolAnswer?.(twin.body as never) ?? twin.body);
    expect(await mcp.balance()).toBe(await rest.balance());
    expect(await mcp.balance()).toBeLessThan(50);
    await client.close();
  });

  it('a client that hangs up ends its computation and is not charged', async () => {
    const customer = await service.customer(10);
    const client = await connect(customer, mode);
    hold.take();
    const call = { name: populationShare.name, arguments: populationShare.example };
    const left = expect(client.callTool(call)).rejects.toThrow();
    await hold.begun();
    await client.close();
    await left;
    // The held computation would wait for ever on the only thread, so the next one begins on a new thread.
    hold.take();
    const second = post(populationShare.path, populationShare.example, customer);
    await hold.begun();
    hold.release();
    expect((await second).status).toBe(200);
    expect(await customer.balance()).toBe(5);
  });
});

describe('an answer over 25,000 bytes', () => {
  const people = { population: samplePeople.example.population, count: 45, seed: 3 };

  it('is refused before the charge, with the cap, also under a key that paid for it over REST', async () => {
    const customer = await service.customer(10);
    const client = await connect(customer);
    const call = { name: samplePeople.name, arguments: people };
    const problem = problemOf(await client.callTool(call));
    expect([problem.status, problem.code]).toEqual([400, 'validation_error']);
    expect(problem.detail).toMatch(
      /at most 25000 bytes: count may ask for about \d+ here, not \d+\. Ask for fewer/,
    );
    expect(problem.errors[0].pointer).toBe('/count');
    expect(await customer.balance()).toBe(10);
    // The route has no such limit.
    expect((await post(samplePeople.path, people, customer, 'long')).status).toBe(200);
    const keyed = { ...call, _meta: { 'vitruvia/idempotency-key': 'long' } };
    expect(problemOf(await client.callTool(keyed as never)).detail).toContain('25000 bytes');
    await until(async () => (await customer.balance()) === 5);
    await client.close();
  });
});
