import type { CohortStatures, YearShifts } from '../../model/fitted-model.js';
import { REFERENCE_YEAR } from '../../plans/axes.js';
import type { Rows } from '../../raw-tables/source-tables.js';
import { BMI_YEARS_SOURCE, fitBmiYears } from './bmi-years.js';
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
  const bmiChange = fitBmiYears(rows);
  return (gender, country, ageYears, year) => {
    const age = Math.min(ageYears, OLDEST_COHORT_AGE);
    const then = cohorts(gender, country, year - age).meanMm;
    const now = cohorts(gender, country, REFERENCE_YEAR - age).meanMm;
    const change = bmiChange(gender, country, ageYears, year);
    return {
      lnStature: Math.log(then / now),
      lnBmi: change.mean,
      bmiSpread: Math.exp(change.lnSd),
    };
  };
}
