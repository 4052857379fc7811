import { GENDERS, type Gender } from '../../src/core/genders.js';
import { MEASUREMENT_NAMES, type MeasurementName } from '../../src/core/measurements.js';
import { fitChild } from '../fit/child-model.js';
import { lnMedian } from '../fit/dimension.js';
import { type Cohort, type FittedModel, Population } from '../fit/population.js';
import { groupDrivers } from '../fit/us-drivers.js';
import { ADULT_AGE_YEARS } from '../model/axes.js';
import { DIMENSION_PLAN } from '../model/dimension-plan.js';
import { Survey, type SurveyGroup } from '../tables/surveys.js';
import { type SizedAge, sizedModel } from './sized-model.js';

/** A child's dimension at one age, given the size of Snyder's children: model less survey. */
export interface SnyderError {
  readonly gender: Gender;
  readonly measurement: MeasurementName;
  readonly age: number;
  /** The dimension is fitted to Snyder, so the model's error is in-sample. */
  readonly inSample: boolean;
  /** The survey measures it otherwise: the constant between the two, in ln D, is taken off. */
  readonly redefined: boolean;
  /** The whole model's error in SD of ln D, averaged over the ages beside this one. */
  readonly errorSd: number;
  /** The survey fit's error where this very year was left out of the fit; same average. */
  readonly leftOutSd: number | undefined;
  readonly twoSe: number;
  /** Within 0.10 SD, or two standard errors if more. */
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
    years.push({ age, ageYears, group, drivers: groupDrivers(group) });
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

/** Weighted mean of a figure of points, by people. */
function average(points: readonly Point[], pick: (point: Point) => number): number {
  const people = points.reduce((sum, { n }) => sum + n, 0);
  return points.reduce((sum, point) => sum + point.n * pick(point), 0) / people;
}

/** Averages over the ages beside, weighted by people; two standard errors of that average. */
function smoothed(points: readonly Point[], at: Point, constant: number) {
  const near = points.filter(({ age }) => Math.abs(age - at.age) <= 1);
  const errorSd = average(near, ({ lnError, sd }) => (lnError - constant) / sd);
  const known = near.every(({ leftOut }) => leftOut !== undefined);
  const twoSe = 2 / Math.sqrt(near.reduce((sum, { n }) => sum + n, 0));
  return {
    age: at.age,
    errorSd,
    leftOutSd: known ? average(near, ({ leftOut }) => leftOut ?? 0) : undefined,
    twoSe,
    within: Math.abs(errorSd) <= Math.max(ASKED_SD, twoSe),
  };
}

/**
 * Compares the child model with Snyder 1977 at that survey's own stature and BMI, so that only
 * proportions count: every dimension the survey has, every year of age, smoothed over ± 1 year.
 */
export function scoreSnyder(model: FittedModel, snyder: Survey): SnyderError[] {
  const yearsBy = { Male: yearsOf(snyder, 'Male'), Female: yearsOf(snyder, 'Female') };
  // Grown people stay as they are: the step from child to adult is theirs.
  const sized = sizedModel(model, yearsBy, ADULT_AGE_YEARS);
  const errors: SnyderError[] = [];
  for (const gender of GENDERS) {
    const years = yearsBy[gender];
    const population = new Population(sized, gender, 'US');
    const cohorts = new Map<number, Cohort>(
      years.map((year) => [year.age, population.at(year.ageYears)]),
    );
    const rest = new Map(years.map(({ age }) => [age, without(snyder, gender, age)]));
    for (const measurement of MEASUREMENT_NAMES) {
      if (measurement === 'Stature') continue;
      const { childhood } = DIMENSION_PLAN[measurement];
      const inSample = childhood?.kind === 'snyder';
      const redefined = inSample && childhood.offset === 'constant';
      const points = years.flatMap((year) =>
        pointOf(year, measurement, gender, cohorts.get(year.age), inSample && rest.get(year.age)),
      );
      const constant = redefined ? average(points, ({ lnError }) => lnError) : 0;
      for (const point of points) {
        const error = smoothed(points, point, constant);
        errors.push({ gender, measurement, inSample, redefined, ...error });
      }
    }
  }
  return errors;
}

/** The model's and the left-out fit's errors at one year of age; none where it has no answer. */
function pointOf(
  year: Year,
  measurement: MeasurementName,
  gender: Gender,
  cohort: Cohort | undefined,
  others: Survey | undefined | false,
): Point[] {
  const moment = year.group.moments.get(measurement);
  if (moment === undefined || cohort === undefined || moment.transform !== 'log') return [];
  if (year.ageYears < (DIMENSION_PLAN[measurement].ageMinYears ?? 0)) return [];
  const fit = others ? fitChild(others, gender, measurement) : undefined;
  return [
    {
      age: year.age,
      n: moment.n,
      sd: moment.tSd,
      lnError: lnMedian(cohort.marginal(measurement)) - Math.log(moment.p50),
      leftOut: fit && (fit.at(year.drivers, year.ageYears).level - moment.tMean) / moment.tSd,
    },
  ];
}
