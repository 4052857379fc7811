import { describe, expect, it } from 'vitest';
import { normalDensity, percentileOfZ, zOfPercentile } from '../../src/lookup/cell.js';

/** Values from Abramowitz and Stegun 1964, tables 26.1 (Z and P of x) and 26.5 (x of Q), and from `qnorm` of R 4. */
const QUANTILES: [percentile: number, z: number][] = [
  [1, -2.326347874040841],
  [2.5, -1.9599639845400543],
  [5, -1.6448536269514729],
  [25, -0.6744897501960817],
  [50, 0],
  [90, 1.2815515655446004],
  [97.5, 1.9599639845400543],
  [99.9, 3.0902323061678132],
];
const TABLE_26_1: [x: number, density: number, probability: number][] = [
  [0, 0.398942280401433, 0.5],
  [0.5, 0.3520653267643, 0.691462461274013],
  [1, 0.241970724519143, 0.841344746068543],
  [2, 0.053990966513188, 0.977249868051821],
  [3, 0.004431848411938, 0.99865010196837],
];

describe('the standard normal distribution', () => {
  it.each(QUANTILES)('has its published quantile at %d percent', (percentile, z) => {
    expect(zOfPercentile(percentile)).toBeCloseTo(z, 12);
    expect(percentileOfZ(z)).toBeCloseTo(percentile, 11);
  });

  it.each(TABLE_26_1)('has the tabulated density and probability at %d', (x, density, p) => {
    expect(normalDensity(x)).toBeCloseTo(density, 14);
    expect(percentileOfZ(x) / 100).toBeCloseTo(p, 13);
    expect(percentileOfZ(-x) / 100).toBeCloseTo(1 - p, 13);
  });
});
