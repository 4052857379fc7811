import { describe, expect, it } from 'vitest';
import { peopleOf } from '../../src/operations/population-request.js';
import { tinyModel } from '../support/models.js';

const model = tinyModel();
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
