import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COUNTRY_CODES } from '../../src/core/countries.js';
import { asKind, DIMENSION_ADDRESS, VIEW_KINDS } from '../../src/screens/dimension/address.js';
import { massRequest } from '../../src/screens/dimension/mass-data.js';
import { AGE_LIMITED } from '../support/tiny-artifact.js';
import { useOpened } from '../support/use-opened.js';
import { useService } from '../support/use-service.js';

const service = useService();
const customer = useOpened(() => service.customer(10_000));

async function load(query: string) {
  const answer = await service.get(`/explore/dimension/data?${query}`);
  return { status: answer.statusCode, body: answer.json() };
}

const VIEWS = [
  'measurement=Stature&gender=Female&age=30&country=NL,JP,GT&percentile=95',
  'measurement=Stature&gender=Male&age=40&country=DE&value=1843',
  'view=ages&measurement=SittingHeight&gender=Male&age=14&country=NL&percentile=97',
  'view=connected&measurement=Stature&linked=WorkReach&gender=Female&age=35&country=US&percentile=5&cover=80',
];

describe('chart data', () => {
  it('contain few numbers, rounded to the millimetre or three digits', async () => {
    for (const query of VIEWS) {
      const { body } = await load(query);
      const numbers = lengthsIn(body.picture);
      expect(numbers.length).toBeGreaterThan(8);
      expect(numbers.length).toBeLessThanOrEqual(377);
      for (const value of numbers) {
        const step = value >= 100 ? 1 : value >= 10 ? 10 : 100;
        expect(Math.abs(value * step - Math.round(value * step))).toBeLessThan(1e-9);
      }
    }
  });

  it.each([
    ['measurement=BodyMass&gender=Female&age=30&country=NL&percentile=95&unit=lb', 'value'],
    ['measurement=BMI&gender=Male&age=9&country=DE&percentile=20', 'value'],
    ['measurement=BodyMass&view=ages&gender=Male&age=14&country=NL&percentile=97', 'values'],
  ])('have body mass and BMI as the API: %s', async (query, field) => {
    const { body } = await load(query);
    const { body: answer } = await service.post(body.call.path, body.call.body, customer.headers);
    const { values } = answer.measurements[0];
    expect(body.answer[field]).toEqual(field === 'value' ? values[0].value : values);
    const { picture } = body;
    const [first] = picture.curves ?? picture.lines;
    expect(first.values.length).toBeGreaterThan(8);
  });

  it('have the percentile of a body mass, and refuse one that hardly anybody has', async () => {
    const person = 'measurement=BodyMass&gender=Female&age=30&country=NL';
    const { body } = await load(`${person}&value=70`);
    const { body: answer } = await service.post(body.call.path, body.call.body, customer.headers);
    expect(body.answer.percentile).toBeCloseTo(100 * answer.share, 2);
    const { body: outside } = await load(`${person}&value=21`);
    expect(outside.refusal.code).toBe('value_out_of_range');
    expect(outside.picture.curves).toHaveLength(1);
    const { status } = await load(`${person}&view=connected`);
    expect(status).toBe(400);
  });

  it('name the ages at which surveys measured the dimension', async () => {
    const { body } = await load('view=ages&measurement=AbdominalDepth&age=30&country=NL');
    expect(body.picture.measured).toEqual([{ fromYears: 20, toYears: 60 }]);
    const { body: other } = await load('view=ages&measurement=KneeHeight&age=30&country=NL');
    expect(other.picture.measured).toEqual([]);
  });

  it('have at most ten countries, even when a length is looked up', async () => {
    const countries = COUNTRY_CODES.slice(0, 11);
    for (const asked of ['value=1700', 'percentile=50', 'view=ages&percentile=50']) {
      const { status, body } = await load(`${asked}&country=${countries.join(',')}`);
      expect([status, body.errors?.[0]?.pointer]).toEqual([400, '/countries']);
    }
    const { status, body } = await load(`value=1700&country=US${',US'.repeat(3000)}`);
    expect([status, body.picture]).toEqual([400, undefined]);
  });

  it('omit ages without a model and give the reason', async () => {
    const { measurement, fromYears } = AGE_LIMITED;
    const { status, body } = await load(`view=ages&measurement=${measurement}&age=0`);
    expect(status).toBe(200);
    expect(body.refusal.code).toBe('model_not_found');
    expect(body.picture.gaps).toHaveLength(1);
    expect(body.picture.gaps[0]).toMatchObject({ fromYears: 0, toYears: 1 });
    expect(body.picture.gaps[0].reason).toContain(`ages ${fromYears} to 120`);
    expect(body.picture.lines[0].values.slice(0, 4)).toEqual([
      null,
      null,
      null,
      expect.any(Number),
    ]);
  });
});

describe('the address of a view', () => {
  it('keeps the ages shown and the people on the chart, and ignores impossible ones', () => {
    const read = DIMENSION_ADDRESS.read;
    const view = read('view=ages&ages=0-20&points=8.5:1300,9:1352.5,x:1,200:1700,3:-5');
    expect(view.ages).toEqual([0, 20]);
    expect(view.points).toEqual([
      { ageYears: 8.5, value: 1300 },
      { ageYears: 9, value: 1352.5 },
    ]);
    expect(read(DIMENSION_ADDRESS.query(view))).toEqual(view);
    expect(DIMENSION_ADDRESS.dataQuery(view)).toBe(
      DIMENSION_ADDRESS.dataQuery({ ...view, ages: [20, 120], points: [] }),
    );
    for (const ages of ['20-0', '0-200', 'x', '5'])
      expect(read(`view=ages&ages=${ages}`).ages).toEqual([0, 120]);
  });

  it('has the units of its measurement', () => {
    const unitIn = (query: string) => DIMENSION_ADDRESS.read(query).unit;
    expect(unitIn('measurement=BodyMass')).toBe('kg');
    expect(unitIn('measurement=BodyMass&unit=lb')).toBe('lb');
    expect(unitIn('measurement=BodyMass&unit=cm')).toBe('kg');
    expect(unitIn('measurement=BMI&unit=lb')).toBe('kg/m²');
    expect(unitIn('measurement=Stature&unit=lb')).toBe('mm');
    const mass = DIMENSION_ADDRESS.read('measurement=BMI');
    expect(asKind(mass, 'connected')).toMatchObject({ measurement: 'Stature', unit: 'mm' });
    expect(asKind(mass, 'ages')).toEqual({ kind: 'ages' });
  });

  it('has an exact age; body mass counts with the completed year', () => {
    const view = DIMENSION_ADDRESS.read('age=8.25&measurement=BodyMass');
    expect(view.age).toBe(8.25);
    const { groups } = massRequest(view, 'DE', [50]).population;
    expect(groups[0]).toMatchObject({ ageMin: 8, ageMax: 8 });
  });

  it('contains the whole view', () => {
    const views = fc.record({
      kind: fc.constantFrom(...VIEW_KINDS),
      measurement: fc.string(),
      gender: fc.string(),
      age: fc.integer(),
      countries: fc.uniqueArray(fc.constantFrom('NL', 'JP', 'US', 'DE'), { minLength: 1 }),
      clothing: fc.string(),
      posture: fc.string(),
      unit: fc.string(),
      percentile: fc.integer({ min: 1, max: 99 }),
    });
    fc.assert(
      fc.property(views, (changes) => {
        const view = { ...DIMENSION_ADDRESS.read(''), ...changes };
        const read = DIMENSION_ADDRESS.read(DIMENSION_ADDRESS.query(view));
        const { linked: _, cover: __, ...known } = view;
        expect(read).toMatchObject(known);
      }),
    );
  });
});

/** All lengths in a picture. */
function lengthsIn(picture: unknown): number[] {
  if (typeof picture !== 'object' || picture === null) return [];
  return Object.entries(picture).flatMap(([name, value]) =>
    name === 'values'
      ? (value as (number | null)[]).filter((one) => one !== null)
      : lengthsIn(value),
  );
}
