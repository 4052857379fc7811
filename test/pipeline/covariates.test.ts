import { describe, expect, it } from 'vitest';
import { agesOfGroup, quantileOfGroup } from '../../pipeline/evaluate/over-year.js';
import { cleaned } from '../../pipeline/fit/covariates/bmi-grid.js';
import { statureSpreads } from '../../pipeline/fit/covariates/stature-spreads.js';
import { withoutGrowth } from '../../pipeline/fit/covariates/us-spreads.js';
import type { Study } from '../../pipeline/raw-tables/study.js';

/** A grid that rises with year and age, with a little noise. */
const grid = (seed: number): (number | undefined)[][] =>
  Array.from({ length: 5 }, (_, group) =>
    Array.from(
      { length: 9 },
      (_, year) => 3 + 0.02 * group + 0.01 * year + 0.0005 * Math.sin(seed + 7 * group + 3 * year),
    ),
  );

const all = () => Array.from({ length: 20 }, (_, i) => grid(i));

describe('the table of BMI by year', () => {
  it('keeps what is in order', () => {
    expect(cleaned(all())).toEqual(all());
  });

  it('loses an outlier and gets it back from the neighbours', () => {
    const grids = all();
    grids[3]?.[2]?.splice(4, 1, 3.5);
    grids[5]?.[0]?.splice(8, 1, 2.5);
    const clean = cleaned(grids);
    const truth = all();
    expect(clean[3]?.[2]?.[4]).toBeCloseTo(truth[3]?.[2]?.[4] as number, 2);
    expect(clean[5]?.[0]?.[8]).toBeCloseTo(truth[5]?.[0]?.[8] as number, 2);
    expect(clean[4]).toEqual(truth[4]);
  });

  it('is completed where years or whole age groups are missing', () => {
    const grids = all();
    const holed = grids[7] as (number | undefined)[][];
    holed[1] = holed[1]?.map((value, year) => (year > 4 ? undefined : value)) ?? [];
    holed[4] = holed[4]?.map(() => undefined) ?? [];
    const clean = cleaned(grids)[7] as number[][];
    expect(clean[1]?.[8]).toBeCloseTo(all()[7]?.[1]?.[8] as number, 1);
    // If nothing is known about a group, only its change by year matters.
    const change = (clean[4]?.[8] as number) - (clean[4]?.[0] as number);
    expect(change).toBeCloseTo(0.08, 2);
    const empty = grid(1).map((ofGroup) => ofGroup.map(() => undefined));
    expect(() => cleaned([...all(), empty])).toThrow('empty');
  });
});

const US_CV = 0.04;

/** A sample of a country with a ratio of its coefficient of variation to that of the US. */
const sample = (country: string, ratio: number, people = 'general', family = country): Study => ({
  ...{ id: country, family, country, people, gender: 'Female', n: 3000, year: 2010, rows: [] },
  ...{ ageMean: 30, statureMm: 1600, statureSdMm: 1600 * US_CV * ratio },
  ...{ bmi: undefined, lnBmiSd: undefined },
});
const civilians = [
  ...[sample('KR', 0.75), sample('JP', 0.75), sample('BD', 0.9), sample('NL', 0.95)],
  ...[sample('FR', 0.9), sample('BR', 1), sample('CO', 0.95), sample('ME', 0.9)],
];
const spreads = (studies: readonly Study[]) => statureSpreads([], studies, () => US_CV);

it('the spread of stature of a country is near its survey, and else near that of its region', () => {
  const of = spreads(civilians);
  expect(of.get('US')).toBe(1);
  expect(of.get('KR')).toBeGreaterThan(0.74);
  expect(of.get('KR')).toBeLessThan(0.79);
  expect(of.get('CN')).toBeGreaterThan(of.get('KR') as number);
  expect(of.get('CN')).toBeLessThan(of.get('VN') as number);
  expect(of.get('VN')).toBeLessThan(of.get('DE') as number);
});

it('armies tell no spread, and the samples of one family count once', () => {
  const alone = spreads(civilians);
  expect(spreads([...civilians, sample('CN', 0.5, 'military')])).toEqual(alone);
  const apart = spreads([...civilians, sample('CN', 0.9, 'general', 'two')]).get('TW') as number;
  const twice = [sample('CN', 0.9, 'general', 'two'), sample('CN', 0.9, 'general', 'two')];
  const once = spreads([...civilians, ...twice]).get('TW') as number;
  expect(Math.abs(once - apart)).toBeLessThan(0.001);
  expect(apart).toBeGreaterThan(alone.get('TW') as number);
});

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
