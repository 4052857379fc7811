import cdf from '@stdlib/stats-base-dists-normal-cdf';
import quantile from '@stdlib/stats-base-dists-normal-quantile';
import { describe, expect, it } from 'vitest';
import { fastPhi, fastScore } from '../../src/numerics/numerics.js';

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
