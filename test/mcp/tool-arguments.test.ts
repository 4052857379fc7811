import { describe, expect, it } from 'vitest';
import { callMcp, callTool, mcpHeaders, REVISIONS, rpc } from '../support/mcp.js';
import { useOpened } from '../support/use-opened.js';
import { useService } from '../support/use-service.js';

// Arguments as agents write them, each beside the same arguments as the schema has them.

const NEW = '2026-07-28';
const PERSON = { measurement: 'Stature', gender: 'Female', age: 30 };
const PREDICT = { ...PERSON, percentile: 95 };
const POPULATION = { groups: [{ countries: ['JP'], gender: 'Female', ageMin: 20, ageMax: 60 }] };
const SHARES = { population: POPULATION, limits: [{ measurement: 'Stature', max: 1600 }] };

const service = useService();
const customer = useOpened(() => service.customer(2000));

async function call(name: string, args: object, key?: string) {
  const meta = key === undefined ? {} : { _meta: { 'vitruvia/idempotency-key': key } };
  const { body } = await callTool(
    service,
    NEW,
    { name, arguments: args, ...meta },
    customer.headers,
  );
  return body.result;
}

const said = ({ content }: { content: readonly { text: string }[] }) =>
  content.map(({ text }) => text).join('\n');

describe('arguments as agents write them', () => {
  it.each<[string, string, object, object, string | undefined]>([
    ['null', 'predict', { ...PREDICT, country: null, posture: null }, PREDICT, undefined],
    ['empty text', 'predict', { ...PREDICT, country: '', unit: '' }, PREDICT, undefined],
    [
      'numbers as text',
      'predict',
      { ...PREDICT, age: '30', percentile: '9.5e1' },
      PREDICT,
      undefined,
    ],
    [
      'null deep inside',
      'population_share',
      { ...SHARES, limits: [{ measurement: 'Stature', min: null, max: '1600', posture: '' }] },
      SHARES,
      undefined,
    ],
    [
      'an object as JSON text',
      'population_share',
      { ...SHARES, population: JSON.stringify(POPULATION) },
      SHARES,
      'population came as JSON text and was read as an object; send an object.',
    ],
    [
      'a list as JSON text',
      'predict_compare',
      { ...PREDICT, countries: '["DE", "JP"]' },
      { ...PREDICT, countries: ['DE', 'JP'] },
      'countries came as JSON text and was read as a list; send a list.',
    ],
    [
      'entries of a batch',
      'batch',
      {
        requests: [
          { operation: 'predict', id: null, input: JSON.stringify({ ...PREDICT, country: null }) },
          { operation: 'predict', input: { ...PREDICT, age: '40' } },
        ],
      },
      {
        requests: [
          { operation: 'predict', input: PREDICT },
          { operation: 'predict', input: { ...PREDICT, age: 40 } },
        ],
      },
      undefined,
    ],
    [
      'a search without text',
      'get_catalog',
      { text: null, kind: '', country: 'JP' },
      { country: 'JP' },
      undefined,
    ],
  ])('%s', async (_what, tool, written, meant, note) => {
    const answer = await call(tool, written);
    expect(answer.isError, said(answer)).not.toBe(true);
    expect(answer.structuredContent).toEqual((await call(tool, meant)).structuredContent);
    const notes = said(answer).match(/^.* came as JSON text .*$/m)?.[0];
    expect(notes).toBe(note);
  });

  it('count as the same request', async () => {
    const first = await call('predict', { ...PREDICT, country: null }, 'written-twice');
    const before = await customer.balance();
    const again = await call('predict', PREDICT, 'written-twice');
    expect(first.isError, said(first)).not.toBe(true);
    expect(again.structuredContent).toEqual(first.structuredContent);
    expect(again._meta['vitruvia/idempotent-replayed']).toBe(true);
    expect(await customer.balance()).toBe(before);
  });

  it('are read in large bodies too', async () => {
    const input = JSON.stringify({ ...PREDICT, country: null });
    const requests = Array.from({ length: 60 }, (_, i) => ({
      ...{ operation: 'predict', input, id: `${i} ${'x'.repeat(90)}` },
    }));
    const large = { requests: JSON.stringify([...requests.slice(1), ...requests.slice(0, 1)]) };
    expect(JSON.stringify(large).length).toBeGreaterThan(16_384);
    const answer = await call('batch', large);
    expect(answer.isError, said(answer)).not.toBe(true);
    expect(answer.structuredContent.answers).toHaveLength(60);
    expect(answer.structuredContent.answers[0].status).toBe(200);
    expect(said(answer)).toContain('requests came as JSON text and was read as a list');
  });

  it.each([
    [{ ...PREDICT, age: null }, 'age must be a finite JSON number, without quotes.'],
    [{ ...PREDICT, age: '' }, 'age must be a finite JSON number, without quotes.'],
    [{ ...PREDICT, age: 'thirty' }, 'age must be a finite JSON number, without quotes.'],
    [{ ...PREDICT, age: '0x1e' }, 'age must be a finite JSON number, without quotes.'],
    [{ ...PREDICT, colour: null }, '"colour" is not a field of this request;'],
  ])('are refused where nothing can be meant: %j', async (args, detail) => {
    const answer = await call('predict', args);
    expect(answer.isError).toBe(true);
    expect(said(answer)).toContain(JSON.stringify(detail).slice(1, -1));
  });
});

describe('what a client accepts', () => {
  it.each(REVISIONS)('need not be events on %s', async (revision) => {
    const message = rpc(revision, 'tools/list');
    for (const accept of ['*/*', 'application/json', 'application/*;q=0.5']) {
      const answer = await callMcp(service, revision, message, { ...customer.headers, accept });
      expect([accept, answer.status]).toEqual([accept, 200]);
      expect(answer.headers['content-type']).toContain('application/json');
      expect(answer.body.result.tools.length).toBeGreaterThan(10);
    }
  });

  it('is refused if it is no JSON', async () => {
    const message = rpc('2025-06-18', 'tools/list');
    const headers = { ...mcpHeaders('2025-06-18', message), ...customer.headers };
    const answer = await service.post('/mcp', message, { ...headers, accept: 'text/html' });
    expect(answer.status).toBe(406);
  });
});

describe('a refusal says what was meant', () => {
  it.each<[string, object, RegExp]>([
    ['predict', { ...PREDICT, country: 'Asia' }, /set of countries.*population_percentiles.*Asia/],
    ['predict', { ...PREDICT, country: 'european union' }, /set of countries.*such as EU27/],
    [
      'predict_compare',
      { ...PREDICT, countries: ['JP', 'Asia'] },
      /countries\[1\] takes one country/,
    ],
    ['predict_compare', { ...PREDICT, countries: 'NL, JP' }, /array\. Send \["NL","JP"\]\.$/],
    ['predict_range', { ...PERSON, percentiles: '5; 95' }, /array\. Send \[5,95\]\.$/],
    [
      'population_share',
      { ...SHARES, limits: SHARES.limits[0] },
      /limits must be a JSON array\. Send the object in brackets: \[\{…\}\]\.$/,
    ],
  ])('%s %j', async (tool, args, detail) => {
    const answer = await call(tool, args);
    expect(answer.isError).toBe(true);
    expect(JSON.parse(said(answer)).detail).toMatch(detail);
  });
});
