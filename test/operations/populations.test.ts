import { describe, expect, it } from 'vitest';
import { completePerson } from '../../src/operations/complete-person.js';
import { peopleOf } from '../../src/operations/population-request.js';
import { populationShare } from '../../src/operations/population-share.js';
import { validateRequest } from '../../src/operations/validate.js';
import { tinyModel } from '../support/models.js';

// Answers on populations and on persons must agree on shares, limits, groups and units.

const model = tinyModel();
const ADULTS = { countries: ['DE'], ageMin: 20, ageMax: 40 };

const shareOf = (change: object) =>
  populationShare.run(
    validateRequest(populationShare, { ...populationShare.example, ...change }),
    model,
  );
const personWith = (known: readonly object[]) =>
  completePerson.run(validateRequest(completePerson, { ...completePerson.example, known }), model);

it.each([
  ['a door of 2.5 m', { measurement: 'Stature', max: 2500 }, 1],
  ['people over 2.6 m', { measurement: 'Stature', min: 2600 }, 0],
])('%s is a limit, not a mistake', (_, limit, share) => {
  expect(shareOf({ limits: [limit] }).share).toBe(share);
});

it('each known value may have its own unit', () => {
  const mixed = personWith([
    { measurement: 'Stature', value: 66, unit: 'in' },
    { measurement: 'SittingHeight', value: 1160 },
    { measurement: 'BodyMass', value: 150, unit: 'lb' },
  ]);
  const plain = personWith([
    { measurement: 'Stature', value: 1676.4 },
    { measurement: 'SittingHeight', value: 1160 },
    { measurement: 'BodyMass', value: 150 * 0.45359237 },
  ]);
  expect(mixed.measurements).toEqual(plain.measurements);
});

it.each([undefined, [{ measurement: 'BodyMass', max: 75 }]])(
  'a group of share 0 or nearly 0 has a share of its own (%#)',
  (keep) => {
    const [half, none, least] = [0.5, 0, 1e-12].map((share) => {
      const groups = [
        { ...ADULTS, gender: 'Female', share },
        { ...ADULTS, gender: 'Male', share: 1 - share },
      ];
      const limits = [{ measurement: 'Stature', max: 1700 }];
      const answer = shareOf({ population: { groups, ...(keep && { keep }) }, limits });
      return { share: answer.share, own: answer.groups.map(({ accommodated }) => accommodated) };
    });
    for (const [g, accommodated] of none?.own.entries() ?? []) {
      expect(Math.abs(accommodated - (half?.own[g] ?? 0))).toBeLessThan(0.004);
    }
    expect(none?.own[0]).not.toBeCloseTo(none?.own[1] ?? 0, 2);
    expect(least).toEqual(none);
    expect(none?.share).toBe(none?.own[1]);
  },
);

// In the tiny artifact, one year of age has fewer than 1,000 people.
const FEW = { countries: ['AT'], gender: 'Male', ageMin: 60, ageMax: 60 } as const;
const groups = [{ ...FEW, countries: [...FEW.countries] }];

describe('a small population', () => {
  it('is answered without conditions', () => {
    const { headCount, kept } = peopleOf({ population: { groups } }, model);
    expect(headCount.people).toBeGreaterThan(0);
    expect(headCount.people).toBeLessThan(1000);
    expect(kept.keptShare).toBe(1);
  });

  it('is refused with conditions that leave fewer than 1,000 people', () => {
    const keep = [{ measurement: 'Stature', min: 1000 } as const];
    expect(() => peopleOf({ population: { groups, keep } }, model)).toThrow(
      /leave about \d+ people.*at least 1000 people/,
    );
  });
});
