import { type PerGender, perGender } from '../../src/core/genders.js';
import { groupCovariates, standingGroups } from '../fit/covariates/group-covariates.js';
import { withoutGrowth } from '../fit/covariates/us-spreads.js';
import type { UsTrend } from '../fit/covariates/us-trend.js';
import type { ByAge, Covariates } from '../model/covariates.js';
import { type FittedModel, withCovariates } from '../model/fitted-model.js';
import { interpolate } from '../numerics/numbers.js';
import { ADULT_AGE_YEARS } from '../plans/axes.js';
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
  const usCovariates: ByAge<Covariates> = (gender, ageYears) => {
    const sized = byAge[gender];
    const years = sized.map((age) => age.ageYears);
    const keys = Object.keys(sized[0].covariates) as (keyof Covariates)[];
    const at = (key: keyof Covariates) => sized.map(({ covariates }) => covariates[key]);
    const values = keys.map((key) => [key, interpolate(years, at(key), ageYears)] as const);
    return Object.fromEntries(values) as unknown as Covariates;
  };
  return withCovariates({ ...model, usCovariates });
}

/** The model of the people of NHANES 2011–2023, before the trend moves it to the reference year. */
export function pooledModel(model: FittedModel, { change }: UsTrend): FittedModel {
  const usCovariates: ByAge<Covariates> = (gender, ageYears) => {
    const today = model.usCovariates(gender, ageYears);
    const { lnStature, lnBmi } = change(gender, ageYears);
    return { ...today, lnStature: today.lnStature - lnStature, lnBmi: today.lnBmi - lnBmi };
  };
  return withCovariates({ ...model, usCovariates });
}

/**
 * The model with the stature and BMI of the people in one period of NHANES at exact ages: growth within the year is
 * taken out of the spreads of children. It follows from the neighbouring years. The youngest are 2 years old.
 */
export function exactModelOfPeriod(
  model: FittedModel,
  nhanes: Survey,
  period: string,
): FittedModel {
  const ages = perGender((gender) => {
    const groups = standingGroups(nhanes, gender, period).map(({ age, group }): SizedAge => {
      return { ageYears: age, covariates: groupCovariates(group) };
    });
    return groups.map(({ ageYears, covariates }, i): SizedAge => {
      if (ageYears >= ADULT_AGE_YEARS) return { ageYears, covariates };
      const [younger, older] = [groups[Math.max(0, i - 1)], groups[i + 1]] as [SizedAge, SizedAge];
      const yearly = (key: 'lnStature' | 'lnBmi') =>
        (older.covariates[key] - younger.covariates[key]) / (older.ageYears - younger.ageYears);
      const growth = { lnStature: yearly('lnStature'), lnBmi: yearly('lnBmi') };
      return { ageYears, covariates: withoutGrowth(covariates, growth) };
    });
  });
  return sizedModel(model, ages);
}
