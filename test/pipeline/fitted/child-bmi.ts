import normalCdf from '@stdlib/stats-base-dists-normal-cdf';
import { describe, expect, it } from 'vitest';
import { shapeBehind } from '../../../pipeline/fit/covariates/bmi-classes.js';
import { knownShares, sharesBelow } from '../../../pipeline/fit/covariates/bmi-shares.js';
import { fitBmiShifts } from '../../../pipeline/fit/covariates/country-bmi.js';
import { fitUsBmi } from '../../../pipeline/fit/covariates/us-bmi.js';
import { gammaCdf } from '../../../pipeline/numerics/gamma.js';
import { robustLocalLinear } from '../../../pipeline/numerics/numbers.js';
import { COUNTRY_CODES } from '../../../src/core/countries.js';
import { GENDERS } from '../../../src/core/genders.js';
import { fit } from './fit.js';

const { tables: read } = fit;
const us = fitUsBmi(read.nhanes, () => ({ lnStature: 0, lnBmi: 0 }));
const shifts = fitBmiShifts(read, { drawn: us, driven: us });
const YEARS = Array.from({ length: 15 }, (_, i) => 5 + i);

describe('the distribution function of the gamma', () => {
  it.each([
    // scipy.stats.gamma.cdf of SciPy 1.17.
    [20, 40, 0.5, 0.5210288610610552],
    [30.5, 37.6, 0.632, 0.9505351554023447],
    [12, 60, 0.3, 0.0018796285686450743],
    [1, 1, 1, 0.6321205588285577],
  ])('at %d with shape %d and scale %d', (x, shape, scale, expected) => {
    expect(gammaCdf(x, shape, scale)).toBeCloseTo(expected, 11);
    expect(gammaCdf(0, shape, scale)).toBe(0);
  });
});

describe('the distribution behind a gamma fit', () => {
  // Classes of people with a known distribution (mean, SD and skewness of ln BMI). They were fitted with SciPy.
  const [limits, adults] = [
    [16, 17.6, 22.7, 27],
    [18.5, 20, 25, 30, 35, 40],
  ];
  it.each([
    [3.05, 0.18, 1, { limits }, 46.5032834062556, 0.4675464266120705],
    [3, 0.13, 0.6, { limits }, 65.06818564023034, 0.31969135908322893],
    [3.05, 0.18, 1, { limits: adults, above: 3 }, 16.23963683450837, 1.2806810486443165],
    [3, 0.13, 0.6, { limits: adults, above: 3 }, 26.307983719317722, 0.7371890981378068],
  ])('is found: %d, %d, %d', (mean, sd, skew, classes, shape, scale) => {
    const found = shapeBehind({ shape, scale }, classes, skew);
    // The curve of SciPy's people has no tangents beyond P5 and P95. The effect is largest if the outer classes are far
    // out.
    const tolerance = 'above' in classes ? 0.0055 : 0.002;
    expect(Math.abs((found?.marginal.mean ?? 0) - mean)).toBeLessThan(tolerance);
    expect(Math.abs((found?.marginal.sd ?? 0) - sd)).toBeLessThan(tolerance);
    // The moments of the gamma distribution itself would mislead, more in the SD than in the mean.
    expect(Math.abs(1 / Math.sqrt(shape) - sd)).toBeGreaterThan(0.005);
  });

  it('counts as badly fitted where the gamma misses a class', () => {
    const found = shapeBehind(
      { shape: 46.5032834062556, scale: 0.4675464266120705 },
      { limits },
      1,
    );
    // SciPy's people give 0.1413; the tangents make the difference.
    expect(Math.abs((found?.misfit ?? 0) - 0.1413)).toBeLessThan(0.005);
  });
});

describe('numbers', () => {
  it('smooths without following an outlier', () => {
    const xs = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    const ys = xs.map((x) => (x === 4 ? 50 : 2 * x + 0.01 * (x % 2)));
    const curve = robustLocalLinear(
      xs,
      ys,
      xs.map(() => 1),
      6,
    );
    expect(curve(4)).toBeCloseTo(8, 0);
    expect(curve(1)).toBeCloseTo(2, 0);
  });
});

describe('children’s BMI', () => {
  it('is that of NHANES in the United States, and of the US everywhere at birth', () => {
    for (const gender of GENDERS) {
      for (const age of [...YEARS, 40]) expect(shifts?.(gender, 'US', age).shift).toBe(0);
      for (const country of COUNTRY_CODES) {
        expect(shifts?.(gender, country, 0).shift).toBeCloseTo(0, 12);
        expect(shifts?.(gender, country, 0).lnSpread).toBeCloseTo(0, 12);
      }
    }
  });

  it('follows the country: leaner and narrower in Japan, wider in Trinidad', () => {
    for (const gender of GENDERS) {
      for (const age of [8, 11, 15]) {
        expect(shifts?.(gender, 'JP', age).shift).toBeLessThan(-0.05);
        expect(shifts?.(gender, 'JP', age).lnSpread).toBeLessThan(Math.log(0.85));
        expect(shifts?.(gender, 'TT', age).lnSpread).toBeGreaterThan(Math.log(0.95));
      }
    }
  });

  it('turns smoothly into adults’', () => {
    for (const gender of GENDERS) {
      for (const country of COUNTRY_CODES) {
        for (let age = 15; age <= 20; age++) {
          const bend = (of: (at: number) => number) => of(age + 1) - 2 * of(age) + of(age - 1);
          const label = `${country} ${gender} ${age}`;
          const shift = bend((at) => shifts?.(gender, country, at).shift ?? Number.NaN);
          const spread = bend((at) => shifts?.(gender, country, at).lnSpread ?? Number.NaN);
          expect(Math.abs(shift), label).toBeLessThan(0.06);
          expect(Math.abs(spread), label).toBeLessThan(0.2);
        }
      }
    }
  });

  it('fades to the United States below adult age without its sources', () => {
    const without = { ...read, whoBmi: undefined, bmiByYear: undefined };
    const faded = fitBmiShifts(without, { drawn: us, driven: us });
    const at = (age: number) => faded?.('Male', 'JP', age).shift ?? Number.NaN;
    expect(at(11.25)).toBeCloseTo(at(22.5) / 2, 9);
    expect(at(0)).toBeCloseTo(0, 12);
  });

  it('has the shares of people that NCD-RisC prints', () => {
    const gaps: number[] = [];
    const sharesOf = knownShares(read);
    for (const country of COUNTRY_CODES.filter((code) => code !== 'US')) {
      for (const gender of GENDERS) {
        const { adults, byAge } = sharesOf(gender, country);
        for (const { ages, below } of [adults ?? [], byAge].flat()) {
          const [share = 0] = sharesBelow(ages, (age) => {
            const { mean, sd, skew } = us(gender, age);
            return {
              mean: mean + (shifts?.(gender, country, age).shift ?? Number.NaN),
              sd: sd * Math.exp(shifts?.(gender, country, age).lnSpread ?? Number.NaN),
              skew: skew + (shifts?.(gender, country, age).skew ?? Number.NaN),
            };
          });
          gaps.push(Math.abs(share - normalCdf(below[0]?.score ?? Number.NaN, 0, 1)));
        }
      }
    }
    expect(gaps.length).toBeGreaterThan(600);
    // Women of 85 and over in Bangladesh: their least P1 is `LEAST_P1`.
    expect(Math.max(...gaps)).toBeLessThan(0.1);
    expect(gaps.filter((gap) => gap < 0.01).length / gaps.length).toBeGreaterThan(0.93);
  });

  it('places the open band of 85 and over at 87 years', () => {
    const at = (age: number) => shifts?.('Female', 'JP', age).shift ?? Number.NaN;
    expect(at(87)).toBe(at(100));
    expect(at(84.7)).not.toBe(at(87));
  });
});
