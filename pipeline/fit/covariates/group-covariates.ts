import type { Gender } from '../../../src/core/genders.js';
import type { Covariates } from '../../model/covariates.js';
import type { Survey, SurveyGroup } from '../../raw-tables/surveys.js';
import { OLDEST_GROUP_YEARS } from './smoothing.js';

/** Covariates of the people of one survey group, from their moments. */
export function groupCovariates(group: SurveyGroup): Covariates {
  const stature = group.moment('Stature');
  const bmi = group.moment('Bmi');
  const cov = group.covariance('Stature', 'Bmi')?.cov ?? 0;
  return {
    lnStature: stature.tMean,
    lnStatureSd: stature.tSd,
    lnStatureSkew: stature.tSkew,
    lnBmi: bmi.tMean,
    lnBmiSd: bmi.tSd,
    lnBmiSkew: bmi.tSkew,
    rho: cov / (stature.tSd * bmi.tSd),
  };
}

/** Period of NHANES. Its stature and BMI count as those of today. */
const PERIOD = '2011-2023/';

/** A group of one gender and age in NHANES 2011–2023. */
interface RecentGroup {
  readonly age: number;
  /** People whose stature was measured. */
  readonly n: number;
  readonly group: SurveyGroup;
}

/** The groups from 2 years on with stature and BMI, by age. */
export function recentGroups(nhanes: Survey, gender: Gender): RecentGroup[] {
  const found: RecentGroup[] = [];
  for (const [key, group] of nhanes.groups) {
    const [groupGender, ageGroup] = key.split('|') as [string, string];
    if (groupGender !== gender || !ageGroup.startsWith(PERIOD)) continue;
    if (ageGroup.includes('/m')) continue;
    const bmi = group.moments.get('Bmi');
    const stature = group.moments.get('Stature');
    if (bmi === undefined || stature === undefined) continue;
    const age = ageGroup.endsWith('80+') ? OLDEST_GROUP_YEARS : group.moment('AgeYears').mean;
    found.push({ age, n: stature.n, group });
  }
  return found.sort((a, b) => a.age - b.age);
}
