import { type Gender, type PerGender, perGender } from '../../src/core/genders.js';
import { groupDrivers } from '../fit/drivers/group-drivers.js';
import { OLDEST_GROUP_YEARS } from '../fit/drivers/smoothing.js';
import type { UsTrend } from '../fit/drivers/us-trend.js';
import type { Drivers } from '../model/drivers.js';
import { type FittedModel, withDrivers } from '../model/fitted-model.js';
import { interpolate } from '../numerics/numbers.js';
import type { Survey } from '../raw-tables/surveys.js';

/** People of one age in a survey, with their own stature and BMI. */
export interface SizedAge {
  readonly ageYears: number;
  readonly drivers: Drivers;
}

/**
 * The model with the stature and BMI of a survey's people instead of today's Americans, so that only
 * proportions count. The drivers are linear between the survey's ages and constant beyond them.
 */
export function sizedModel(model: FittedModel, ages: PerGender<readonly SizedAge[]>): FittedModel {
  const byAge = perGender((gender) => ages[gender].toSorted((a, b) => a.ageYears - b.ageYears));
  const usDrivers = (gender: Gender, ageYears: number): Drivers => {
    const sized = byAge[gender];
    const years = sized.map((age) => age.ageYears);
    const at = (pick: (drivers: Drivers) => number) =>
      interpolate(
        years,
        sized.map(({ drivers }) => pick(drivers)),
        ageYears,
      );
    return {
      lnStature: at((drivers) => drivers.lnStature),
      lnStatureSd: at((drivers) => drivers.lnStatureSd),
      lnStatureSkew: at((drivers) => drivers.lnStatureSkew),
      lnBmi: at((drivers) => drivers.lnBmi),
      lnBmiSd: at((drivers) => drivers.lnBmiSd),
      lnBmiSkew: at((drivers) => drivers.lnBmiSkew),
      rho: at((drivers) => drivers.rho),
    };
  };
  return withDrivers({ ...model, usDrivers });
}

/** The model of the people of NHANES 2011–2023, before the trend to the reference year. */
export function pooledModel(model: FittedModel, { change }: UsTrend): FittedModel {
  const usDrivers = (gender: Gender, ageYears: number): Drivers => {
    const today = model.usDrivers(gender, ageYears);
    const { lnStature, lnBmi } = change(gender, ageYears);
    return { ...today, lnStature: today.lnStature - lnStature, lnBmi: today.lnBmi - lnBmi };
  };
  return withDrivers({ ...model, usDrivers });
}

/** The model with the stature and BMI, at every age, of the people in one period of NHANES. */
export function modelOfPeriod(model: FittedModel, nhanes: Survey, period: string): FittedModel {
  const agesOf = (gender: Gender): SizedAge[] =>
    [...nhanes.groups].flatMap(([key, group]) => {
      const ofPeriod = key.startsWith(`${gender}|${period}/`) && !key.includes('/m');
      if (!ofPeriod || !group.moments.has('Bmi')) return [];
      const oldest = key.endsWith('80+');
      const ageYears = oldest ? OLDEST_GROUP_YEARS : group.moment('AgeYears').mean;
      return [{ ageYears, drivers: groupDrivers(group) }];
    });
  return sizedModel(model, perGender(agesOf));
}
