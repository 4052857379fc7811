import { describe, expect, it } from 'vitest';
import { useOpened } from '../support/use-opened.js';
import { useService } from '../support/use-service.js';

const service = useService();
const payer = useOpened(() => service.customer(1_000_000));

const person = { measurement: 'Stature', gender: 'Male', age: 30 };

async function post(path: string, body: unknown) {
  return service.post(path, body, payer.headers);
}

describe('200', () => {
  it('predict answers its fields in order, with every default applied', async () => {
    const { status, body, headers } = await post('/v1/predict', { ...person, percentile: 50 });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(Object.entries(body)).toEqual([
      ['measurement', 'Stature'],
      ['gender', 'Male'],
      ['country', 'US'],
      ['clothing', 'nude'],
      ['posture', 'standing_erect'],
      ['value', 1750],
      ['unit', 'mm'],
    ]);
  });

  it('connected dimension answers the points of 4.8, and the bounds are two of them', async () => {
    const request = {
      ...{ anchorMeasurement: 'Stature', anchorPercentile: 95, linkedMeasurement: 'Span' },
      ...{ accommodationPercent: 90, gender: 'Female', age: 40 },
    };
    const { body } = await post('/v1/connected-dimension', request);
    const points = body.distributionPoints as { percentile: number; value: number }[];
    expect(points.map((point) => point.percentile)).toEqual([
      ...[1, ...Array.from({ length: 19 }, (_, i) => 5 * (i + 1)), 99],
    ]);
    expect([body.lowerBound, body.upperBound]).toEqual([points[1]?.value, points[19]?.value]);
  });
});

describe('402', () => {
  it('free_tier_exhausted gives the time of the reset', async () => {
    const { headers } = await service.customer();
    const percentiles = Array.from({ length: 10 }, (_, i) => i + 1);
    await service.post('/v1/predict/range', { ...person, percentiles }, headers);
    const refused = await service.post('/v1/predict', { ...person, percentile: 1 }, headers);
    expect(refused.status).toBe(402);
    expect(refused.body.code).toBe('free_tier_exhausted');
    const inMs = Date.parse(refused.body.resets_at) - Date.now();
    expect(inMs).toBeGreaterThan(86_300_000);
    expect(inMs).toBeLessThanOrEqual(86_400_000);
  });
});

describe('404 and 422', () => {
  const cases: [name: string, path: string, body: object, status: number, code: string][] = [
    [
      'standing dimension, sitting posture',
      '/v1/predict/range',
      { ...person, percentiles: [5], posture: 'sitting' },
      404,
      'model_not_found',
    ],
    [
      'heels of children',
      '/v1/predict',
      { ...person, age: 11.9, percentile: 5, clothing: 'heels' },
      404,
      'model_not_found',
    ],
  ];
  it.each(cases)('%s', async (_name, path, body, status, code) => {
    const customer = await service.customer(1);
    const refused = await service.post(path, body, customer.headers);
    expect([refused.status, refused.body.code]).toEqual([status, code]);
    expect(await customer.balance()).toBe(1);
  });

  it.each([
    [{ value: 178 }, /; 178 mm is below\. 178 would fit as cm: set unit to cm, or send 1780\.$/],
    [{ value: 69 }, /; 69 mm is below\. 69 would fit as in: set unit to in, or send 1752\.6\.$/],
    [
      { value: 1750, unit: 'cm' },
      /; 1750 cm is above\. 1750 would fit as mm: set unit to mm, or send 175\.$/,
    ],
    [{ value: 5 }, /; 5 mm is below\. 5 would fit as ft: send 1524\.$/],
    [{ value: 3 }, /; 3 mm is below\.$/],
    [{ value: 1e300, unit: 'in' }, /; 1e\+300 in is above\.$/],
  ])(
    'value_out_of_range says on which side, and the unit that would fit: %j',
    async (asked, end) => {
      const { body } = await post('/v1/percentile-lookup', { ...person, ...asked });
      expect(body.code).toBe('value_out_of_range');
      expect(body.detail).toMatch(end);
    },
  );

  it.each(['mm', 'cm', 'in'])(
    'both bounds of value_out_of_range are valid values (%s)',
    async (unit) => {
      const refused = await post('/v1/percentile-lookup', { ...person, value: 1e9, unit });
      expect(refused.body.unit).toBe(unit);
      for (const [bound, percentile] of [
        [refused.body.minimum, 1],
        [refused.body.maximum, 99],
      ]) {
        const answered = await post('/v1/percentile-lookup', { ...person, value: bound, unit });
        expect(answered.status).toBe(200);
        expect(answered.body.percentile).toBeCloseTo(percentile, 0);
      }
    },
  );
});
