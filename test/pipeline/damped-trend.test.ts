import { describe, expect, it } from 'vitest';
import { fitTrend, projected, projectionError } from '../../pipeline/numerics/damped-trend.js';

describe('a damped trend', () => {
  it('adds the last change, damped once more with every step', () => {
    expect(projected([1, 2, 4], 1, 0.5)).toBe(5);
    expect(projected([1, 2, 4], 3, 0.5)).toBe(4 + 2 * (0.5 + 0.25 + 0.125));
    expect(projected([1, 2, 4], 0, 0.5)).toBe(4);
    expect(projected([1, 2, 4], 2, 0)).toBe(4);
    expect(projected([1, 2, 4], 2, 1)).toBe(8);
    const half = projected([1, 2, 4], 1.5, 0.5);
    expect(half).toBeGreaterThan(5);
    expect(half).toBeLessThan(5.5);
    expect(() => projected([1], 1, 0.5)).toThrow('two values');
  });

  it('has the factor with which the series were made', () => {
    const series = (first: number, change: number) =>
      Array.from({ length: 9 }, (_, i) => projected([first - change / 0.8, first], i, 0.8));
    const trend = fitTrend([series(3, 0.1), series(3.3, -0.2), series(2.9, 0.05)], 3);
    expect(trend.phi).toBe(0.8);
    expect(Math.max(...trend.errors)).toBeLessThan(1e-9);
  });

  it('has an error that grows with the steps and beyond them', () => {
    const trend = { phi: 0.9, errors: [0, 1, 3] };
    expect(projectionError(trend, -2)).toBe(0);
    expect(projectionError(trend, 0.5)).toBe(0.5);
    expect(projectionError(trend, 2)).toBe(3);
    expect(projectionError(trend, 3)).toBe(5);
  });

  it('cannot be fitted to series that are too short', () => {
    expect(() => fitTrend([[1, 2, 3]], 3)).toThrow('no series reaches 3 steps ahead');
  });
});
