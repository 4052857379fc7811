import { COUNTRY_CODES, type CountryCode } from '../../src/core/countries.js';
import { USUAL_AGE_YEARS } from '../fit/calibration/study-regression.js';
import { countryCovariates, type FittedModel } from '../model/fitted-model.js';
import { type Population, Populations } from '../model/population.js';
import { FIRST_YEAR, LAST_YEAR, REFERENCE_YEAR, YEARS_FROM_AGE } from '../plans/axes.js';
import type { Study } from '../raw-tables/studies.js';
import { militaryPrediction, type PredictorContext, predictionOf } from './predictors.js';
import type { YearError } from './year-errors.js';

/** Year of the oldest studies that are scored. A study from before `FIRST_YEAR` counts as one of that year. */
const OLDEST_STUDY_YEAR = FIRST_YEAR - 5;

/** The year in which a study is scored; undefined for a study that is too old. */
export function yearScored({ year }: Pick<Study, 'year'>): number | undefined {
  return year < OLDEST_STUDY_YEAR ? undefined : Math.min(LAST_YEAR, Math.max(FIRST_YEAR, year));
}

/** Kind of people measured. Conscripts are nearly all young men of a country; soldiers are selected. */
function peopleOf({ people }: Study): string {
  if (people === '') return 'not stated';
  if (!/military/.test(people)) return 'civilians';
  return /conscript|recruit/.test(people) ? 'recruits and conscripts' : 'soldiers and cadets';
}

/**
 * Errors of the predicted stature, BMI and dimensions of each study's country at the study's age. There are
 * two predictions: for the study's own year, and for the reference year. One error of a dimension says
 * little, because the same studies calibrated the proportions. The difference between the two errors
 * shows whether the year matters.
 */
export function scoreStudyYears(context: PredictorContext, studies: readonly Study[]): YearError[] {
  const { model } = context;
  const populations = new Populations(model);
  const known = new Map<string, Population>();
  const populationOf = (study: Study, country: CountryCode, year: number) => {
    const key = `${study.gender}|${country}|${year}`;
    const population = known.get(key) ?? populations.of(study.gender, country, year);
    known.set(key, population);
    return population;
  };
  const errors = studies.flatMap((study) => {
    const year = yearScored(study);
    const age = study.ageMean ?? USUAL_AGE_YEARS;
    const country = COUNTRY_CODES.find((code) => code === study.country);
    if (year === undefined || age < YEARS_FROM_AGE || country === undefined) return [];
    // A BMI from the model says nothing about the model.
    if (study.lnBmiError !== undefined) return [];
    const people = peopleOf(study);
    const dimensions = study.rows.flatMap((row): YearError[] => {
      const unit = militaryPrediction(context, study, row.measurement)?.sdMm;
      if (row.match !== 'exact' || row.measurement === 'Stature' || unit === undefined) return [];
      const [ownYear, referenceYear] = [year, REFERENCE_YEAR].map((of) => {
        const cohort = populationOf(study, country, of).at(age);
        return (predictionOf(cohort.marginal(row.measurement)).meanMm - row.meanMm) / unit;
      }) as [number, number];
      return [{ people, quantity: 'dimensions, exact rows, SD', ownYear, referenceYear }];
    });
    return [...covariateErrors(model, study, age, year, people), ...dimensions];
  });
  const rank = (error: YearError) => `${error.people}|${error.quantity}`;
  return errors.toSorted((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0));
}

function covariateErrors(
  model: FittedModel,
  { gender, country, statureMm, bmi }: Study,
  age: number,
  year: number,
  people: string,
): YearError[] {
  const [own, reference] = [year, REFERENCE_YEAR].map((of) =>
    countryCovariates(model, gender, country, age, of),
  ) as [ReturnType<typeof countryCovariates>, ReturnType<typeof countryCovariates>];
  const error = (
    quantity: string,
    seen: number | undefined,
    field: 'lnStature' | 'lnBmi',
  ): YearError[] => {
    if (seen === undefined) return [];
    const of = (covariates: typeof own) => {
      const sd = covariates[`${field}Sd`];
      // The mean of a lognormal variable is above its median by half the variance.
      return (covariates[field] + sd ** 2 / 2 - Math.log(seen)) / sd;
    };
    return [{ people, quantity, ownYear: of(own), referenceYear: of(reference) }];
  };
  return [...error('stature, SD', statureMm, 'lnStature'), ...error('BMI, SD', bmi, 'lnBmi')];
}
