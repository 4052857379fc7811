import type { Covariates } from '../../model/covariates.js';
import type { SurveyGroup } from '../../raw-tables/surveys.js';

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
