import { tableFromIPC } from 'apache-arrow';
import { afterAll, describe, expect, it } from 'vitest';
import { readArrow } from '../../clients/typescript/src/arrow.js';
import {
  type BatchEntry,
  type ClientSettings,
  COUNTRIES,
  createVitruvia,
  type RequestOf,
  TABLE_COLUMNS,
  VitruviaError,
} from '../../clients/typescript/src/index.js';
import { serviceAnswerer } from '../../src/cli/fill-answers.js';
import { MEASUREMENTS } from '../../src/core/measurements.js';
import { Refusal } from '../../src/failure.js';
import { WITHOUT_MODEL } from '../support/tiny-artifact.js';
import { startFaultyService } from './faulty-service.js';

const REQUEST = { measurement: 'Stature', gender: 'Female', age: 30, percentile: 50 } as const;
const PEOPLE = {
  population: { groups: [{ countries: ['NA', 'US'], ageMin: 20, ageMax: 40 }] },
  count: 501,
  measurements: ['Stature', 'BodyMass'],
  seed: 7,
} as const satisfies RequestOf<'samplePeople'>;

const faulty = await startFaultyService();
afterAll(() => faulty.close());

/** On a slow machine, an attempt may take long. The client must not repeat it. */
const PATIENT = { attemptMs: 900_000, deadlineMs: 1_800_000 };

async function client(faults: readonly string[] = [], more: Partial<ClientSettings> = {}) {
  const customer = await faulty.service.customer(100_000);
  const baseUrl = faulty.behind(...faults);
  const vitruvia = createVitruvia({ baseUrl, apiKey: customer.apiKey, ...PATIENT, ...more });
  const spent = async () => 100_000 - (await customer.balance());
  return { vitruvia, spent, seen: () => faulty.seen(baseUrl) };
}

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

/** The error of a call that must fail. */
async function errorOf(call: Promise<unknown>): Promise<VitruviaError> {
  const error = await call.then(
    () => undefined,
    (one) => one,
  );
  expect(error).toBeInstanceOf(VitruviaError);
  return error;
}

describe('a call of the TypeScript client', () => {
  it('returns the answer of the service', async () => {
    const { vitruvia, spent } = await client();
    const answer = await vitruvia.predict({ ...REQUEST, country: 'NA' });
    const { headers } = await faulty.service.customer(1);
    const { body } = await faulty.service.post(
      '/v1/predict',
      { ...REQUEST, country: 'NA' },
      headers,
    );
    expect(answer).toEqual(body);
    expect(answer.country).toBe('NA');
    expect(await spent()).toBe(1);
  });

  it('reads the products, which cost nothing', async () => {
    const { vitruvia, spent } = await client();
    const { products } = await vitruvia.products();
    expect(products.map(({ id }) => id)).toContain('desk');
    expect(await spent()).toBe(0);
  });

  it('reads the public routes without a key', async () => {
    const vitruvia = createVitruvia({ baseUrl: faulty.behind() });
    expect((await vitruvia.catalog()).enums.countries).toEqual(COUNTRIES);
    expect(await vitruvia.health()).toMatchObject({ ok: true });
    expect(await vitruvia.ready()).toEqual({ ok: true });
  });

  it.each([
    ['vt_live_secret\n', 'a line break at position 15'],
    ['vt_live_secret\r\nX-Other: 1', 'a line break at position 15'],
    [' vt_live_secret', 'a space at position 1'],
    ['vt_live_café', 'a character that no key has at position 12'],
    ['', 'is empty'],
  ])('is not made with the key %j, which no message shows', (apiKey, fault) => {
    const make = () => createVitruvia({ baseUrl: faulty.url, apiKey });
    expect(make).toThrow(VitruviaError);
    expect(make).toThrow(fault);
    expect(make).not.toThrow(/vt_live|secret/);
    // The command line says the same.
    expect(() => serviceAnswerer(faulty.url, apiKey, 10)).toThrow(Refusal);
    expect(() => serviceAnswerer(faulty.url, apiKey, 10)).not.toThrow(/vt_live|secret/);
  });

  it('is repeated with its key after each fault, and charged once', async () => {
    const faults = ['refuse', 'lose', '500', '503'];
    const { vitruvia, spent, seen } = await client(faults);
    expect((await vitruvia.predict(REQUEST)).value).toBeGreaterThan(1000);
    const requests = await seen();
    expect(requests).toHaveLength(faults.length + 1);
    expect(new Set(requests.map(({ key }) => key)).size).toBe(1);
    expect(requests[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
    expect(await spent()).toBe(1);
  });

  it('that is free is repeated without a key', async () => {
    const { vitruvia, seen } = await client(['503']);
    const { measurement, gender, age } = REQUEST;
    expect((await vitruvia.evidence({ measurement, gender, age })).grade).toMatch(/^[A-D]$/);
    expect((await seen()).map(({ key }) => key)).toEqual([null, null]);
  });

  it('is not repeated if it has no key and may have been charged', async () => {
    const { vitruvia, seen } = await client(['lose']);
    const error = await errorOf(vitruvia.predict(REQUEST, { idempotencyKey: false }));
    expect(error).toMatchObject({ status: 0, code: 'connection_failed' });
    expect(await seen()).toHaveLength(1);
  });

  it('fails after its attempts with the last status', async () => {
    const { vitruvia, seen } = await client(['503', '503', '503'], { attemptsMax: 2 });
    const error = await errorOf(vitruvia.predict(REQUEST));
    expect(error).toMatchObject({ status: 503, code: 'unexpected_answer' });
    expect(await seen()).toHaveLength(2);
  });

  it('waits on 429 as Retry-After says', async () => {
    const made = await fetch(`${faulty.url}/customer?service=limited&credits=10`, {
      method: 'POST',
    });
    const { apiKey, account } = (await made.json()) as { apiKey: string; account: string };
    const vitruvia = createVitruvia({ baseUrl: `${faulty.url}/limited`, apiKey });
    await vitruvia.predict(REQUEST);
    const error = await errorOf(vitruvia.predict(REQUEST, { deadlineMs: 40_000 }));
    expect(error).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(error.retryAfterSeconds).toBeGreaterThan(50);
    await (await fetch(`${faulty.url}/clock?ms=57500`, { method: 'POST' })).text();
    const begunMs = Date.now();
    await vitruvia.predict(REQUEST);
    expect(Date.now() - begunMs).toBeGreaterThan(900);
    const balance = await (await fetch(`${faulty.url}/balance?account=${account}`)).json();
    expect(balance).toBe(8);
  });

  it('ends with its signal, also while it waits', async () => {
    const { vitruvia } = await client(Array(20).fill('503'), { attemptsMax: 20 });
    const signal = AbortSignal.timeout(700);
    const error = await vitruvia.predict(REQUEST, { signal }).catch((one) => one);
    expect(signal.aborted).toBe(true);
    expect(error).toBe(signal.reason);
  });

  it('ends with the deadline', async () => {
    const faults = Array(20).fill('503');
    const { vitruvia, seen } = await client(faults, { attemptsMax: 20, deadlineMs: 700 });
    // On a slow machine, the first attempt may be cut off.
    expect([0, 503]).toContain((await errorOf(vitruvia.predict(REQUEST))).status);
    expect((await seen()).length).toBeLessThan(20);
  });

  it('throws refusals with their code, text, request id and faults', async () => {
    const { vitruvia, spent } = await client();
    const error = await errorOf(vitruvia.predict({ ...REQUEST, percentile: 150, age: -1 }));
    expect(error).toMatchObject({ status: 400, code: 'validation_error' });
    expect(error.message).toBe(error.detail);
    expect(error.requestId).toMatch(/^req_/);
    expect(error.errors.map(({ pointer }) => pointer).sort()).toEqual(['/age', '/percentile']);
    const request = { ...REQUEST, value: 9000 };
    const { percentile: _, ...lookup } = request;
    const outside = await errorOf(vitruvia.percentileLookup(lookup));
    expect(outside.code).toBe('value_out_of_range');
    expect(outside.problem.maximum).toBeGreaterThan(1000);
    expect(await spent()).toBe(0);
  });
});

describe('batches of the TypeScript client', () => {
  const entries = (count: number): BatchEntry<'predict'>[] =>
    Array.from({ length: count }, (_, i) => ({
      operation: 'predict',
      id: String(i),
      input: { ...REQUEST, age: 20 + (i % 50), percentile: 1 + (i % 99) },
    }));

  it('answer entries in order for exactly their price, also after faults', async () => {
    const { vitruvia, spent, seen } = await client(['pass', 'lose', '503', 'pass', 'refuse']);
    const asked = entries(4000);
    const results = await collect(vitruvia.batch(asked));
    expect(results.map(({ entry }) => entry)).toEqual(asked);
    expect(results.every(({ ok }) => ok)).toBe(true);
    const [first, , third] = results;
    if (first?.ok !== true || third?.ok !== true) throw new Error('refused');
    expect(first.answer).toEqual(await vitruvia.predict(asked[0]?.input ?? REQUEST));
    expect(third.answer).toEqual(await vitruvia.predict(asked[2]?.input ?? REQUEST));
    expect(await spent()).toBe(4002);
    const keys = (await seen()).slice(0, 7).map(({ key }) => key);
    expect(new Set(keys).size).toBe(4);
  });

  it('report refused entries, which cost nothing, in their place', async () => {
    const { vitruvia, spent } = await client();
    const [one, , three] = entries(3) as [BatchEntry, BatchEntry, BatchEntry];
    const bad = { operation: 'predict', input: { ...REQUEST, percentile: 150 } } as const;
    const results = await collect(vitruvia.batch([one, bad, three]));
    expect(results.map(({ ok }) => ok)).toEqual([true, false, true]);
    const [, refused] = results;
    if (refused === undefined || refused.ok) throw new Error('not refused');
    expect(refused.error).toMatchObject({ status: 400, code: 'validation_error' });
    expect(await spent()).toBe(2);
  });

  it('split at heavy entries and at the size of the body', async () => {
    const { vitruvia, seen } = await client();
    const { population } = PEOPLE;
    const heavy = Array.from(
      { length: 21 },
      (): BatchEntry => ({
        operation: 'populationPercentiles',
        input: { population, measurements: ['Stature'], percentiles: [50] },
      }),
    );
    const results = await collect(vitruvia.batch(heavy));
    expect(results.filter(({ ok }) => ok)).toHaveLength(21);
    expect(await seen()).toHaveLength(2);
    // The service refuses such entries, but their batches are not too large.
    const input = { ...REQUEST, note: 'x'.repeat(100_000) };
    const long = Array.from({ length: 20 }, () => ({ operation: 'predict', input }) as const);
    const refused = await collect(vitruvia.batch(long));
    const codes = refused.map((result) => (result.ok ? 'answered' : result.error.code));
    expect(codes).toEqual(Array(20).fill('validation_error'));
    expect(await seen()).toHaveLength(4);
  });

  it('of a repeated series under one key are charged once', async () => {
    const { vitruvia, spent } = await client();
    const options = { idempotencyKey: 'series' };
    const first = await collect(vitruvia.batch(entries(1500), options));
    const again = await collect(vitruvia.batch(entries(1500), options));
    expect(again).toEqual(first);
    expect(await spent()).toBe(1500);
  });

  it('of which one is refused as a whole throw', async () => {
    const customer = await faulty.service.customer(1200);
    const vitruvia = createVitruvia({ baseUrl: faulty.behind(), apiKey: customer.apiKey });
    const results = vitruvia.batch(entries(3000), { concurrency: 1 });
    const error = await errorOf(collect(results));
    expect(error).toMatchObject({ status: 402, code: 'insufficient_credits' });
    expect(await customer.balance()).toBe(200);
  });
});

describe('a table of the TypeScript client', () => {
  it('has a row for each combination in order, and names those that do not exist', async () => {
    const { vitruvia, spent } = await client();
    const oneSided = MEASUREMENTS.find(({ genders }) => genders.length === 1);
    if (oneSided === undefined) throw new Error('every dimension has both genders');
    const percentiles = Array.from({ length: 25 }, (_, i) => i + 1);
    const { columns, rows, leftOut } = await vitruvia.table({
      measurements: ['Stature', oneSided.name, WITHOUT_MODEL],
      countries: ['NA', 'NL'],
      genders: ['Male', 'Female'],
      ages: [30, 40.5],
      percentiles,
      clothing: ['nude', 'winter'],
      unit: 'cm',
    });
    expect(columns).toEqual(TABLE_COLUMNS);
    expect(rows).toHaveLength((16 + 8) * 25);
    expect(await spent()).toBe(rows.length);
    expect(Object.keys(rows[0] ?? {})).toEqual(columns);
    expect(rows[26]).toEqual({
      ...{ measurement: 'Stature', country: 'NA', gender: 'Male', age: 30, clothing: 'winter' },
      ...{ posture: 'standing_erect', percentile: 2, value: expect.any(Number), unit: 'cm' },
    });
    const { value } = await vitruvia.predict({
      ...{ measurement: 'Stature', country: 'NA', gender: 'Male', age: 30, clothing: 'winter' },
      ...{ percentile: 2, unit: 'cm' },
    });
    expect(rows[26]?.value).toBe(value);
    expect(leftOut).toHaveLength(8 + 16);
    const codes = leftOut.map(({ measurement, code }) => `${measurement} ${code}`);
    expect(new Set(codes)).toEqual(
      new Set([`${oneSided.name} gender_not_supported`, `${WITHOUT_MODEL} model_not_found`]),
    );
    expect(leftOut[0]?.reason).toContain(oneSided.name);
  });

  it('is not filled if a request is wrong', async () => {
    const { vitruvia } = await client();
    const error = await errorOf(
      vitruvia.table({
        ...{ measurements: ['Stature'], countries: ['NA'], genders: ['Male'] },
        ...{ ages: [30], percentiles: [150] },
      }),
    );
    expect(error.code).toBe('validation_error');
  });
});

describe('streams of the TypeScript client', () => {
  it('in CSV and Arrow equal the JSON, also after a cut, and are charged once', async () => {
    const { vitruvia, spent, seen } = await client([
      ...['pass', 'pass', 'cut-9000', 'cut-5000', 'pass'],
      ...['cut-9000', '503', 'cut-10000'],
    ]);
    const json = await vitruvia.samplePeople(PEOPLE);
    const rows = json.people.map(({ measurements, ...person }) => ({ ...person, ...measurements }));
    expect(new Set(rows.map(({ country }) => country))).toEqual(new Set(['NA', 'US']));

    const csv = await vitruvia.csv('samplePeople', PEOPLE);
    expect(csv.columns).toEqual(['country', 'gender', 'age', 'Stature', 'BodyMass']);
    expect(csv.details).toEqual({
      ...{ seed: 7, artifactVersion: json.artifactVersion, unit: 'mm', massUnit: 'kg' },
    });
    expect(await collect(csv)).toEqual(rows);
    expect(await spent()).toBe(102);

    const cut = await vitruvia.csv('samplePeople', PEOPLE);
    expect(await collect(cut)).toEqual(rows);
    expect(await spent()).toBe(153);

    const arrow = await readArrow(vitruvia, 'samplePeople', PEOPLE);
    const batches = await collect(arrow);
    expect(batches.length).toBeGreaterThan(1);
    const values = batches.flatMap((batch) => batch.toArray().map((row) => row?.toJSON()));
    expect(values).toEqual(rows);
    expect(arrow.details).toEqual(csv.details);
    expect(await spent()).toBe(204);
    expect(await seen()).toHaveLength(9);
  });

  it('of a data sheet have texts, numbers and missing values', async () => {
    const { vitruvia } = await client();
    const request = {
      population: { ...PEOPLE.population, year: 2030 },
      measurements: ['Stature', 'BMI'],
      percentiles: [5, 50],
    } as const;
    const csv = await vitruvia.csv('populationPercentiles', request);
    expect(csv.columns.slice(0, 4)).toEqual(['measurement', 'unit', 'mean', 'sd']);
    expect(csv.details.headCountYear).toBeGreaterThan(2000);
    const json = await vitruvia.populationPercentiles(request);
    const means = json.measurements.map(({ mean }) => mean);
    expect((await collect(csv)).map((row) => row.mean)).toEqual(means);
    const { bytes } = await vitruvia.bytes('populationPercentiles', request, 'arrow');
    const table = tableFromIPC(await collect(bytes));
    expect(table.toArray().map((row) => row?.mean)).toEqual(means);
  });

  it('are refused like any other call', async () => {
    const { vitruvia, spent } = await client();
    const error = await errorOf(vitruvia.csv('samplePeople', { ...PEOPLE, count: 0 }));
    expect(error).toMatchObject({ status: 400, code: 'validation_error' });
    expect(await spent()).toBe(0);
  });

  it('that are left are not read to their end', async () => {
    const { vitruvia, spent } = await client();
    for await (const row of await vitruvia.csv('samplePeople', PEOPLE)) {
      expect(row.gender).toMatch(/^(Male|Female)$/);
      break;
    }
    expect(await spent()).toBe(51);
  });
});
