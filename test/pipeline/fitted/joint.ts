import { describe, expect, it } from 'vitest';
import { lnQuantile, type Marginal, scoreOf } from '../../../pipeline/numerics/marginal.js';
import { pairQuantiles } from '../../../pipeline/numerics/pair-quantiles.js';
import { type Part, sumQuantiles } from '../../../pipeline/numerics/sum-quantiles.js';
import { FREE_TERMS, SUMS } from '../../../pipeline/plans/joint-plan.js';
import type { MeasurementName } from '../../../src/core/measurements.js';
import { normalDensity } from '../../../src/lookup/cell.js';
import { fit, populationOf } from './fit.js';

const SCORES = [-2.326, -1.645, 0, 1.645, 2.326];

/** Quantiles of c₁ X₁ + c₂ X₂. They are found by sorting a fine grid of scores with its probabilities. */
function byGrid(quantile: (a: number, b: number) => number, scores: readonly number[]): number[] {
  const step = 0.04;
  const points: { mm: number; weight: number }[] = [];
  for (let a = -5; a <= 5; a += step) {
    for (let b = -5; b <= 5; b += step) {
      points.push({ mm: quantile(a, b), weight: normalDensity(a) * normalDensity(b) * step ** 2 });
    }
  }
  points.sort((p, q) => p.mm - q.mm);
  const below = (z: number): number => {
    let share = 0;
    for (let x = -6; x < z; x += 1e-3) share += normalDensity(x) * 1e-3;
    return share;
  };
  return scores.map((z) => {
    let [share, wanted] = [0, below(z)];
    for (const { mm, weight } of points) {
      share += weight;
      if (share >= wanted) return mm;
    }
    return Number.NaN;
  });
}

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

  it('is met within 0.03 SD for lognormal parts', () => {
    const [a, b] = [(z: number) => Math.exp(7 + 0.05 * z), (z: number) => Math.exp(6.3 + 0.06 * z)];
    const found = sumQuantiles(
      [partOf(1, a), partOf(-1, b)],
      [
        [1, 0.6],
        [0.6, 1],
      ],
      SCORES,
    );
    const exact = byGrid((x, y) => a(x) - b(0.6 * x + 0.8 * y), SCORES);
    const sdMm = ((exact[3] as number) - (exact[1] as number)) / 3.29;
    SCORES.forEach((_, i) => {
      expect(Math.abs((found[i] as number) - (exact[i] as number)) / sdMm).toBeLessThan(0.03);
    });
  });

  it('is met within 1 mm for a difference with a skewed part', () => {
    const long: Marginal = { mean: 6.4, sd: 0.06, skew: 0.1 };
    const soft: Marginal = { mean: 5.5, sd: 0.2, skew: 1.2 };
    const [a, b] = [
      (z: number) => Math.exp(lnQuantile(long, z)),
      (z: number) => Math.exp(lnQuantile(soft, z)),
    ];
    const exact = byGrid((x, y) => a(x) - b(0.6 * x + 0.8 * y), SCORES);
    const guesses = exact.map((mm) => mm + 4);
    const found = pairQuantiles(
      { coefficient: 1, marginal: long },
      { coefficient: -1, marginal: soft },
      0.6,
      SCORES,
      guesses,
    );
    SCORES.forEach((_, i) => {
      expect(Math.abs((found[i] as number) - (exact[i] as number))).toBeLessThan(1);
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

describe('the fitted model', () => {
  const { model } = fit;

  it('has sitting heights and legs that make up stature in every direction, among adults', () => {
    for (const country of ['US', 'NL'] as const) {
      for (const ageYears of [20, 40, 70]) {
        const cohort = populationOf('Male', country).at(ageYears);
        const rho = model.joint?.('Male', ageYears);
        const sdMm = (name: 'Stature' | 'SittingHeight' | 'LegLength') =>
          cohort.marginal(name).sd * cohort.medianMm(name);
        const [sit, leg] = [sdMm('SittingHeight'), sdMm('LegLength')];
        const both = rho?.('SittingHeight', 'LegLength') as number;
        const whole = Math.sqrt(sit ** 2 + leg ** 2 + 2 * both * sit * leg);
        // At P99, 1 % of the SD is 0.02 SD.
        expect(Math.abs(whole / sdMm('Stature') - 1)).toBeLessThan(0.01);
      }
    }
  });
});
