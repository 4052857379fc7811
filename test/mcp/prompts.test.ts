import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COUNTRY_CODES } from '../../src/core/countries.js';
import { MEASUREMENT_NAMES } from '../../src/core/measurements.js';
import { OPERATIONS } from '../../src/operations/index.js';
import { startService, type TestService } from '../support/service.js';

let service: TestService;
let client: Client;
beforeAll(async () => {
  service = await startService();
  const url = new URL('/mcp', await service.http.listen({ port: 0, host: '127.0.0.1' }));
  const { headers } = await service.customer(10_000);
  client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
});
afterAll(async () => {
  await client.close();
  await service.close();
});

/** The required input of each prompt. */
const NEEDED: Readonly<Record<string, Record<string, string>>> = {
  size_a_seat: {},
  size_a_helmet: {},
  size_a_workstation: {},
  size_clothing: { gender: 'Female' },
  size_a_vehicle: {},
  size_an_opening: {},
  size_gloves: {},
  compare_populations: { otherCountries: 'SE', otherAges: '18-30' },
  write_a_data_sheet: { measurements: 'Stature, SittingHeight' },
  check_reach: { measurement: 'WorkReach', value: '700' },
  compare_markets: { measurement: 'Stature', countries: 'NL, JP' },
};
const PRODUCTS = Object.keys(NEEDED).slice(0, 5);

async function textOf(name: string, given: Record<string, string> = {}): Promise<string> {
  const { messages } = await client.getPrompt({ name, arguments: { ...NEEDED[name], ...given } });
  const [first] = messages;
  if (first?.content.type !== 'text') throw new Error('a prompt is one text');
  return first.content.text;
}

/** Words with an underscore that are no tools. */
const OTHER_WORDS = new Set(['light_shoes', 'value_out_of_range']);

describe('every prompt', () => {
  it('is listed with its arguments', async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(Object.keys(NEEDED));
    for (const { name, arguments: given = [] } of prompts) {
      const required = given.filter((one) => one.required).map((one) => one.name);
      expect([name, required]).toEqual([name, Object.keys(NEEDED[name] ?? {})]);
    }
  });

  it.each(Object.keys(NEEDED))('%s names only existing tools and measurements', async (prompt) => {
    const text = await textOf(prompt);
    const tools = ['get_catalog', ...OPERATIONS.map(({ name }) => name)];
    const called = [...text.matchAll(/\b(?:call|with|repeat) ([a-z]+(?:_[a-z]+)*_[a-z]+)\b/gi)];
    const words = (text.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []).filter(
      (word) => !OTHER_WORDS.has(word),
    );
    expect(called.length).toBeGreaterThan(0);
    for (const word of words) expect(tools).toContain(word);
    const named = text.match(/\b[A-Z]\w*[a-z][A-Z]\w+/g) ?? [];
    for (const name of [...named, ...(text.match(/\bStature\b/g) ?? [])]) {
      expect([...MEASUREMENT_NAMES, 'BodyMass']).toContain(name);
    }
    expect(text).toMatch(/credits/);
  });

  it.each(PRODUCTS)('%s says who the users are, and warns of the slump', async (prompt) => {
    const text = await textOf(prompt, { countries: 'NL, JP,EU27', ages: '18-70' });
    expect(text).toContain('aged 18 to 70 in NL, JP, EU27');
    expect(text).toMatch(/"countries":\["NL","JP","EU27"\].*"ageMin":18,"ageMax":70/);
    expect(text).toMatch(/Omit `(clothing` and `)?posture`/);
    expect(text).toMatch(/clearance|less 50 mm|padding|ease/);
    expect(await textOf(prompt)).toContain('aged 20 to 65 in US');
  });
});

/** The populations that a prompt gives. */
const populationsIn = (text: string) =>
  [...text.matchAll(/\{"groups":\[.*?\]\}/g)].map(([json]) => JSON.parse(json));

/** Calls a tool with the input that a prompt names. Resolves to the answer. */
async function answerOf(name: string, input: Record<string, unknown>) {
  const answer = await client.callTool({ name, arguments: input });
  expect(answer.isError ?? false, JSON.stringify(answer.content)).toBe(false);
  return answer.structuredContent as Record<string, number>;
}

describe('the calls that a prompt describes', () => {
  const MARKET = { countries: 'DE,JP' };

  it('find ranges for nine in ten at a workstation', async () => {
    const text = await textOf('size_a_workstation', MARKET);
    const [population] = populationsIn(text);
    const dimensions = [...text.matchAll(/^- (\w+), side (\w+)/gm)].map(
      ([, measurement, side]) => ({ measurement, side }),
    );
    expect(dimensions.length).toBeGreaterThanOrEqual(4);
    const asked = { population, targetShare: 0.9, clothing: 'light_shoes', dimensions };
    expect((await answerOf('design_ranges', asked)).share).toBeCloseTo(0.9, 1);
  });

  it('find sizes of a helmet', async () => {
    const text = await textOf('size_a_helmet', { ...MARKET, sizes: '3' });
    const [population] = populationsIn(text);
    const measurements = [...text.matchAll(/(\w+) \(tolerance (\d+)\)/g)].map(
      ([, measurement, tolerance]) => ({ measurement, tolerance: Number(tolerance) }),
    );
    expect(measurements).toHaveLength(3);
    await answerOf('size_chart', { population, sizes: 3, measurements });
  });

  it('find cases for a vehicle that are short enough for a tool', async () => {
    const text = await textOf('size_a_vehicle', MARKET);
    const [population] = populationsIn(text);
    const [, list = '', target] =
      /boundary_cases with (.*?), (?:clothing light_shoes, )?targetShare ([\d.]+) and count 4/.exec(
        text,
      ) ?? [];
    const measurements = list.split(/, | and /);
    const asked = { population, measurements, targetShare: Number(target), count: 4 };
    await answerOf('boundary_cases', asked);
  });

  it('compare two populations', async () => {
    const given = { countries: 'IT', ages: '75-99', otherCountries: 'SE', otherAges: '18-30' };
    const text = await textOf('compare_populations', given);
    const populations = populationsIn(text);
    expect(populations).toEqual([
      { groups: [{ countries: ['IT'], ageMin: 75, ageMax: 99 }] },
      { groups: [{ countries: ['SE'], ageMin: 18, ageMax: 30 }] },
    ]);
    const list = /measurements (\[.*?\])/.exec(text)?.[1] ?? '';
    for (const population of populations) {
      const asked = { population, percentiles: [5, 50, 95], measurements: JSON.parse(list) };
      await answerOf('population_percentiles', asked);
    }
  });
});

describe('arguments', () => {
  it.each([
    ['check_reach', { value: '' }, /needs the argument value/],
    ['compare_markets', { countries: ' ' }, /needs the argument countries/],
    ['check_reach', { measurement: 'WorkReaches' }, /Did you mean WorkReach\?/],
    ['check_reach', { value: 'high' }, /value: give a number from 1 to 10000, not "high"/],
    ['check_reach', { country: 'Holland' }, /"Holland" is not a country code. Did you mean NL\?/],
    ['compare_markets', { countries: 'NL,NL' }, /name each country once/],
    ['compare_markets', { countries: 'EU27' }, /"EU27" is not a country code/],
    ['size_a_seat', { countries: 'NL,Japan' }, /"Japan" is not .* Did you mean JP\?/],
    ['size_a_seat', { countries: 'EU72' }, /Did you mean EU27\?/],
    ['size_a_seat', { ages: '65-20' }, /ages: give the youngest and the oldest age/],
    ['size_a_seat', { country: 'NL' }, /has no argument country; it takes countries, ages/],
    ['size_a_helmet', { sizes: '2.5' }, /sizes: give a whole number from 2 to 12/],
    ['size_clothing', { gender: 'women' }, /gender: give Male or Female/],
    ['size_a_hat', {}, /Prompt size_a_hat not found; there are size_a_seat/],
  ])('of %s are refused with the reason: %j', async (name, given, reason) => {
    await expect(textOf(name, given as Record<string, string>)).rejects.toThrow(reason);
    await expect(textOf(name, given as Record<string, string>)).rejects.toMatchObject({
      code: -32602,
    });
  });

  it('are completed', async () => {
    const complete = async (prompt: string, name: string, value: string) => {
      const ref = { type: 'ref/prompt' as const, name: prompt };
      return (await client.complete({ ref, argument: { name, value } })).completion;
    };
    expect((await complete('check_reach', 'measurement', 'workr')).values).toEqual(['WorkReach']);
    expect((await complete('check_reach', 'country', 'n')).values).toEqual(
      COUNTRY_CODES.filter((code) => code.startsWith('N')),
    );
    const all = await complete('check_reach', 'measurement', '');
    expect([all.values.length, all.total, all.hasMore]).toEqual([100, 148, true]);
    expect((await complete('check_reach', 'value', '')).values).toEqual([]);
    expect((await complete('size_a_seat', 'countries', 'NL,eu2')).values).toEqual(['NL,EU27']);
    expect((await complete('size_clothing', 'gender', 'f')).values).toEqual(['Female']);
  });
});
