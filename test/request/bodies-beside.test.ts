import { afterEach, expect, it, vi } from 'vitest';
import { predict } from '../../src/operations/predict.js';
import { useService } from '../support/use-service.js';

// Characters of large bodies and long answers that the event loop reads and writes.

/** Nothing is longer than an answer of a tool over MCP, which is read and written. */
const CHARS_MAX = 3 * 25_000;

const service = useService({ computing: {} });
afterEach(() => vi.restoreAllMocks());

/** Counts the characters that this thread parses and writes as JSON, until `end` is called. */
function countCharacters(): { end(): number } {
  let all = 0;
  const { parse, stringify } = JSON;
  vi.spyOn(JSON, 'parse').mockImplementation((text: string, reviver) => {
    all += text.length;
    return parse(text, reviver);
  });
  vi.spyOn(JSON, 'stringify').mockImplementation((value: unknown, ...rest: unknown[]) => {
    const text = stringify(value, ...(rest as []));
    all += text?.length ?? 0;
    return text;
  });
  return {
    end() {
      vi.restoreAllMocks();
      return all;
    },
  };
}

const batch = (count: number, request: (i: number) => object) => ({
  requests: Array.from({ length: count }, (_, i) => request(i)),
});
const madeUp = batch(6, () => ({
  operation: 'population_percentiles',
  input: {
    population: {
      groups: Array.from({ length: 40 }, () => ({
        countries: Array.from({ length: 176 }, (_, i) => `Q${i.toString(36)}`),
        ageMin: 20,
        ageMax: 40,
      })),
    },
    measurements: ['Stature'],
    percentiles: [50],
  },
}));
const faulty = batch(1000, (i) => ({
  operation: 'predict',
  input: { measurement: `Statur${i}`, gender: 'female', age: -1, colour: 'red' },
}));
const overMcp = (input: object) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name: 'batch', arguments: input },
});
const person = (i: number) => ({
  name: `${i}`,
  gender: 'Female',
  age: 30,
  country: 'NL',
  known: Array.from({ length: 500 }, () => ({ measurement: 'Stature', percentile: 5 })),
});

it.each<[string, string, object, number]>([
  ['a batch of made-up countries', '/v1/batch', madeUp, 200],
  ['a batch of faulty requests', '/v1/batch', faulty, 200],
  [
    'a batch of predictions',
    '/v1/batch',
    batch(1000, () => ({ operation: 'predict', input: predict.example })),
    200,
  ],
  [
    'a list of numbers that no field takes',
    '/v1/batch',
    {
      requests: [{ operation: 'predict', input: { a: Array.from({ length: 240_000 }, () => 1) } }],
    },
    200,
  ],
  ['made-up countries over MCP', '/mcp', overMcp(madeUp), 200],
  ['faulty requests over MCP', '/mcp', overMcp(faulty), 200],
  [
    'bodies with too many known values',
    '/v1/bodies',
    { people: Array.from({ length: 18 }, (_, i) => person(i)) },
    400,
  ],
])('%s: the event loop does little of it', async (_, path, body, status) => {
  const customer = await service.customer(5000);
  const payload = JSON.stringify(body);
  const headers = {
    ...customer.headers,
    host: 'vitruvia.example',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const count = countCharacters();
  const answer = await service.http.inject({ method: 'POST', url: path, payload, headers });
  const all = count.end();
  expect(answer.statusCode).toBe(status);
  expect(payload.length).toBeGreaterThan(100_000);
  expect(all).toBeLessThan(CHARS_MAX);
});

it.each(['json', 'csv', 'arrow'])(
  '1,000 people as %s: the event loop only passes the parts on',
  async (format) => {
    const customer = await service.customer(5000);
    const population = { groups: [{ countries: ['NA', 'US'], ageMin: 20, ageMax: 40 }] };
    const payload = JSON.stringify({ population, count: 1000, seed: 1, format });
    const headers = { ...customer.headers, 'content-type': 'application/json' };
    const url = '/v1/population/people';
    const received: number[] = [];
    const count = countCharacters();
    const answer = await service.http.inject({
      method: 'POST',
      url,
      payload,
      headers,
      payloadAsStream: true,
    });
    for await (const part of answer.stream()) received.push((part as Buffer).length);
    const all = count.end();
    expect(answer.statusCode).toBe(200);
    // A part has 250 people. A thread writes it.
    expect(received.length).toBeGreaterThanOrEqual(4);
    const bytes = received.reduce((sum, one) => sum + one, 0);
    expect(bytes).toBeGreaterThan(100_000);
    expect(Math.max(...received)).toBeLessThan(bytes / 3);
    expect(all).toBeLessThan(10_000);
  },
);
