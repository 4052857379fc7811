import { describe, expect, it } from 'vitest';
import { zOfPercentile } from '../../src/lookup/cell.js';
import {
  conditionalDensity,
  conditionalMean,
  conditionalValue,
  conditionOn,
  correlation,
} from '../../src/lookup/condition.js';
import { Z_COUNT, Z_FIRST, Z_STEP } from '../../src/lookup/format.js';
import type { ArtifactViews } from '../../src/lookup/reader.js';

const curve = (valueAt: (z: number) => number) =>
  Float64Array.from({ length: Z_COUNT }, (_, i) => valueAt(Z_FIRST + i * Z_STEP));

const CASES = [0, 0.3, -0.6, 0.9, 0.995].flatMap((rho) =>
  [1, 30, 50, 99].map((percentile) => [rho, percentile] as const),
);

describe('conditioning on a normal curve', () => {
  const [mean, sd] = [1700, 70];
  const knots = curve((z) => mean + sd * z);

  it.each(CASES)('has the bivariate normal’s mean and bounds (ρ %d, anchor P%d)', (rho, p) => {
    const z = zOfPercentile(p);
    const conditional = conditionOn(knots, rho, z);
    // The textbook says N(μ + ρ σ z, σ² (1 − ρ²)). A straight quantile curve is exact.
    expect(conditionalMean(conditional)).toBeCloseTo(mean + rho * sd * z, 6);
    const spread = sd * Math.sqrt(1 - rho * rho);
    for (const bound of [0.5, 2.5, 50, 97.5, 99.5]) {
      const expected = mean + rho * sd * z + spread * zOfPercentile(bound);
      expect(conditionalValue(conditional, zOfPercentile(bound))).toBeCloseTo(expected, 6);
    }
    expect(conditionalDensity(conditional, 0)).toBeCloseTo(
      1 / (spread * Math.sqrt(2 * Math.PI)),
      9,
    );
  });
});

describe('conditioning on a lognormal curve', () => {
  const [mean, sd] = [Math.log(900), 0.12];
  const knots = curve((z) => Math.exp(mean + sd * z));

  it.each(CASES)('has the lognormal’s mean and bounds (ρ %d, anchor P%d)', (rho, p) => {
    const z = zOfPercentile(p);
    const conditional = conditionOn(knots, rho, z);
    const [m, s] = [mean + rho * sd * z, sd * Math.sqrt(1 - rho * rho)];
    // E = exp(m + s² / 2). At 900 mm, a cubic on steps of σ/3 errs by less than 0.1 mm.
    expect(Math.abs(conditionalMean(conditional) - Math.exp(m + (s * s) / 2))).toBeLessThan(0.1);
    for (const bound of [2.5, 50, 97.5]) {
      const q = zOfPercentile(bound);
      expect(Math.abs(conditionalValue(conditional, q) - Math.exp(m + s * q))).toBeLessThan(0.1);
    }
  });

  it.each([50, 80, 95])('has a density that integrates to the accommodated %d %%', (share) => {
    const conditional = conditionOn(knots, 0.7, zOfPercentile(20));
    const z = zOfPercentile(50 + share / 2);
    const steps = 2000;
    let area = 0;
    for (let i = 0; i < steps; i++) {
      const [a, b] = [-z + (2 * z * i) / steps, -z + (2 * z * (i + 1)) / steps];
      const width = conditionalValue(conditional, b) - conditionalValue(conditional, a);
      area += width * conditionalDensity(conditional, (a + b) / 2);
    }
    expect(area).toBeCloseTo(share / 100, 5);
  });
});

describe('correlation by age', () => {
  const size = 2;
  const matrix = (rho: number) => [1, rho, rho, 1];
  const views = {
    rho: Float32Array.from([0.25, 0.5, 0.75, 0.125].flatMap(matrix)),
    manifest: { axes: { measurements: Array(size).fill(''), correlationAgesYears: [10, 20] } },
  } as unknown as ArtifactViews;

  it.each([
    [0, 0, 0.25],
    [0, 10, 0.25],
    [0, 15, 0.5],
    [0, 20, 0.75],
    [0, 90, 0.75],
    [1, 5, 0.5],
    [1, 12, 0.425],
    [1, 120, 0.125],
  ])('of gender %d at %d years is %d', (gender, ageYears, expected) => {
    expect(correlation(views, 0, 1, gender, ageYears)).toBeCloseTo(expected, 6);
    expect(correlation(views, 1, 0, gender, ageYears)).toBeCloseTo(expected, 6);
    expect(correlation(views, 1, 1, gender, ageYears)).toBe(1);
  });
});
