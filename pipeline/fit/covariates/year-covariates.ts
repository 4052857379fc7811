import type { Gender } from '../../../src/core/genders.js';
import type { CohortStatures, YearShifts } from '../../model/fitted-model.js';
import { projectionError } from '../../numerics/damped-trend.js';
import { REFERENCE_YEAR } from '../../plans/axes.js';
import type { Rows } from '../../raw-tables/source-tables.js';
import { BMI_STEP_YEARS, BMI_YEARS_SOURCE, fitBmiYears } from './bmi-years.js';
import { COHORT_STEP_YEARS, LAST_COHORT } from './cohort-stature.js';
import { OLDEST_COHORT_AGE } from './country-covariates.js';

/**
 * Fits the change of stature and BMI by year. Stature changes by the ratio of the birth cohort (year − age)
 * to the cohort that has this age in the reference year. BMI changes as the table says for that age.
 *
 * @param rows the table of BMI by year; undefined where it was left out
 * @param losses receives a sentence if the source is left out
 * @returns undefined without the table of BMI by year; then only the reference year is known
 */
export function fitYearShifts(
  rows: Rows | undefined,
  losses: string[],
  cohorts: CohortStatures,
): YearShifts | undefined {
  if (rows === undefined) {
    losses.push(
      `Without ${BMI_YEARS_SOURCE}, only the reference year ${REFERENCE_YEAR} is available.`,
    );
    return undefined;
  }
  const bmi = fitBmiYears(rows);
  const cohortOf = (gender: Gender, country: string, ageYears: number, year: number) =>
    cohorts.at(gender, country, year - Math.min(ageYears, OLDEST_COHORT_AGE));
  return {
    at: (gender, country, ageYears, year) => {
      const then = cohortOf(gender, country, ageYears, year).meanMm;
      const now = cohortOf(gender, country, ageYears, REFERENCE_YEAR).meanMm;
      const change = bmi.change(gender, country, ageYears, year);
      return {
        lnStature: Math.log(then / now),
        lnBmi: change.mean,
        bmiSpread: Math.exp(change.lnSd),
      };
    },
    projectionErrors: (gender, country, ageYears, year) => {
      const { trend } = cohorts;
      const cohortSteps = (year - ageYears - LAST_COHORT) / COHORT_STEP_YEARS;
      const errorMm = trend === undefined ? 0 : projectionError(trend, cohortSteps);
      const steps = (year - REFERENCE_YEAR) / BMI_STEP_YEARS;
      return {
        lnStature: errorMm / cohortOf(gender, country, ageYears, year).meanMm,
        lnBmi: projectionError(bmi.trends.mean, steps),
        lnBmiSpread: projectionError(bmi.trends.lnSd, steps),
      };
    },
  };
}
