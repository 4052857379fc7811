import type { SurveyGroup } from '../tables/surveys.js';

/** Distribution of ln stature (mm) and ln BMI (kg/m²) in one population at one age. */
export interface Drivers {
  readonly lnStature: number;
  readonly lnStatureSd: number;
  readonly lnStatureSkew: number;
  readonly lnBmi: number;
  readonly lnBmiSd: number;
  readonly lnBmiSkew: number;
  /** Correlation of ln stature and ln BMI. */
  readonly rho: number;
}

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
