import type { Gender } from '../../../src/core/genders.js';
import { type ByAge, type ByCountry, type Covariates, meanBmi } from '../../model/covariates.js';
import {
  type CohortStatures,
  countryCovariates,
  type FittedModel,
} from '../../model/fitted-model.js';
import { Z95 } from '../../numerics/marginal.js';
import { interpolate, mean } from '../../numerics/numbers.js';
import { FIRST_YEAR, LAST_YEAR, REFERENCE_YEAR, YEARS_FROM_AGE } from '../../plans/axes.js';
import type { SourceTables } from '../../raw-tables/source-tables.js';
import type { Study } from '../../raw-tables/study.js';
import type { Survey } from '../../raw-tables/surveys.js';
import { USUAL_AGE_YEARS } from '../calibration/study-regression.js';
import { OLDEST_COHORT_AGE } from './country-covariates.js';
import type { UsTrend } from './us-trend.js';

/** Standard errors of the means of the covariates of a country's people, in ln units. */
export interface CovariateErrors {
  readonly lnStature: ByCountry;
  readonly lnBmi: ByCountry;
}

/** The parts of a model that give the BMI of a country. */
type BmiModel = Pick<FittedModel, 'covariatesToday' | 'yearShifts'>;

/** Mean BMI of the country's people of the age and year of a sample; undefined where the model has none. */
function usualBmi(model: BmiModel, { country, gender, year, ageMean }: Study): number | undefined {
  if (year < FIRST_YEAR || year > LAST_YEAR) return undefined;
  const age = Math.max(ageMean ?? USUAL_AGE_YEARS, YEARS_FROM_AGE);
  const known = model.yearShifts === undefined ? REFERENCE_YEAR : year;
  return meanBmi(countryCovariates(model, gender, country, age, known));
}

/** ln of the BMI that samples outside the US printed over the usual one of their people. */
function bmiDepartures(model: BmiModel, studies: readonly Study[]) {
  return studies.flatMap((study) => {
    const { country, gender, family, n, bmi } = study;
    const usual = usualBmi(model, study);
    if (bmi === undefined || usual === undefined || study.lnBmiError !== undefined) return [];
    if (n < PEOPLE_MIN || country === 'US') return [];
    return [{ country, gender, family, study, value: Math.log(bmi / usual) }];
  });
}

/**
 * Gives samples of the general population that print no BMI the usual one of their people. Its error is the root mean
 * square departure of the samples that print one. Soldiers and aircrew are chosen by their bodies.
 */
export function withUsualBmi(model: BmiModel, studies: readonly Study[]): Study[] {
  const squares = bmiDepartures(model, studies).map(({ value }) => value ** 2);
  if (squares.length === 0) return [...studies];
  const lnBmiError = Math.sqrt(mean(squares));
  return studies.map((study) => {
    const lacks = study.bmi === undefined && study.people === 'general';
    const bmi = lacks ? usualBmi(model, study) : undefined;
    return bmi === undefined ? study : { ...study, bmi, lnBmiError };
  });
}

/** Samples of fewer people say little about a country. */
export const PEOPLE_MIN = 100;

/**
 * Least error of a country's mean ln BMI: the root mean square difference of two runs of the gamma fits in 2022 at 20
 * years and over (`ncdrisc-2024-bmi`, `ncdrisc-2024-bmi-years`: men 0.018, women 0.023).
 */
const LN_BMI_ERROR_MIN = 0.02;

/**
 * Error of a country's mean ln BMI by its table. Samples depart from the table by its error and by the choice of their
 * people. Two survey families of one country and gender share only the first, so the mean product of their departures
 * is its variance (one-way random effects; Searle, Casella and McCulloch 1992, Variance Components, chapter 3).
 */
export function fitLnBmiError(model: BmiModel, studies: readonly Study[]): number {
  const departures = bmiDepartures(model, studies);
  const products = departures.flatMap((one, i) =>
    departures
      .slice(i + 1)
      .filter(({ country, gender }) => country === one.country && gender === one.gender)
      .filter(({ family }) => family !== one.family)
      .map(({ value }) => value * one.value),
  );
  if (products.length === 0) return LN_BMI_ERROR_MIN;
  return Math.max(LN_BMI_ERROR_MIN, Math.sqrt(Math.max(0, mean(products))));
}

/**
 * Error of a country's mean ln BMI if there is no table of BMI and every country has the BMI of the US. It
 * is the root mean square difference of the countries of `ncdrisc-2024-bmi` from the US (men 0.158, women
 * 0.145).
 */
export const LN_BMI_ERROR_WITHOUT_TABLE = 0.15;

/** Age below which no table has the BMI of a country. */
const YOUNGEST_BMI_YEARS = 5;

/**
 * Design effect of means in NHANES: its analytic guidelines (Vital and Health Statistics 2:161, 2013)
 * find most design effects of body measures between 1 and 2.
 */
export const DESIGN_EFFECT = 2;

/** Age below which the stature of a country comes from the table of children. */
const ADULT_YEARS = 19;
/** Until this age, the surveys of small children tell the error of a country's stature. */
const SURVEYED_YEARS = 10;
/** Error of mean ln stature of children where these surveys are left out: that of 10 years with them. */
const CHILD_LN_ERROR = 0.014;

/** Standard errors of the levels of small children; undefined where their tables were left out. */
interface SmallErrors {
  readonly lnStature?: ((country: string, ageYears: number) => number) | undefined;
  /** Given the standard error of the table of BMI, at any age. */
  readonly lnBmi?: ((country: string, ageYears: number, tableSe: number) => number) | undefined;
}

/** People measured in the age group of NHANES nearest to an age. */
function peopleNear(nhanes: Survey, gender: Gender, ageYears: number): number {
  let [people, distance] = [1, Number.POSITIVE_INFINITY];
  for (const [, group] of nhanes.groupsOf(gender, '2011-2023/')) {
    if (!group.moments.has('Stature')) continue;
    const away = Math.abs(group.moment('AgeYears').mean - ageYears);
    if (away >= distance) continue;
    [people, distance] = [group.moment('Stature').n, away];
  }
  return people;
}

/**
 * Errors of the covariates. For the US, they come from sampling and from the trend in NHANES. For other
 * countries, they come from the errors of stature by birth cohort and from `fitLnBmiError`.
 *
 * @param us covariates of the US population
 * @param bmiError error of mean ln BMI where a table has the BMI of countries
 */
export function covariateErrors(
  { nhanes, bmi }: Pick<SourceTables, 'nhanes' | 'bmi'>,
  us: ByAge<Covariates>,
  cohortStature: CohortStatures,
  { tests }: Pick<UsTrend, 'tests'>,
  bmiError: number,
  small: SmallErrors = {},
): CovariateErrors {
  const childLnSe = small.lnStature ?? (() => CHILD_LN_ERROR);
  const lnBmiError = bmi === undefined ? LN_BMI_ERROR_WITHOUT_TABLE : bmiError;
  const sampling = (gender: Gender, age: number, sd: number): number =>
    sd * Math.sqrt(DESIGN_EFFECT / peopleNear(nhanes, gender, age));
  /** Relative error of the level of a country's cohort. From 10 to 19 years, that of children changes into it. */
  const level: ByCountry = (gender, country, age) => {
    const years = Math.min(OLDEST_COHORT_AGE, Math.max(ADULT_YEARS, age));
    const { meanMm, errorMm } = cohortStature(gender, country, REFERENCE_YEAR - years);
    const child = childLnSe(country, Math.min(age, SURVEYED_YEARS));
    return interpolate([SURVEYED_YEARS, ADULT_YEARS], [child, errorMm / meanMm], age);
  };
  return {
    lnStature: (gender, country, age) => {
      if (country === 'US') {
        const sampled = sampling(gender, age, us(gender, age).lnStatureSd);
        return Math.hypot(sampled, tests.lnStature.error);
      }
      return level(gender, country, age);
    },
    lnBmi: (gender, country, age) => {
      const own = sampling(gender, age, us(gender, age).lnBmiSd);
      if (country === 'US') return Math.hypot(own, tests.lnBmi.error);
      if (small.lnBmi !== undefined) return Math.hypot(own, small.lnBmi(country, age, lnBmiError));
      // Below 5 years, a country's difference from the US is an assumption.
      const assumed = Math.max(0, 1 - age / YOUNGEST_BMI_YEARS) * LN_BMI_ERROR_WITHOUT_TABLE;
      return Math.hypot(own, lnBmiError, assumed);
    },
  };
}

/** Errors of samples for themselves, by age: of stature in SD of stature, of BMI in SD of ln BMI. */
interface OwnErrors {
  readonly stature: number;
  readonly bmi: number;
}

/**
 * Adds what national samples differ by from the country's people: who was measured, and how. It is fitted so that nine
 * tenths of the samples of adults since `FIRST_YEAR` lie within 1.645 standard errors of the stature and the BMI that
 * are served for their country, gender, age and year, which no national study changes. Surveys of small children tell
 * their own (`ofChildren`); between 5 years and adults, the errors are linear. The samples of the United States are its
 * own.
 */
export function withSamples(
  errors: CovariateErrors,
  model: BmiModel,
  studies: readonly Study[],
  ofChildren: OwnErrors,
): CovariateErrors {
  const ownOf = (name: 'lnStature' | 'lnBmi', found: readonly { study: Study; error: number }[]) =>
    nineTenths(
      found.map(({ study: { gender, country, n, ageMean = USUAL_AGE_YEARS }, error }) => {
        const sd = model.covariatesToday(gender, country, ageMean)[`${name}Sd`];
        const known = (errors[name](gender, country, ageMean) / sd) ** 2 + 1 / n;
        return Math.sqrt(Math.max(0, (error / sd / Z95) ** 2 - known));
      }),
    );
  const statures = studies.flatMap((study) => {
    const { country, gender, n, statureMm, year, ageMean = USUAL_AGE_YEARS } = study;
    if (statureMm === undefined || n < PEOPLE_MIN || country === 'US') return [];
    if (year < FIRST_YEAR || year > LAST_YEAR || ageMean < YEARS_FROM_AGE) return [];
    const known = model.yearShifts === undefined ? REFERENCE_YEAR : year;
    const served = countryCovariates(model, gender, country, ageMean, known);
    const error = served.lnStature + served.lnStatureSd ** 2 / 2 - Math.log(statureMm);
    return [{ study, error }];
  });
  const ofBmi = bmiDepartures(model, studies).map(({ study, value }) => ({ study, error: value }));
  const ofAdults = { stature: ownOf('lnStature', statures), bmi: ownOf('lnBmi', ofBmi) };
  const wider = (name: 'lnStature' | 'lnBmi', own: keyof OwnErrors): CovariateErrors['lnBmi'] => {
    return (gender, country, age) => {
      if (country === 'US') return errors[name](gender, country, age);
      const inSd = interpolate(
        [YOUNGEST_BMI_YEARS, ADULT_YEARS],
        [ofChildren[own], ofAdults[own]],
        age,
      );
      const sd = model.covariatesToday(gender, country, age)[`${name}Sd`];
      return Math.hypot(errors[name](gender, country, age), inSd * sd);
    };
  };
  return { lnStature: wider('lnStature', 'stature'), lnBmi: wider('lnBmi', 'bmi') };
}

/** The 90th percentile of the values (nearest rank); 0 without values. */
function nineTenths(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(0.9 * values.length) - 1] ?? 0;
}
