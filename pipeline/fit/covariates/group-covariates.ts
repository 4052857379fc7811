import type { Gender } from '../../../src/core/genders.js';
import type { Covariates } from '../../model/covariates.js';
import type { Survey, SurveyGroup } from '../../raw-tables/surveys.js';
import { covarianceOf } from '../regressions/regression.js';
import { OLDEST_GROUP_YEARS } from './smoothing.js';

/** Covariates of the people of one survey group, from their moments. */
export function groupCovariates(group: SurveyGroup): Covariates {
  const stature = group.moment('Stature');
  const bmi = group.moment('Bmi');
  return {
    lnStature: stature.tMean,
    lnStatureSd: stature.tSd,
    lnStatureSkew: stature.tSkew,
    lnBmi: bmi.tMean,
    lnBmiSd: bmi.tSd,
    lnBmiSkew: bmi.tSkew,
    rho: covarianceOf(group)('Stature', 'Bmi') / (stature.tSd * bmi.tSd),
  };
}

/** A group of one gender and age in a period of NHANES. */
interface StandingGroup {
  readonly age: number;
  /** People whose stature was measured. */
  readonly n: number;
  readonly group: SurveyGroup;
}

/** Mean age of a group; of the open one, that of Americans of these ages. */
export const meanAge = (ages: string, group: SurveyGroup): number =>
  ages.endsWith('80+') ? OLDEST_GROUP_YEARS : group.moment('AgeYears').mean;

/** The groups from 2 years on with stature and BMI, by age. Those of 2011–2023 count as those of today. */
export function standingGroups(
  nhanes: Survey,
  gender: Gender,
  period = '2011-2023',
): StandingGroup[] {
  return nhanes
    .groupsOf(gender, `${period}/`)
    .flatMap(([ages, group]): StandingGroup[] => {
      const stature = group.moments.get('Stature');
      if (ages.startsWith('m') || !group.moments.has('Bmi') || stature === undefined) return [];
      return [{ age: meanAge(ages, group), n: stature.n, group }];
    })
    .sort((a, b) => a.age - b.age);
}
