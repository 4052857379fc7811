import { describe, expect, it } from 'vitest';
import { countryCovariates } from '../../../pipeline/model/fitted-model.js';
import { lnQuantile, throughScores, Z95, Z99 } from '../../../pipeline/numerics/marginal.js';
import { COUNTRY_CODES } from '../../../src/core/countries.js';
import { GENDERS } from '../../../src/core/genders.js';
import { fit, tables } from './fit.js';

const { model } = fit;

/** Largest fall from an earlier value to a later one, as a share of the later one. */
function largestFall(values: readonly number[]): number {
  let [highest, fall] = [0, 0];
  for (const value of values) {
    highest = Math.max(highest, value);
    fall = Math.max(fall, highest / value - 1);
  }
  return fall;
}

describe('a distribution through three quantiles', () => {
  it('limits the skewness and keeps the median', () => {
    const found = throughScores(-0.1, 0, 0.9, Z99);
    expect(found.skew).toBeCloseTo(1.2, 6);
    expect(lnQuantile(found, 0)).toBeCloseTo(0, 9);
    expect(lnQuantile(found, Z99) - lnQuantile(found, -Z95)).toBeCloseTo(1, 9);
  });
});

describe('BMI of a country', () => {
  it('falls after school only where the adults of the country are leaner than its school-leavers', async () => {
    // In lean countries, BMI falls at 5 to 8 years before it rises again.
    const ages = [8, 11, 14, 15, 16, 17, 18, 19, 20, 22.5];
    const children = new Map(
      (await tables.rows('ncdrisc-2024-bmi-children', 'bmi_gamma_by_age', 'country, gender')).map(
        (row) => [`${row.country}|${row.gender}|${row.age_years}`, Number(row.mean)],
      ),
    );
    const adults = new Map(
      (await tables.rows('ncdrisc-2024-bmi', 'bmi_gamma', 'country, gender')).map((row) => [
        `${row.country}|${row.gender}|${row.age_min}`,
        Number(row.mean),
      ]),
    );
    const falls: string[] = [];
    for (const gender of GENDERS) {
      for (const country of COUNTRY_CODES) {
        const medians = ages.map((age) => {
          const { lnBmi, lnBmiSd, lnBmiSkew } = countryCovariates(model, gender, country, age);
          return lnQuantile({ mean: lnBmi, sd: lnBmiSd, skew: lnBmiSkew }, 0);
        });
        const fall = largestFall(medians.map(Math.exp));
        expect(fall, `${country} ${gender}`).toBeLessThan(0.06);
        const key = `${country}|${gender}`;
        const grown = adults.get(`${key}|20`) ?? 0;
        const leaner = [16, 17, 18, 19].some(
          (age) => (children.get(`${key}|${age}`) ?? Number.POSITIVE_INFINITY) > grown - 0.3,
        );
        if (fall > 0.01 && !leaner) falls.push(`${country} ${gender}`);
      }
    }
    expect(falls).toEqual([]);
  });
});
