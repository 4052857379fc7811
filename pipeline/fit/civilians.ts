import { GENDERS, type Gender } from '../../src/core/genders.js';
import type { MeasurementName } from '../../src/core/measurements.js';
import { CIVILIAN_DIMENSIONS, type CivilianDimension } from '../model/civilian-plan.js';
import type { Moment, Survey, SurveyGroup } from '../tables/surveys.js';
import { type AdultFit, adultGiven } from './adult-model.js';
import { type Given, marginalThrough } from './dimension.js';
import { localLinear, memoise } from './numbers.js';
import { covarianceOf, regress } from './regression.js';
import { type Drivers, groupDrivers, OLDEST_GROUP_YEARS, windowYears } from './us-drivers.js';

/** Slopes change slowly, and one age group tells little of them. */
const SLOPE_WINDOW_SHARE = 2;
const SPREAD_WINDOW_SHARE = 1.2;

/** A dimension in the general population given stature and BMI, over all ages measured. */
export interface CivilianFit {
  readonly plan: CivilianDimension;
  /**
   * ln D (mm) given the drivers of a population at an age; before `plan.fromYears`, as at that age.
   */
  readonly at: (drivers: Drivers, ageYears: number) => Given;
}

/** The general population's fits by gender and measurement. */
export type Civilians = Readonly<Record<Gender, ReadonlyMap<MeasurementName, CivilianFit>>>;

/** One age group with its own regression slopes. */
interface AgeGroup {
  readonly age: number;
  readonly moment: Moment;
  readonly drivers: Drivers;
  readonly slopeStature: number;
  readonly slopeBmi: number;
  /** Variance of ln D that stature and BMI leave, among the very people measured, and its share. */
  readonly explained: (slopes: Slopes) => number;
  readonly shareLeft: number;
}

interface Slopes {
  readonly stature: number;
  readonly bmi: number;
}

/** Adds ln BMI = ln mass − 2 ln length (m) to infants, of whom the survey gives mass and length. */
function addBmi(group: SurveyGroup, variable: string): void {
  const [mass, length] = [group.moment('BodyMass'), group.moment('Stature')];
  const covariance = covarianceOf(group);
  const withBmi = (x: string) => covariance(x, 'BodyMass') - 2 * covariance(x, 'Stature');
  const variance = withBmi('BodyMass') - 2 * withBmi('Stature');
  const tMean = mass.tMean - 2 * (length.tMean - Math.log(1000));
  group.moments.set('Bmi', { ...mass, tMean, tSd: Math.sqrt(variance), tSkew: 0 });
  group.addCovariance('Bmi', 'Bmi', mass.n, variance);
  for (const x of ['Stature', variable]) group.addCovariance(x, 'Bmi', mass.n, withBmi(x));
}

/**
 * Covariances among the people who have the dimension; of infants, whose BMI the survey does not
 * give, those of the whole group, nearly all of whom have it.
 */
function covarianceAmong(group: SurveyGroup, variable: string): Covariance {
  const subsample = group.subsamples.get(variable);
  if (subsample !== undefined) return subsample.covariance as Covariance;
  const names: Record<string, string> = { dimension: variable, stature: 'Stature', bmi: 'Bmi' };
  const covariance = covarianceOf(group);
  return (a, b) => covariance(names[a] as string, names[b] as string);
}

type Covariance = (a: string, b: string) => number;

function ageGroups(nhanes: Survey, gender: Gender, plan: CivilianDimension): AgeGroup[] {
  const found: AgeGroup[] = [];
  for (const [key, group] of nhanes.groups) {
    const [groupGender, ageGroup = ''] = key.split('|');
    if (groupGender !== gender || !ageGroup.startsWith(plan.period)) continue;
    if (!group.moments.has(plan.variable)) continue;
    if (!group.moments.has('Bmi')) addBmi(group, plan.variable);
    const covariance = covarianceAmong(group, plan.variable);
    const fields = ['stature', 'bmi'] as const;
    const { slopes, residualVariance } = regress(covariance, 'dimension', fields);
    found.push({
      age: ageGroup.endsWith('80+') ? OLDEST_GROUP_YEARS : group.moment('AgeYears').mean,
      moment: group.moment(plan.variable),
      drivers: groupDrivers(group),
      slopeStature: slopes[0] as number,
      slopeBmi: slopes[1] as number,
      explained: ({ stature, bmi }) =>
        stature ** 2 * covariance('stature', 'stature') +
        bmi ** 2 * covariance('bmi', 'bmi') +
        2 * stature * bmi * covariance('stature', 'bmi'),
      shareLeft: residualVariance / covariance('dimension', 'dimension'),
    });
  }
  return found.sort((a, b) => a.age - b.age);
}

/**
 * What a group's percentiles leave to level and residual, given the slopes at its age. The residual
 * makes up the spread that the percentiles show, but is at least half of what the regression leaves:
 * tails alone must not make people of one stature and BMI alike.
 */
function partsOf(group: AgeGroup, slopes: Slopes, today: Drivers) {
  const { age, moment, drivers } = group;
  const { mean, sd, skew } = marginalThrough(moment.p5, moment.p50, moment.p95);
  const bs = slopes.stature * drivers.lnStatureSd;
  const bb = slopes.bmi * drivers.lnBmiSd;
  return {
    age,
    level:
      mean +
      slopes.stature * (today.lnStature - drivers.lnStature) +
      slopes.bmi * (today.lnBmi - drivers.lnBmi),
    variance: sd * sd * Math.max(1 - group.explained(slopes) / (sd * sd), group.shareLeft / 2),
    third: skew * sd ** 3 - bb ** 3 * drivers.lnBmiSkew - bs ** 3 * drivers.lnStatureSkew,
  };
}

function fitOne(
  nhanes: Survey,
  gender: Gender,
  plan: CivilianDimension,
  us: (ageYears: number) => Drivers,
): CivilianFit {
  const groups = ageGroups(nhanes, gender, plan);
  const ages = groups.map(({ age }) => age);
  const weights = groups.map(({ moment }) => moment.n);
  const youngest = Math.max(plan.fromYears, ages[0] as number);
  const curve = (values: readonly number[], widen: number) => (age: number) =>
    localLinear(ages, values, weights, age, widen * windowYears(age));
  const slopeStature = curve(
    groups.map((group) => group.slopeStature),
    SLOPE_WINDOW_SHARE,
  );
  const slopeBmi = curve(
    groups.map((group) => group.slopeBmi),
    SLOPE_WINDOW_SHARE,
  );
  const parts = groups.map((group) => {
    const slopes = { stature: slopeStature(group.age), bmi: slopeBmi(group.age) };
    return partsOf(group, slopes, us(group.age));
  });
  const level = curve(
    parts.map((part) => part.level),
    1,
  );
  const variance = curve(
    parts.map((part) => part.variance),
    SPREAD_WINDOW_SHARE,
  );
  const third = curve(
    parts.map((part) => part.third),
    SPREAD_WINDOW_SHARE,
  );
  const leastVariance = Math.min(...parts.map((part) => part.variance));
  const at = memoise((age: number) => {
    const measured = Math.min(Math.max(age, youngest), OLDEST_GROUP_YEARS);
    return {
      // Below the youngest measured, size changes by the slopes; a loss of stature changes no girth.
      us: us(Math.max(age, youngest)),
      level: level(measured),
      slopeStature: slopeStature(measured),
      slopeBmi: slopeBmi(measured),
      residualSd: Math.sqrt(Math.max(leastVariance, variance(measured))),
      residualThird: third(measured),
    };
  });
  return {
    plan,
    at(drivers, ageYears) {
      const { us: today, ...given } = at(ageYears);
      const taller = drivers.lnStature - today.lnStature;
      const heavier = drivers.lnBmi - today.lnBmi;
      const moved = given.slopeStature * taller + given.slopeBmi * heavier;
      return { ...given, level: given.level + moved };
    },
  };
}

/**
 * Fits what NHANES measures to the general population of the US: within each age group, ln D is
 * regressed on ln stature and ln BMI (from covariances) and the shape drawn through P5, P50 and P95;
 * level, slopes and residual are smoothed over age (local linear regression). Periods before today's
 * are moved to today's stature and BMI by the slopes.
 *
 * @param us drivers of the US population today
 */
export function fitCivilians(
  nhanes: Survey,
  us: (gender: Gender, ageYears: number) => Drivers,
): Civilians {
  const of = (gender: Gender) =>
    new Map(
      CIVILIAN_DIMENSIONS.map((plan) => [
        plan.measurement,
        fitOne(nhanes, gender, plan, (age) => us(gender, age)),
      ]),
    );
  return Object.fromEntries(GENDERS.map((gender) => [gender, of(gender)])) as unknown as Civilians;
}

/**
 * Gives the dimensions that the survey takes otherwise the soldiers' level, at the soldiers' own
 * stature, BMI and age.
 */
export function levelled(
  civilians: Civilians,
  adults: Readonly<Record<Gender, ReadonlyMap<string, AdultFit>>>,
  soldiers: Survey,
): Civilians {
  const of = (gender: Gender) => {
    const group = soldiers.group(gender, 'adult');
    if (group === undefined) throw new Error(`${soldiers.name} has no ${gender} adults`);
    const [drivers, age] = [groupDrivers(group), group.moment('AgeYears').mean];
    return [...civilians[gender]].map(([name, fit]): [MeasurementName, CivilianFit] => {
      const soldier = adults[gender].get(name);
      if (fit.plan.definition === 'same' || soldier === undefined) return [name, fit];
      const theirs = adultGiven(soldier, drivers, age, drivers.lnStature, 0).level;
      const step = theirs - fit.at(drivers, age).level;
      const at: CivilianFit['at'] = (population, ageYears) => {
        const given = fit.at(population, ageYears);
        return { ...given, level: given.level + step };
      };
      return [name, { ...fit, at }];
    });
  };
  return Object.fromEntries(
    GENDERS.map((gender) => [gender, new Map(of(gender))]),
  ) as unknown as Civilians;
}
