import { describe, expect, it } from 'vitest';
import { yearScored } from '../../../pipeline/evaluate/served.js';
import { scoreYears } from '../../../pipeline/evaluate/year-errors.js';

describe('studies scored in their own year', () => {
  it('count as of 1990 when they are up to five years older', () => {
    expect(yearScored({ year: 2004 })).toBe(2004);
    expect(yearScored({ year: 1987 })).toBe(1990);
    expect(yearScored({ year: 1984 })).toBeUndefined();
    expect(yearScored({ year: 2040 })).toBe(2035);
  });

  it('are summed up by people and quantity', () => {
    const error = (people: string, ownYear: number, referenceYear: number) => {
      return { people, quantity: 'stature', ownYear, referenceYear };
    };
    const scores = scoreYears([error('b', 1, 2), error('a', 0.5, 0), error('b', -2, 4)]);
    expect(scores.map(({ people, rows }) => [people, rows])).toEqual([
      ['b', 2],
      ['a', 1],
    ]);
    expect(scores[0]).toMatchObject({
      ownYearAbs: 1.5,
      referenceYearAbs: 3,
      ownYearBias: -0.5,
      referenceYearBias: 3,
    });
  });
});
