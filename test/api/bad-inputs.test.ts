import { afterAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../src/operations/index.js';
import type { Operation } from '../../src/operations/operation.js';
import { mcpHeaders, rpc } from '../support/mcp.js';
import { operationNamed } from '../support/operations.js';
import { useOpened } from '../support/use-opened.js';
import { useService } from '../support/use-service.js';

type Example = Record<string, unknown>;
interface Field {
  readonly type: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}
type Case = [name: string, body: unknown, code: string, pointers?: string[]];

const service = useService();
const customer = useOpened(() => service.customer(5));
afterAll(async () => {
  // None of these requests was charged.
  expect(await customer.balance()).toBe(5);
});

const OWN_CODES: Record<string, string> = {
  measurement: 'unknown_measurement',
  anchorMeasurement: 'unknown_measurement',
  linkedMeasurement: 'unknown_measurement',
  clothing: 'unknown_clothing',
  posture: 'unknown_posture',
};

/** A value as raw JSON text, for numbers that JavaScript cannot represent. */
function withRaw(example: Example, field: string, raw: string): string {
  return JSON.stringify({ ...example, [field]: '@@' }).replace('"@@"', raw);
}

/** Fields that have cases. A field of the same schema in another operation gets none. */
const tried = new Set<string>();

function fieldCases(operation: Operation): Case[] {
  const example = operation.example as Example;
  const cases: Case[] = [];
  const required = operation.request.required as readonly string[];
  for (const [name, schema] of Object.entries(operation.request.properties)) {
    const text = JSON.stringify([name, schema, required.includes(name)]);
    if (tried.has(text)) continue;
    tried.add(text);
    const field = schema as unknown as Field;
    const pointer = [`/${name}`];
    const wrong = (what: string, value: unknown, code = 'validation_error', at = pointer) =>
      cases.push([`${name} ${what}`, { ...example, [name]: value }, code, at]);
    if (required.includes(name)) {
      const { [name]: _, ...rest } = example;
      cases.push([`${name} missing`, rest, 'validation_error', pointer]);
    }
    const others = field.type === 'object' ? ['text', []] : [{}, { length: 1 }];
    const either = field.type === 'boolean' ? [null] : [null, true];
    for (const value of [...either, ...others]) wrong(JSON.stringify(value), value);
    if (field.type !== 'array') wrong('a list', [example[name]]);
    if (field.enum !== undefined) {
      const code = OWN_CODES[name] ?? 'validation_error';
      for (const value of ['', 'Nope', '__proto__']) {
        wrong(`unknown ${JSON.stringify(value)}`, value, code);
      }
      wrong('in another case', field.enum[0]?.toLowerCase().concat('X'), code);
      wrong('a number', 1);
    }
    if (field.type === 'number' || field.type === 'integer') {
      const step = field.type === 'number' ? 0.001 : 1;
      wrong('a string', '50');
      wrong('too small', name === 'value' ? 0 : (field.minimum ?? 0) - step);
      wrong('negative', -1);
      if (field.maximum !== undefined) wrong('too large', field.maximum + step);
      cases.push([`${name} 1e999`, withRaw(example, name, '1e999'), 'validation_error', pointer]);
    }
  }
  return cases;
}

function listCases(example: Example): Case[] {
  if (example.percentiles !== undefined) {
    const items = (percentiles: unknown[]) => ({ ...example, percentiles });
    const bad = 'validation_error';
    return [
      ['no percentiles', items([]), bad, ['/percentiles']],
      ['21 percentiles', items(Array.from({ length: 21 }, (_, i) => i + 1)), bad, ['/percentiles']],
      ['a percentile of 100', items([5, 100]), bad, ['/percentiles/1']],
      ['a percentile in quotes', items(['5', 6]), bad, ['/percentiles/0']],
    ];
  }
  if (example.countries !== undefined) {
    const items = (countries: unknown[]) => ({ ...example, countries });
    const bad = 'validation_error';
    const eleven = ['US', 'UK', 'CA', 'FR', 'DE', 'NL', 'SE', 'DK', 'NO', 'CN', 'JP'];
    return [
      ['no countries', items([]), bad, ['/countries']],
      ['11 countries', items(eleven), bad, ['/countries']],
      ['a lower-case country', items(['us']), bad, ['/countries/0']],
      ['a single country too', { ...example, country: 'US' }, bad, ['/country']],
    ];
  }
  return [];
}

function deep(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}

function bodyCases(example: Example): Case[] {
  const bad = 'validation_error';
  const text = JSON.stringify(example);
  return [
    ['an unknown field', { ...example, source: 1 }, bad, ['/source']],
    ['a field to escape', { ...example, 'a/b~c': 1 }, bad, ['/a~1b~0c']],
    ['a unicode field', { ...example, größe: 1, '\ud800': 1 }, bad],
    ['an empty field name', { ...example, '': 1 }, bad, ['/']],
    ['a deep field', withRaw(example, 'x', deep(7000)), bad, ['/x']],
    ['null', 'null', bad, ['']],
    ['a list', [example], bad, ['']],
    ['a string', '"x"', bad, ['']],
    ['a number', '1', bad, ['']],
    ['empty', '', bad, ['']],
    ['spaces', '  \n', bad, ['']],
    ['single quotes', text.replaceAll('"', "'"), bad, ['']],
    ['only depth', deep(8000), bad, ['']],
    ['escaped __proto__', `${text.slice(0, -1)},"\\u005f_proto__":{"age":1}}`, bad, ['']],
    ['a plain constructor', `${text.slice(0, -1)},"constructor":1}`, bad, ['/constructor']],
    ['toString', { ...example, toString: 1 }, bad, ['/toString']],
    ...['NaN', 'Infinity', '-Infinity', '0x10', '1_000', '.5', '05', 'undefined'].map(
      (raw): Case => [`a number ${raw}`, withRaw(example, 'age', raw), bad, ['']],
    ),
  ];
}

describe.each(OPERATIONS.map((operation) => [operation.path, operation] as const))(
  'POST %s',
  (path, operation) => {
    const example = operation.example as Example;
    // All routes read a body in the same way, so one route shows which texts are no body.
    const isFirst = operation === OPERATIONS[0];
    const cases = [
      ...fieldCases(operation),
      ...listCases(example),
      ...(isFirst ? bodyCases(example) : []),
    ];

    it.each(cases)('refuses %s', async (_name, body, code, pointers) => {
      const { status, body: problem, headers } = await service.post(path, body, customer.headers);
      expect([status, problem.code]).toEqual([400, code]);
      expect(headers['content-type']).toMatch(/^application\/problem\+json/);
      const found = (problem.errors as { pointer: string }[]).map(({ pointer }) => pointer);
      if (pointers !== undefined) expect(found).toEqual(pointers);
      expect(problem.detail).toBe(problem.message);
      expect(problem.request_id).toBe(headers['x-request-id']);
    });

    it.each(
      isFirst
        ? ['text/plain', 'application/xml', 'multipart/form-data', 'json', '']
        : ['text/plain'],
    )('refuses the content type "%s"', async (type) => {
      const headers = { ...customer.headers, 'content-type': type };
      const { status, body } = await service.post(path, example, headers);
      expect([status, body.code]).toEqual([400, 'validation_error']);
    });

    it('lists every fault', async () => {
      const { age } = operation.request.properties as Example;
      const asked = { ...(age === undefined ? {} : { age: 'x' }), unit: 'km', z: 1 };
      const { body } = await service.post(path, asked, customer.headers);
      const pointers = (body.errors as { pointer: string }[]).map(({ pointer }) => pointer);
      const required = (operation.request.required as readonly string[]).map((name) => `/${name}`);
      expect(body.code).toBe('validation_error');
      expect(pointers.sort()).toEqual([...required, '/unit', '/z'].sort());
    });
  },
);

describe('codes of unknown names', () => {
  const predict = { measurement: 'Stature', gender: 'Male', age: 30, percentile: 50 };

  async function refusal(path: string, body: unknown) {
    return (await service.post(path, body, customer.headers)).body;
  }

  it('two unknown measurements are unknown_measurement', async () => {
    const body = { ...OPERATIONS[4]?.example, anchorMeasurement: 'A', linkedMeasurement: 'B' };
    const { code, errors } = await refusal('/v1/connected-dimension', body);
    expect(code).toBe('unknown_measurement');
    expect(errors).toHaveLength(2);
  });

  it.each([
    [{ measurement: 'X', clothing: 'y' }],
    [{ clothing: 'x', posture: 'y' }],
    [{ measurement: 'X', age: 121 }],
    [{ posture: 'x', extra: 1 }],
  ])('other combinations are a validation_error: %j', async (faults) => {
    const { code, errors } = await refusal('/v1/predict', { ...predict, ...faults });
    expect(code).toBe('validation_error');
    expect(errors).toHaveLength(2);
  });

  it('checks the first hundred items of a list', async () => {
    const percentiles: unknown[] = Array(7000).fill(1);
    percentiles[50] = 'x';
    percentiles[5000] = 'x';
    const body = { measurement: 'Stature', gender: 'Male', age: 30, percentiles };
    const answer = await service.post('/v1/predict/range', body, customer.headers);
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_error']);
    const pointers = new Set(answer.body.errors.map((error: { pointer: string }) => error.pointer));
    expect([...pointers].sort()).toEqual(['/percentiles', '/percentiles/50']);
  });

  it('an anchor linked to itself is a validation_error', async () => {
    const body = { ...OPERATIONS[4]?.example, linkedMeasurement: 'Stature' };
    const { code, errors } = await refusal('/v1/connected-dimension', body);
    expect([code, errors[0].pointer]).toEqual(['validation_error', '/linkedMeasurement']);
  });
});

describe('a member that is named twice', () => {
  const input = '{"measurement":"Stature","age":30,"gender":"Male","age":31}';
  const entries = (count: number) =>
    `{"requests":[${`{"operation":"predict","input":${JSON.stringify(OPERATIONS[0]?.example)}},`.repeat(count)}{"operation":"predict","input":${input}}]}`;
  const batchPath = operationNamed('batch').path;

  it.each([
    ['a batch', 2],
    ['a large batch, which is read in pieces', 700],
  ])('in %s is refused over REST and over MCP, with its place', async (_, count) => {
    const body = entries(count);
    const { headers } = await service.customer(2000);
    const rest = await service.post(batchPath, body, headers);
    const place = `/requests/${count}/input/age`;
    expect([rest.status, rest.body.code]).toEqual([400, 'validation_error']);
    expect(rest.body.errors[0].pointer).toBe(place);
    expect(rest.body.detail).toContain('"age" is given more than once');
    const call = JSON.stringify(rpc('2025-11-25', 'tools/call', { name: 'batch', arguments: 0 }));
    const message = call.replace('"arguments":0', () => `"arguments":${body}`);
    const mcp = await service.post('/mcp', message, {
      ...mcpHeaders('2025-11-25', {}),
      ...headers,
    });
    expect(mcp.status).toBe(400);
    expect(mcp.body.error.data).toMatchObject({
      code: 'validation_error',
      errors: [{ pointer: `/params/arguments${place}` }],
    });
  });
});
