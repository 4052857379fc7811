import { describe, expect, it } from 'vitest';
import { boxProbability, choleskyInPlace } from '../../src/population/box-probability.js';

/** Probability that equally correlated scores are all below 0. */
function orthant(n: number, rho: number): number {
  const factor = Float64Array.from({ length: n * n }, (_, at) =>
    Math.floor(at / n) === at % n ? 1 : rho,
  );
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
    const factor = Float64Array.of(1, 0, 0.5, 0.8);
    const [low, high] = [Float64Array.of(1, -1), Float64Array.of(0, 1)];
    expect(boxProbability(factor, low, high, 2, 100, Float64Array.of(0.1, 0.2))).toBe(0);
  });
});
