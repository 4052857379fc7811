import { describe, expect, it } from 'vitest';
import { fractionalRanks } from '../../../pipeline/plans/fractional-ranks.js';
import { uniformNumbers } from '../../../pipeline/plans/limit-sets.js';
import { countCells, halvesOf } from '../../../pipeline/plans/person-pairs.js';
import {
  areaUnderCurve,
  crossValidatedArea,
  keepingOdds,
  summariseToldApart,
} from '../../../pipeline/research/told-apart.js';
import { Z_COUNT, Z_FIRST, Z_STEP } from '../../../src/lookup/format.js';
import { zOfPercentile } from '../../../src/lookup/quantile-curve.js';

/** Normal numbers, the same in every run. */
function normals(seed: number): () => number {
  const random = uniformNumbers(seed);
  return () => zOfPercentile(100 * Math.min(1 - 1e-9, Math.max(1e-9, random())));
}

describe('areas under the ROC curve', () => {
  it('count pairs of people, equal ones half', () => {
    // People 1, 3 and 3 against 1, 2 and 3: 0.5 + 2 × (2 + 0.5) of 9 pairs.
    expect(areaUnderCurve([1, 2, 3], [1, 0, 2], [1, 1, 1])).toBeCloseTo(5.5 / 9, 9);
    expect(areaUnderCurve([2, 2, 5], [4, 6, 0], [3, 7, 0])).toBe(0.5);
    expect(areaUnderCurve([0, 1], [0, 5], [5, 0])).toBe(1);
  });

  /** Counts of pairs of people whose quantities correlate. */
  function sample(people: number, rho: number, seed: number): number[][] {
    const normal = normals(seed);
    const a = Array.from({ length: people }, normal);
    const b = a.map((z) => rho * z + Math.sqrt(1 - rho * rho) * normal());
    const random = uniformNumbers(seed + 1);
    return countCells(fractionalRanks(a, random), fractionalRanks(b, random), halvesOf(people));
  }

  it('are 0.5 for samples of one population and more for another correlation', () => {
    const first = sample(8000, 0.5, 11);
    expect(crossValidatedArea(sample(8000, 0.5, 21), first)).toBeCloseTo(0.5, 1.5);
    const apart = crossValidatedArea(sample(8000, 0.8, 31), first);
    expect(apart).toBeGreaterThan(0.57);
    expect(apart).toBeLessThan(0.75);
  });

  it('are summarised by gender', () => {
    const pair = { gender: 'Male', a: 'a', b: 'b', sampledAny: 0.6 } as const;
    const [summary] = summariseToldApart([
      { ...pair, ansur2: 0.5, sampled: 0.52 },
      { ...pair, ansur2: 0.52, sampled: 0.56 },
    ]);
    expect(summary).toMatchObject({ pairs: 2, within: 0.5 });
    expect((summary?.sampled ?? 0) - (summary?.ansur2 ?? 0)).toBeCloseTo(0.03, 9);
  });

  it('keep people so that ln BMI has the distribution asked for', () => {
    const sd = 0.2;
    const knots = Float64Array.from({ length: Z_COUNT }, (_, i) =>
      Math.exp(Math.log(28) + sd * (Z_FIRST + i * Z_STEP)),
    );
    const odds = keepingOdds(knots, { mean: Math.log(24), sd: 0.1 });
    const [normal, random] = [normals(5), uniformNumbers(6)];
    const kept: number[] = [];
    for (let i = 0; i < 40_000; i++) {
      const ln = Math.log(28) + sd * normal();
      const probability = odds(Math.exp(ln));
      expect(probability).toBeLessThanOrEqual(1 + 1e-9);
      if (random() < probability) kept.push(ln);
    }
    const mean = kept.reduce((sum, ln) => sum + ln, 0) / kept.length;
    const spread = Math.sqrt(kept.reduce((sum, ln) => sum + (ln - mean) ** 2, 0) / kept.length);
    expect(mean).toBeCloseTo(Math.log(24), 2);
    expect(spread).toBeCloseTo(0.1, 2);
  });
});
