import { describe, expect, it } from 'vitest';
import { caseNames } from '../../src/population/case-names.js';

const names = (measurements: string[], ...cases: number[][]) =>
  caseNames(
    measurements,
    cases.map((scores) => Float64Array.from(scores)),
  );

describe('caseNames', () => {
  it('names common builds in plain English', () => {
    const seated = ['SittingHeight', 'KneeHeight', 'PoplitealHeight'];
    expect(names(seated, [2, 2, 1.5], [-2, -2, -1.5])).toEqual(['tall', 'small']);
    expect(names(seated, [-2, 2, 1.5], [2, -2, -1.5])).toEqual([
      'long-legged with a short trunk',
      'short-legged with a long trunk',
    ]);
    expect(names(['Stature', 'BodyMass'], [2, -2], [-2, 2], [2, 2])).toEqual([
      'tall and slim',
      'small and heavy',
      'tall and heavy',
    ]);
    expect(names(['HeadLength', 'HeadBreadth'], [2, 2], [-2, -2])).toEqual(['large', 'small']);
  });

  it('names other cases by their strongest deviations', () => {
    expect(names(['HeadLength', 'HeadBreadth', 'HeadGirth'], [2, -2.5, 0.1])).toEqual([
      'small HeadBreadth, large HeadLength',
    ]);
  });

  it('gives no name twice', () => {
    const measurements = ['Stature', 'SittingHeight', 'KneeHeight'];
    const alike = Array.from({ length: 6 }, () => [2, 1.9, 1.8]);
    const given = names(measurements, ...alike);
    expect(new Set(given).size).toBe(6);
    expect(given.slice(0, 2)).toEqual(['tall', 'large Stature, large SittingHeight']);
  });
});
