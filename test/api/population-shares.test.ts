import { afterAll, beforeAll, expect, it } from 'vitest';
import { OPERATIONS } from '../../src/operations/index.js';
import { startService, type TestService } from '../support/service.js';

// Answers on populations and on persons must agree on shares, limits, groups and units.

let service: TestService;
beforeAll(async () => {
  service = await startService({ computing: { threads: 1 } });
});
afterAll(() => service.close());

const ADULTS = { countries: ['DE'], ageMin: 20, ageMax: 40 };

/** The example of an operation's request. */
const exampleOf = (name: string) =>
  OPERATIONS.find((operation) => operation.name === name)?.example;

it.each([
  ['a door of 2.5 m', { measurement: 'Stature', max: 2500 }, 1],
  ['people over 2.6 m', { measurement: 'Stature', min: 2600 }, 0],
])('%s is a limit, not a mistake', async (_, limit, share) => {
  const example = exampleOf('population_share');
  const { headers } = await service.customer(5);
  const { status, body } = await service.post(
    '/v1/population/share',
    { ...example, limits: [limit] },
    headers,
  );
  expect([status, body.share]).toEqual([200, share]);
});

it('each known value may have its own unit', async () => {
  const example = exampleOf('complete_person');
  const { headers } = await service.customer(4);
  const known = [
    { measurement: 'Stature', value: 66, unit: 'in' },
    { measurement: 'SittingHeight', value: 1160 },
    { measurement: 'BodyMass', value: 150, unit: 'lb' },
  ];
  const inMm = [
    { measurement: 'Stature', value: 1676.4 },
    { measurement: 'SittingHeight', value: 1160 },
    { measurement: 'BodyMass', value: 150 * 0.45359237 },
  ];
  const mixed = await service.post('/v1/person', { ...example, known }, headers);
  const plain = await service.post('/v1/person', { ...example, known: inMm }, headers);
  expect(mixed.status).toBe(200);
  expect(mixed.body.measurements).toEqual(plain.body.measurements);
});

/** Answers of `population_share` about two groups, of which one has this share. */
async function sharesOf(share: number, change: object, keep?: object[]) {
  const { headers } = await service.customer(5);
  const groups = [
    { ...ADULTS, gender: 'Female', share },
    { ...ADULTS, gender: 'Male', share: 1 - share },
  ];
  const body = { population: { groups, ...(keep && { keep }) }, ...change };
  const answer = await service.post('/v1/population/share', body, headers);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

it.each([undefined, [{ measurement: 'BodyMass', max: 75 }]])(
  'a group of share 0 or nearly 0 has a share of its own (%#)',
  async (keep) => {
    const limits = [{ measurement: 'Stature', max: 1700 }];
    const [half, none, least] = [
      await sharesOf(0.5, { limits }, keep),
      await sharesOf(0, { limits }, keep),
      await sharesOf(1e-12, { limits }, keep),
    ];
    const own = ({ groups }: { groups: { accommodated: number }[] }) =>
      groups.map(({ accommodated }) => accommodated);
    for (const [g, accommodated] of own(none).entries()) {
      expect(Math.abs(accommodated - (own(half)[g] ?? 0))).toBeLessThan(0.004);
    }
    expect(own(none)[0]).not.toBeCloseTo(own(none)[1] ?? 0, 2);
    expect(own(least)).toEqual(own(none));
    expect(least.share).toBe(none.share);
    expect(none.share).toBe(own(none)[1]);
  },
);
