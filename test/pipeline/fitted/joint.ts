import { describe, expect, it } from 'vitest';
import { lnQuantile, type Marginal, scoreOf } from '../../../pipeline/numerics/marginal.js';
import { type Part, sumQuantiles } from '../../../pipeline/numerics/sum-quantiles.js';
import { FREE_TERMS, SUMS } from '../../../pipeline/plans/joint-plan.js';
import type { MeasurementName } from '../../../src/core/measurements.js';

const SCORES = [-2.326, -1.645, 0, 1.645, 2.326];

describe('free and derived dimensions', () => {
  it('are sums over free ones, with what cancels left out', () => {
    const written = (name: MeasurementName) =>
      Object.fromEntries((FREE_TERMS.get(name) ?? []).map((term) => [term.of, term.coefficient]));
    expect(written('EyeHeight')).toEqual({ Stature: 1, EyeScalpDistance: -1 });
    expect(written('C7HeightSitting')).toEqual({
      C7HeightStanding: 1,
      Stature: -1,
      SittingHeight: 1,
    });
    expect(written('EyeToSeat')).toEqual(written('SittingEyeHeight'));
    expect(written('Stature')).toEqual({ Stature: 1 });
    expect(SUMS).toContain('LowCounterHeight');
    expect(SUMS).not.toContain('SeatHeight');
  });
});

/** A part of a sum with a quantile function in mm. */
function partOf(coefficient: number, valueMm: (z: number) => number): Part {
  return { coefficient, fill: (scores, mm) => mm.set(scores.map(valueMm)) };
}

describe('the distribution of a sum', () => {
  it('is normal with the variance of the sum for normal parts', () => {
    const parts = [
      partOf(1, (z) => 1700 + 70 * z),
      partOf(-1, (z) => 900 + 35 * z),
      partOf(0.5, (z) => 200 + 12 * z),
    ];
    const rho = [
      [1, 0.8, 0.3],
      [0.8, 1, 0.2],
      [0.3, 0.2, 1],
    ];
    const variance =
      70 ** 2 + 35 ** 2 + 6 ** 2 - 2 * 0.8 * 70 * 35 + 2 * 0.3 * 70 * 6 - 2 * 0.2 * 35 * 6;
    const found = sumQuantiles(parts, rho, SCORES);
    SCORES.forEach((z, i) => {
      expect(found[i]).toBeCloseTo(900 + Math.sqrt(variance) * z, 6);
    });
  });

  it('has scores that are the inverse of the quantile curve', () => {
    for (const skew of [-1, 0, 0.7, 1.2]) {
      const marginal: Marginal = { mean: 6, sd: 0.1, skew };
      for (const z of [-3.5, -2, -0.3, 0, 1, 2.6]) {
        const { z: back, slope } = scoreOf(marginal)(lnQuantile(marginal, z));
        expect(back).toBeCloseTo(z, 9);
        const rise = lnQuantile(marginal, z + 1e-5) - lnQuantile(marginal, z - 1e-5);
        expect(slope).toBeCloseTo(rise / 2e-5, 5);
      }
    }
  });
});
