import cdf from '@stdlib/stats-base-dists-normal-cdf';
import quantile from '@stdlib/stats-base-dists-normal-quantile';
import { describe, expect, it } from 'vitest';
import {
  choleskyInPlace,
  fastPhi,
  fastScore,
  lowerTriangle,
  symmetric,
} from '../../src/numerics/numerics.js';
import { boxProbability } from '../../src/population/box-probability.js';

/** Probability that equally correlated scores are all below 0. */
function orthant(n: number, rho: number): number {
  const factor = lowerTriangle(n, (i, j) => (i === j ? 1 : rho));
  choleskyInPlace(factor, n);
  const low = new Float64Array(n).fill(Number.NEGATIVE_INFINITY);
  const shift = Float64Array.from({ length: n }, (_, i) => ((i + 1) * 0.37) % 1);
  return boxProbability(factor, low, new Float64Array(n), n, 4000, shift);
}

describe('the probability of a box', () => {
  // Sheppard 1899; for three scores David 1953 (Biometrika 40:458).
  it.each([-0.5, 0, 0.3, 0.9])('of two scores with ρ = %s is exact to 0.0005', (rho) => {
    expect(Math.abs(orthant(2, rho) - (0.25 + Math.asin(rho) / (2 * Math.PI)))).toBeLessThan(5e-4);
  });

  it.each([-0.3, 0.5, 0.8])('of three scores with ρ = %s is exact to 0.0005', (rho) => {
    const exact = 1 / 8 + (3 * Math.asin(rho)) / (4 * Math.PI);
    expect(Math.abs(orthant(3, rho) - exact)).toBeLessThan(5e-4);
  });

  it('of a score that is repeated is that of the score', () => {
    expect(orthant(3, 1)).toBeCloseTo(0.5, 2);
  });

  it('of an empty box is 0', () => {
    const factor = Float64Array.of(1, 0.5, 0.8);
    const [low, high] = [Float64Array.of(1, -1), Float64Array.of(0, 1)];
    expect(boxProbability(factor, low, high, 2, 100, Float64Array.of(0.1, 0.2))).toBe(0);
  });
});

describe('the factor of a singular matrix', () => {
  it('reproduces it to 0.02, also when its elements are rounded', () => {
    // 100 scores that are determined by 5 hidden scores.
    const n = 100;
    const weights = Array.from({ length: n }, (_, i) => {
      const row = [1, 2, 3, 4, 5].map((k) => Math.sin(k * (i + 1)));
      const length = Math.hypot(...row);
      return row.map((weight) => weight / length);
    });
    const dot = (i: number, j: number) =>
      (weights[i] as number[]).reduce((sum, w, k) => sum + w * (weights[j]?.[k] as number), 0);
    const rho = lowerTriangle(n, (i, j) => Math.fround(dot(i, j)));
    const factor = rho.slice();
    choleskyInPlace(factor, n);
    let worst = 0;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        let sum = 0;
        for (let k = 0; k <= j; k++) {
          sum += symmetric(factor, i, k) * symmetric(factor, j, k);
        }
        worst = Math.max(worst, Math.abs(sum - symmetric(rho, i, j)));
      }
    }
    expect(worst).toBeLessThan(0.02);
  });
});

const steps = (from: number, to: number, count: number) =>
  Array.from({ length: count + 1 }, (_, i) => from + ((to - from) * i) / count);
const most = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), 0);

describe('the fast normal distribution', () => {
  it('has the share of the exact one below every score', () => {
    const differences = steps(-9, 9, 100_003).map((z) => Math.abs(fastPhi(z) - cdf(z, 0, 1)));
    expect(most(differences)).toBeLessThan(5e-9);
    expect([-Infinity, Infinity].map(fastPhi)).toEqual([0, 1]);
  });

  it('has the score of the exact one at every share', () => {
    const shares = steps(Math.log(1e-10), Math.log(0.5), 20_000).map(Math.exp);
    const differences = shares
      .flatMap((share) => [share, 1 - share])
      .map((share) => {
        const score = quantile(share, 0, 1);
        return Math.abs(fastScore(share) - score) / Math.max(0.01, Math.abs(score));
      });
    expect(most(differences)).toBeLessThan(1e-6);
    expect(fastScore(0.5)).toBe(0);
  });

  it.each([1e-12, 1e-15])('returns the share %d from share to score', (share) => {
    expect(cdf(fastScore(share), 0, 1) / share).toBeCloseTo(1, 4);
  });
});
