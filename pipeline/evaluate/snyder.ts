import { GENDERS, type Gender, perGender } from '../../src/core/genders.js';
import { MEASUREMENT_NAMES, type MeasurementName } from '../../src/core/measurements.js';
import { fitChild } from '../fit/children/child-fit.js';
import { groupCovariates } from '../fit/covariates/group-covariates.js';
import type { Cohort } from '../model/cohort.js';
import type { ChildFit, FittedModel } from '../model/fitted-model.js';
import { Populations } from '../model/population.js';
import { IDENTITIES } from '../plans/dependencies.js';
import { DIMENSION_PLAN } from '../plans/dimension-plan.js';
import { Survey, type SurveyGroup } from '../raw-tables/surveys.js';
import { type SizedAge, sizedModel } from './sized-model.js';

/** Errors (model − survey) of a child's dimension at one age. The model is given the size of Snyder's children. */
export interface SnyderError {
  readonly gender: Gender;
  readonly measurement: MeasurementName;
  readonly age: number;
  /** Whether the dimension is fitted to Snyder, and not to NHANES. The model's error is then in-sample. */
  readonly inSample: boolean;
  /** Error of the whole model in the mean of ln D, in SD of ln D, averaged over the neighbouring ages. */
  readonly errorSd: number;
  /** Error of a survey fit that leaves out this year of age, averaged over the neighbouring ages. */
  readonly leftOutSd: number | undefined;
  /** Whether the error is within 0.10 SD, or within two standard errors of the survey's mean if these are more. */
  readonly within: boolean;
}

interface Point {
  readonly age: number;
  readonly n: number;
  readonly sd: number;
  readonly lnError: number;
  readonly leftOut: number | undefined;
}

const FIRST_AGE = 2;
const LAST_AGE = 19;
const ASKED_SD = 0.1;

interface Year extends SizedAge {
  readonly age: number;
  readonly group: SurveyGroup;
}

function yearsOf(snyder: Survey, gender: Gender): Year[] {
  const years: Year[] = [];
  for (let age = FIRST_AGE; age <= LAST_AGE; age++) {
    const group = snyder.group(gender, String(age));
    if (group === undefined) continue;
    const ageYears = group.moment('AgeYears').mean;
    years.push({ age, ageYears, group, covariates: groupCovariates(group) });
  }
  return years;
}

function without(snyder: Survey, gender: Gender, age: number): Survey {
  const rest = new Survey(snyder.name);
  for (const [key, group] of snyder.groups) {
    if (key !== `${gender}|${age}`) rest.groups.set(key, group);
  }
  return rest;
}

/** Whether the model takes the dimension from NHANES, or all parts of its identity. */
function isFromNhanes(model: FittedModel, gender: Gender, measurement: MeasurementName): boolean {
  const parts = IDENTITIES.get(measurement)?.flatMap(({ of }) => of ?? []) ?? [measurement];
  return parts.every((part) => model.nhanes[gender].has(part));
}

/** Mean of a figure over points, weighted by people. */
function average(points: readonly Point[], pick: (point: Point) => number): number {
  const people = points.reduce((sum, { n }) => sum + n, 0);
  return points.reduce((sum, point) => sum + point.n * pick(point), 0) / people;
}

/** Averages over the neighbouring ages, weighted by people. */
function smoothed(points: readonly Point[], at: Point, constant: number) {
  const near = points.filter(({ age }) => Math.abs(age - at.age) <= 1);
  const twoSe = 2 / Math.sqrt(near.reduce((sum, { n }) => sum + n, 0));
  const errorSd = average(near, ({ lnError, sd }) => (lnError - constant) / sd);
  return {
    age: at.age,
    errorSd,
    leftOutSd: near.some(({ leftOut }) => leftOut === undefined)
      ? undefined
      : average(near, ({ leftOut }) => leftOut as number),
    within: Math.abs(errorSd) <= Math.max(ASKED_SD, twoSe),
  };
}

/**
 * Compares the child model with Snyder 1977 at the stature and BMI of that survey, so that only proportions count. It
 * compares every dimension of the survey at every year of age, smoothed over ± 1 year.
 */
export function scoreSnyder(model: FittedModel, snyder: Survey): SnyderError[] {
  const yearsBy = perGender((gender) => yearsOf(snyder, gender));
  const populations = new Populations(sizedModel(model, yearsBy));
  const errors: SnyderError[] = [];
  for (const gender of GENDERS) {
    const years = yearsBy[gender];
    const population = populations.of(gender, 'US');
    const cohorts = new Map<number, Cohort>(
      years.map((year) => [year.age, population.at(year.ageYears)]),
    );
    const rest = new Map(years.map(({ age }) => [age, without(snyder, gender, age)]));
    for (const measurement of MEASUREMENT_NAMES) {
      if (measurement === 'Stature') continue;
      const { childhood } = DIMENSION_PLAN[measurement];
      const inSample = childhood?.kind === 'snyder' && !isFromNhanes(model, gender, measurement);
      // The survey defines the dimension differently.
      const redefined = inSample && childhood.offset === 'constant';
      const variable = (childhood?.kind === 'snyder' && childhood.variable) || measurement;
      const points = years.flatMap((year) =>
        pointOf(year, {
          measurement,
          variable,
          gender,
          cohort: cohorts.get(year.age),
          fit: model.children[gender].get(measurement),
          others: inSample ? rest.get(year.age) : undefined,
        }),
      );
      const constant = redefined ? average(points, ({ lnError }) => lnError) : 0;
      for (const point of points) {
        errors.push({ gender, measurement, inSample, ...smoothed(points, point, constant) });
      }
    }
  }
  return errors;
}

/** A dimension to score at one year of age. */
interface Scored {
  readonly measurement: MeasurementName;
  /** Name of the dimension in the survey. */
  readonly variable: string;
  readonly gender: Gender;
  readonly cohort: Cohort | undefined;
  /** `fit` is the model's own fit to the survey, if there is one. `others` is the survey without this year of age. */
  readonly fit: ChildFit | undefined;
  readonly others: Survey | undefined;
}

/**
 * Errors of the model and of the left-out fit at one year of age. The list is empty if the model has no answer. Most
 * dimensions were measured on a third of the children, who are slightly taller or shorter than all children. The cohort
 * has the stature, BMI and age of all children, so the fit moves it to those of the third.
 */
function pointOf(year: Year, scored: Scored): Point[] {
  const { measurement, variable, gender, cohort, fit, others } = scored;
  const moment = year.group.moments.get(variable);
  if (moment === undefined || cohort === undefined || moment.transform !== 'log') return [];
  if (year.ageYears < (DIMENSION_PLAN[measurement].ageMinYears ?? 0)) return [];
  const subsample = year.group.subsamples.get(variable);
  const covariates = {
    ...year.covariates,
    lnStature: subsample?.mean.stature ?? year.covariates.lnStature,
    lnBmi: subsample?.mean.bmi ?? year.covariates.lnBmi,
  };
  const ageYears = subsample?.mean.age ?? year.ageYears;
  const moved =
    fit === undefined
      ? 0
      : fit.at(covariates, ageYears).level - fit.at(year.covariates, year.ageYears).level;
  const leftOut =
    others && fitChild(others, gender, measurement, variable)?.at(covariates, ageYears).level;
  const marginal = cohort.marginal(measurement);
  return [
    {
      age: year.age,
      n: moment.n,
      sd: moment.tSd,
      lnError: marginal.mean + moved - moment.tMean,
      leftOut: leftOut === undefined ? undefined : (leftOut - moment.tMean) / moment.tSd,
    },
  ];
}
