import { describe, expect, it } from 'vitest';
import { cleaned } from '../../pipeline/fit/covariates/bmi-grid.js';

/** A grid that rises with year and age, with a little noise. */
const grid = (seed: number): (number | undefined)[][] =>
  Array.from({ length: 5 }, (_, group) =>
    Array.from(
      { length: 9 },
      (_, year) => 3 + 0.02 * group + 0.01 * year + 0.0005 * Math.sin(seed + 7 * group + 3 * year),
    ),
  );

const all = () => Array.from({ length: 20 }, (_, i) => grid(i));

describe('the table of BMI by year', () => {
  it('keeps what is in order', () => {
    expect(cleaned(all())).toEqual(all());
  });

  it('loses an outlier and gets it back from the neighbours', () => {
    const grids = all();
    grids[3]?.[2]?.splice(4, 1, 3.5);
    grids[5]?.[0]?.splice(8, 1, 2.5);
    const clean = cleaned(grids);
    const truth = all();
    expect(clean[3]?.[2]?.[4]).toBeCloseTo(truth[3]?.[2]?.[4] as number, 2);
    expect(clean[5]?.[0]?.[8]).toBeCloseTo(truth[5]?.[0]?.[8] as number, 2);
    expect(clean[4]).toEqual(truth[4]);
  });

  it('is completed where years or whole age groups are missing', () => {
    const grids = all();
    const holed = grids[7] as (number | undefined)[][];
    holed[1] = holed[1]?.map((value, year) => (year > 4 ? undefined : value)) ?? [];
    holed[4] = holed[4]?.map(() => undefined) ?? [];
    const clean = cleaned(grids)[7] as number[][];
    expect(clean[1]?.[8]).toBeCloseTo(all()[7]?.[1]?.[8] as number, 1);
    // If nothing is known about a group, only its change by year matters.
    const change = (clean[4]?.[8] as number) - (clean[4]?.[0] as number);
    expect(change).toBeCloseTo(0.08, 2);
    const empty = grid(1).map((ofGroup) => ofGroup.map(() => undefined));
    expect(() => cleaned([...all(), empty])).toThrow('empty');
  });
});
