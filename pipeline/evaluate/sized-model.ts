import { type Gender, type PerGender, perGender } from '../../src/core/genders.js';
import { groupCovariates } from '../fit/covariates/group-covariates.js';
import { OLDEST_GROUP_YEARS } from '../fit/covariates/smoothing.js';
import type { UsTrend } from '../fit/covariates/us-trend.js';
import type { Covariates } from '../model/covariates.js';
import { type FittedModel, withCovariates } from '../model/fitted-model.js';
import { interpolate } from '../numerics/numbers.js';
import type { Survey } from '../raw-tables/surveys.js';

/** People of one age in a survey, with the stature and BMI that they have. */
export interface SizedAge {
  readonly ageYears: number;
  readonly covariates: Covariates;
}

/**
 * The model with the stature and BMI of a survey's people in place of today's Americans. A comparison with the survey
 * then shows only proportions. The covariates are linear between the survey's ages, and constant beyond them.
 */
export function sizedModel(model: FittedModel, ages: PerGender<readonly SizedAge[]>): FittedModel {
  const byAge = perGender((gender) => ages[gender].toSorted((a, b) => a.ageYears - b.ageYears));
  const usCovariates = (gender: Gender, ageYears: number): Covariates => {
    const sized = byAge[gender];
    const years = sized.map((age) => age.ageYears);
    const at = (pick: (covariates: Covariates) => number) =>
      interpolate(
        years,
        sized.map(({ covariates }) => pick(covariates)),
        ageYears,
      );
    return {
      lnStature: at((covariates) => covariates.lnStature),
      lnStatureSd: at((covariates) => covariates.lnStatureSd),
      lnStatureSkew: at((covariates) => covariates.lnStatureSkew),
      lnBmi: at((covariates) => covariates.lnBmi),
      lnBmiSd: at((covariates) => covariates.lnBmiSd),
      lnBmiSkew: at((covariates) => covariates.lnBmiSkew),
      rho: at((covariates) => covariates.rho),
    };
  };
  return withCovariates({ ...model, usCovariates });
}

/** The model of the people of NHANES 2011–2023, before the trend moves it to the reference year. */
export function pooledModel(model: FittedModel, { change }: UsTrend): FittedModel {
  const usCovariates = (gender: Gender, ageYears: number): Covariates => {
    const today = model.usCovariates(gender, ageYears);
    const { lnStature, lnBmi } = change(gender, ageYears);
    return { ...today, lnStature: today.lnStature - lnStature, lnBmi: today.lnBmi - lnBmi };
  };
  return withCovariates({ ...model, usCovariates });
}

/** The model with the stature and BMI of the people in one period of NHANES, at every age. */
export function modelOfPeriod(model: FittedModel, nhanes: Survey, period: string): FittedModel {
  const agesOf = (gender: Gender): SizedAge[] =>
    [...nhanes.groups].flatMap(([key, group]) => {
      const ofPeriod = key.startsWith(`${gender}|${period}/`) && !key.includes('/m');
      if (!ofPeriod || !group.moments.has('Bmi')) return [];
      const oldest = key.endsWith('80+');
      const ageYears = oldest ? OLDEST_GROUP_YEARS : group.moment('AgeYears').mean;
      return [{ ageYears, covariates: groupCovariates(group) }];
    });
  return sizedModel(model, perGender(agesOf));
}
