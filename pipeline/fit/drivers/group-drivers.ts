import type { Drivers } from '../../model/drivers.js';
import type { SurveyGroup } from '../../raw-tables/surveys.js';

/** Drivers of the people of one survey group, from their moments. */
export function groupDrivers(group: SurveyGroup): Drivers {
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
