import { describe, expect, it } from 'vitest';
import { regress } from '../../pipeline/fit/regressions/regression.js';
import { marginalOf } from '../../pipeline/model/regressions/conditional-model.js';
import { fitTrend, projected, projectionError } from '../../pipeline/numerics/damped-trend.js';
import { growthCurve } from '../../pipeline/numerics/isotonic.js';
import {
  blend,
  lnMedian,
  lnQuantile,
  lnQuantilesAt,
  marginalThrough,
  normalScore,
  tangentSlopes,
  throughScores,
  withMedian,
  Z95,
  Z99,
} from '../../pipeline/numerics/marginal.js';
import {
  interpolate,
  localLinear,
  median,
  smoothCurve,
  smoothStep,
} from '../../pipeline/numerics/numbers.js';
import { zOfPercentile } from '../../src/lookup/cell.js';
import { nonDecreasing } from '../../src/numerics/isotonic.js';

describe('regression from covariances', () => {
  // Five points (x1, x2, y). Their covariances and least squares are computed by hand below.
  const points = [
    [1, 2, 5.1],
    [2, 1, 4.9],
    [3, 4, 11.2],
    [4, 3, 10.8],
    [5, 5, 15],
  ] as const;
  const names = ['x1', 'x2', 'y'];
  const covariance = (a: string, b: string) => {
    const [i, j] = [names.indexOf(a), names.indexOf(b)] as [0, 0];
    const mean = (k: 0) => points.reduce((sum, point) => sum + point[k], 0) / 5;
    return points.reduce((sum, p) => sum + (p[i] - mean(i)) * (p[j] - mean(j)), 0) / 4;
  };

  it('solves the normal equations', () => {
    // Sxx = (10, 8; 8, 10), Sxy = (25.7, 26.3): slopes = (257 − 210.4, 263 − 205.6) ÷ 36.
    const { slopes, residualVariance } = regress(covariance, 'y', ['x1', 'x2']);
    expect(slopes[0]).toBeCloseTo(46.6 / 36, 10);
    expect(slopes[1]).toBeCloseTo(57.4 / 36, 10);
    // (Syy − slopes · Sxy) ÷ 4, with Syy = 75.3.
    expect(residualVariance).toBeCloseTo((75.3 - (46.6 / 36) * 25.7 - (57.4 / 36) * 26.3) / 4, 10);
  });

  it('of one predictor is cov ÷ var', () => {
    expect(regress(covariance, 'y', ['x1']).slopes[0]).toBeCloseTo(2.57, 10);
  });
});

describe('local linear regression', () => {
  const xs = [2.5, 3.4, 4.6, 5.5, 6.5, 7.6, 8.4];

  it('is exact on a line with any weights', () => {
    const ys = xs.map((x) => 3 - 0.7 * x);
    const weights = [10, 400, 3, 77, 120, 5, 60];
    for (const x of [2.5, 3, 4.6, 7, 8.4, 9]) {
      expect(localLinear(xs, ys, weights, x, 2.2)).toBeCloseTo(3 - 0.7 * x, 9);
    }
  });

  it('returns the value of a single point, and refuses no points', () => {
    expect(localLinear([5], [42], [10], 5.5, 1)).toBe(42);
    expect(() => localLinear([5], [42], [10], 7, 1)).toThrow(/no data/);
  });

  it('has interpolation, median and smooth step beside it', () => {
    expect(interpolate([1, 2, 4], [10, 20, 0], 3)).toBe(10);
    expect(interpolate([1, 2, 4], [10, 20, 0], 0)).toBe(10);
    expect(interpolate([1, 2, 4], [10, 20, 0], 9)).toBe(0);
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect([0, 12, 16, 20, 30].map((x) => smoothStep(x, 12, 20))).toEqual([0, 0, 0.5, 1, 1]);
  });
});

describe('quantiles of ln D', () => {
  /** Moments by the midpoint rule over ± 8 standard deviations of z. */
  function moments(skew: number, sd: number) {
    const step = 1e-3;
    let [m1, m2, m3] = [0, 0, 0];
    for (let z = -8 + step / 2; z < 8; z += step) {
      const weight = step * Math.exp(-0.5 * z * z) * 0.3989422804014327;
      const x = lnQuantile({ mean: 0, sd, skew }, z);
      m1 += weight * x;
      m2 += weight * x * x;
      m3 += weight * x ** 3;
    }
    return { mean: m1, sd: Math.sqrt(m2), skew: m3 / m2 ** 1.5 };
  }

  it.each([0, 0.2, -0.3, 0.6, -1.2])('keep mean and spread at skewness %d', (skew) => {
    const found = moments(skew, 0.12);
    // The tails beyond P5 and P95 are normal, so the moments are slightly smaller.
    expect(found.mean).toBeCloseTo(0, 2);
    expect(found.sd / 0.12).toBeGreaterThan(0.96);
    expect(found.sd / 0.12).toBeLessThan(1.01);
    expect(Math.abs(found.skew - skew)).toBeLessThan(0.35);
  });

  it.each([1.2, -1.2])('rise over ± 4 at the largest skewness %d', (skew) => {
    let before = Number.NEGATIVE_INFINITY;
    for (let z = -4; z <= 4; z += 0.01) {
      const value = lnQuantile({ mean: 0, sd: 1, skew }, z);
      expect(value).toBeGreaterThan(before);
      before = value;
    }
  });

  it.each([
    [800, 950, 1180],
    [500, 640, 780],
    [270, 300, 333.3333333333333],
  ])('go through three percentiles %d, %d, %d', (p5, p50, p95) => {
    const marginal = marginalThrough(p5, p50, p95);
    const found = [5, 50, 95].map((p) => Math.exp(lnQuantile(marginal, zOfPercentile(p))));
    for (const [i, value] of [p5, p50, p95].entries()) expect(found[i]).toBeCloseTo(value, 6);
  });

  it.each([0, 0.5, -0.8])('have tails of their own slope at skewness %d', (skew) => {
    const tangents = { mean: 7, sd: 0.1, skew };
    const marginal = { ...tangents, tails: { low: 1.3, high: 0.6 } };
    const slopes = tangentSlopes(tangents);
    const at = (z: number) => lnQuantile(marginal, z);
    // Between P5 and P95 nothing changes.
    for (const z of [-Z95, -0.4, 0, 1.2, Z95]) expect(at(z)).toBe(lnQuantile(tangents, z));
    expect(at(2.5) - at(Z95)).toBeCloseTo(0.6 * slopes.high * (2.5 - Z95), 12);
    expect(at(-Z95) - at(-3)).toBeCloseTo(1.3 * slopes.low * (3 - Z95), 12);
    const scores = Float64Array.of(-3, -Z95, 0, 1, 2.5);
    const many = new Float64Array(scores.length);
    lnQuantilesAt(marginal, scores, many);
    scores.forEach((z, i) => {
      expect(many[i]).toBeCloseTo(at(z), 12);
      expect(normalScore(marginal)(at(z))).toBeCloseTo(z, 9);
    });
    const through = throughScores(at(-Z95), at(0), at(Z99), Z99, marginal.tails);
    for (const z of [-3, -Z95, 0, Z95, 3]) expect(lnQuantile(through, z)).toBeCloseTo(at(z), 8);
  });

  it('can be moved to a median and blended', () => {
    const marginal = { mean: 7, sd: 0.1, skew: 0.4 };
    expect(Math.exp(lnMedian(withMedian(marginal, 850)))).toBeCloseTo(850, 9);
    expect(blend(marginal, { mean: 9, sd: 0.3, skew: 0 }, 0.5)).toEqual({
      mean: 8,
      sd: 0.2,
      skew: 0.2,
    });
  });

  it('add the variances of the covariates’ shares and the residual', () => {
    const covariates = {
      lnStature: 0,
      lnStatureSd: 0.04,
      lnStatureSkew: 0.1,
      lnBmi: 0,
      lnBmiSd: 0.2,
      lnBmiSkew: 0.5,
      rho: -0.1,
    };
    const model = {
      level: 6,
      slopeStature: 0.5,
      slopeBmi: 0.6,
      residualSd: 0.05,
      residualThird: 2e-5,
    };
    const marginal = marginalOf(model, covariates);
    // 0.02² + 0.12² + 2 (−0.1) (0.02) (0.12) + 0.05²
    expect(marginal.sd).toBeCloseTo(Math.sqrt(0.0004 + 0.0144 - 0.00048 + 0.0025), 12);
    const third = 0.1 * 0.02 ** 3 + 0.5 * 0.12 ** 3 + 2e-5;
    expect(marginal.skew).toBeCloseTo(third / marginal.sd ** 3, 12);
  });
});

it('draws a curve through points whose rate does not jump', () => {
  const [xs, ys] = [
    [0, 1, 3, 4],
    [0, 2, 2, 5],
  ];
  const at = (x: number) => smoothCurve(xs, ys, x);
  for (const [i, x] of xs.entries()) expect(at(x)).toBeCloseTo(ys[i] as number, 12);
  for (const x of xs) expect((at(x + 1e-6) - 2 * at(x) + at(x - 1e-6)) / 1e-6).toBeCloseTo(0, 4);
  expect(at(-1)).toBe(0);
  expect(at(9)).toBe(5);
  // At 1, the parabola through (0, 0), (1, 2) and (3, 2) has the slope ⅔ × 2 + ⅓ × 0.
  expect((at(1.0001) - at(0.9999)) / 0.0002).toBeCloseTo(4 / 3, 3);
});

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

describe('growth', () => {
  it('pools falling values by weight and does not change the others', () => {
    expect(nonDecreasing([1, 4, 2, 5], [1, 1, 3, 1])).toEqual([1, 2.5, 2.5, 5]);
    expect(nonDecreasing([3, 2, 1], [1, 1, 1])).toEqual([2, 2, 2]);
  });

  it('ends at the grown value', () => {
    const curve = growthCurve([8, 12, 11, 10], [{ sign: 1 }]);
    expect(curve[0]).toBe(8);
    for (const value of curve.slice(1)) expect(value).toBeCloseTo(10, 6);
  });

  it('lets neither a part nor whole minus part shrink', () => {
    const whole = [10, 11, 12, 12.2, 13];
    const part = growthCurve([4, 6, 5, 5.5, 6], [{ sign: 1 }, { sign: -1, offset: whole }]);
    for (let i = 1; i < whole.length; i++) {
      const grown = (part[i] as number) - (part[i - 1] as number);
      const wholeGrown = (whole[i] as number) - (whole[i - 1] as number);
      expect(grown).toBeGreaterThanOrEqual(-1e-6);
      expect(grown).toBeLessThanOrEqual(wholeGrown + 1e-6);
    }
    expect(part.at(-1)).toBeCloseTo(6, 6);
  });
});
