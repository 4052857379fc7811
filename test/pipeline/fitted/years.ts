import { describe, expect, it } from 'vitest';
import { fitYearShifts } from '../../../pipeline/fit/covariates/year-covariates.js';
import { countryCovariates } from '../../../pipeline/model/fitted-model.js';
import { REFERENCE_YEAR, YEARS } from '../../../pipeline/plans/axes.js';
import { COUNTRY_CODES } from '../../../src/core/countries.js';
import { GENDERS } from '../../../src/core/genders.js';
import { fit, populationOf, populations } from './fit.js';

const { model } = fit;

const ADULT_AGES = [18, 19, 20, 25, 40, 60, 85, 120];

describe('covariates of other years', () => {
  it('are plausible in every country, year and age', () => {
    const odd: string[] = [];
    for (const gender of GENDERS) {
      for (const country of COUNTRY_CODES) {
        for (const age of ADULT_AGES) {
          for (const year of YEARS) {
            const { lnStature, lnBmi, lnBmiSd, lnBmiSkew } = countryCovariates(
              model,
              gender,
              country,
              age,
              year,
            );
            const isPlausible =
              lnStature > Math.log(1280) &&
              lnStature < Math.log(1880) &&
              lnBmi > Math.log(15.5) &&
              lnBmi < Math.log(45) &&
              lnBmiSd > 0.08 &&
              lnBmiSd < 0.45 &&
              lnBmiSkew < 2;
            if (!isPlausible) odd.push(`${country} ${gender} ${age} ${year}`);
          }
        }
      }
    }
    // An `expect` for each number would take longer than the model.
    expect(odd).toEqual([]);
  });

  it('follow the birth cohort in stature', () => {
    // Korean women born in 1937 were 85 years old in 2022. Those born in 1905 were 85 in 1990.
    const [then, now] = [1990, REFERENCE_YEAR].map(
      (year) => countryCovariates(model, 'Female', 'KR', 85, year).lnStature,
    ) as [number, number];
    const cohort = (born: number) => Math.log(model.cohortStature('Female', 'KR', born).meanMm);
    expect(then - now).toBeCloseTo(cohort(1905) - cohort(1937), 9);
    // Above 85 years, the cohort is that of 85 years, as in the reference year.
    expect(countryCovariates(model, 'Female', 'KR', 120, 1990).lnStature).toBeCloseTo(
      countryCovariates(model, 'Female', 'KR', 120).lnStature + then - now,
      9,
    );
  });

  it('follow the table in BMI', () => {
    // In the table, US men of 50–54 have mean BMIs of 27.71 (1990) and 30.43 kg/m² (2022).
    const lnBmi = (year: number) => countryCovariates(model, 'Male', 'US', 52.5, year).lnBmi;
    expect(lnBmi(REFERENCE_YEAR) - lnBmi(1990)).toBeCloseTo(0.09, 1);
    expect(lnBmi(1992)).toBeCloseTo((lnBmi(1990) + lnBmi(1994)) / 2, 3);
    const [sd1990, sd2022] = [1990, REFERENCE_YEAR].map((year) =>
      countryCovariates(model, 'Male', 'US', 52.5, year),
    );
    expect(sd1990?.lnBmiSd).toBeLessThan(0.9 * (sd2022?.lnBmiSd ?? 0));
    expect(sd1990?.lnBmiSkew).toBe(sd2022?.lnBmiSkew);
  });

  it('join the reference year without a step', () => {
    for (const country of ['JP', 'HK', 'NG'] as const) {
      const at = (year: number) => countryCovariates(model, 'Male', country, 30, year);
      for (const year of [REFERENCE_YEAR - 0.01, REFERENCE_YEAR + 0.01]) {
        expect(at(year).lnStature).toBeCloseTo(at(REFERENCE_YEAR).lnStature, 4);
        expect(at(year).lnBmi).toBeCloseTo(at(REFERENCE_YEAR).lnBmi, 4);
        expect(at(year).lnBmiSd).toBeCloseTo(at(REFERENCE_YEAR).lnBmiSd, 4);
      }
    }
  });

  it('continue growth and hold where stature fell', () => {
    const born = (country: string, year: number) => model.cohortStature('Male', country, year);
    expect(born('RW', 1992).meanMm).toBeLessThan(born('RW', 1988).meanMm);
    expect(born('RW', 2017).meanMm).toBeCloseTo(born('RW', 2001).meanMm, 0);
    expect(born('KR', 2017).meanMm).toBeGreaterThan(born('KR', 2001).meanMm);
  });

  it('are refused below 18 years and outside 1990 to 2035', () => {
    expect(() => countryCovariates(model, 'Male', 'US', 17.9, 2010)).toThrow(RangeError);
    expect(() => countryCovariates(model, 'Male', 'US', 18, 1989)).toThrow(RangeError);
    expect(() => countryCovariates(model, 'Male', 'US', 18, 2036)).toThrow(RangeError);
    expect(() => countryCovariates(model, 'Male', 'US', 18, Number.NaN)).toThrow(RangeError);
    expect(() => populations.of('Male', 'US', 2010).at(12)).toThrow(RangeError);
  });

  it('are unknown without the table of BMI by year', () => {
    const losses: string[] = [];
    const yearShifts = fitYearShifts(undefined, losses, model.cohortStature);
    expect(yearShifts).toBeUndefined();
    expect(losses).toEqual([
      'Without ncdrisc-2024-bmi-years, only the reference year 2022 is available.',
    ]);
    const without = { ...model, yearShifts };
    const today = countryCovariates(without, 'Male', 'DE', 40);
    expect(today).toEqual(countryCovariates(model, 'Male', 'DE', 40));
    expect(() => countryCovariates(without, 'Male', 'DE', 40, 2010)).toThrow('no other year');
  });
});

describe('birth cohorts', () => {
  it('continue after the last one with a damped trend, and grow less certain', () => {
    const mm = (born: number) => model.cohortStature('Female', 'KR', born).meanMm;
    expect(Math.sign(mm(2008) - mm(1996))).toBe(Math.sign(mm(1996) - mm(1992)));
    const steps = [1996, 2000, 2004].map((born) => mm(born + 4) - mm(born));
    for (const [index, step] of steps.slice(1).entries()) {
      const damping = step / (steps[index] as number);
      expect(damping).toBeGreaterThan(0.5 ** 4);
      expect(damping).toBeLessThan(1);
    }
    const error = (born: number) => model.cohortStature('Female', 'KR', born).errorMm;
    expect(error(2017)).toBeGreaterThan(error(2004));
    expect(error(2004)).toBeGreaterThan(error(1996));
    // The vintages differ by more than their stated errors, so no cohort is known better than to 7 mm.
    expect(error(1980)).toBeGreaterThan(7);
  });
});

describe('dimensions in other years', () => {
  it('equal those of the reference year when the year is named', () => {
    const named = populations.of('Male', 'NL', REFERENCE_YEAR);
    const today = populationOf('Male', 'NL');
    for (const age of [5, 18, 40]) {
      expect(named.at(age).marginal('WaistCircumferenceAbdominal')).toEqual(
        today.at(age).marginal('WaistCircumferenceAbdominal'),
      );
    }
  });
});
