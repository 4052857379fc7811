import { describe, expect, it } from 'vitest';
import { agesOfGroup, quantileOfGroup } from '../../pipeline/evaluate/over-year.js';
import { withoutGrowth } from '../../pipeline/fit/covariates/us-spreads.js';

describe('growth within a year of age', () => {
  const exact = { lnStatureSd: 0.037, lnStatureSkew: 0.2, lnBmiSd: 0.09, lnBmiSkew: 0.8, rho: 0.1 };
  const growth = { lnStature: 0.12, lnBmi: -0.04 };

  it('is taken out of variances, covariance and skewness', () => {
    // People of 1,000 ages, each with the covariances of `exact`, by the law of total covariance.
    const ages = Array.from({ length: 1000 }, (_, i) => (i + 0.5) / 1000 - 0.5);
    const overAges = (of: (age: number) => number) =>
      ages.reduce((sum, age) => sum + of(age), 0) / ages.length;
    const square = overAges((age) => age * age);
    const lnStatureSd = Math.sqrt(0.037 ** 2 + 0.12 ** 2 * square);
    const lnBmiSd = Math.sqrt(0.09 ** 2 + 0.04 ** 2 * square);
    const group = {
      lnStatureSd,
      lnStatureSkew: (0.2 * 0.037 ** 3) / lnStatureSd ** 3,
      lnBmiSd,
      lnBmiSkew: (0.8 * 0.09 ** 3) / lnBmiSd ** 3,
      rho: (0.1 * 0.037 * 0.09 - 0.12 * 0.04 * square) / (lnStatureSd * lnBmiSd),
    };
    const found = withoutGrowth(group, growth);
    expect(found.lnStatureSd).toBeCloseTo(exact.lnStatureSd, 6);
    expect(found.lnStatureSkew).toBeCloseTo(exact.lnStatureSkew, 4);
    expect(found.lnBmiSd).toBeCloseTo(exact.lnBmiSd, 6);
    expect(found.lnBmiSkew).toBeCloseTo(exact.lnBmiSkew, 4);
    expect(found.rho).toBeCloseTo(exact.rho, 4);
  });

  it('is in the quantiles of a group of one year', () => {
    const grown = (age: number) => (z: number) => Math.exp(6.6 + 0.1 * (age - 2.5) + 0.03 * z);
    const quantile = quantileOfGroup(agesOfGroup(2.49), grown);
    const sd = Math.sqrt(0.03 ** 2 + 0.1 ** 2 / 12);
    const halfWidth = (Math.log(quantile(1)) - Math.log(quantile(-1))) / 2;
    expect(Math.abs(halfWidth / sd - 1)).toBeLessThan(0.04);
    expect(Math.log(quantile(0))).toBeCloseTo(6.6, 3);
    const adults = quantileOfGroup(agesOfGroup(42.5), (age) => (z) => age + z);
    expect(adults(1)).toBe(43.5);
  });
});
