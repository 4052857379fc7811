import type { Covariates } from '../covariates.js';
import type { MilitaryFit } from '../fitted-model.js';
import type { ConditionalModel } from './conditional-model.js';

/** Predictor values of a population: means of ln stature (mm), ln BMI (kg/m²) and age in years. */
export interface PredictorValues {
  /** ln of the stature in youth, before any height was lost with age. */
  readonly lnYouthStature: number;
  readonly lnBmi: number;
  readonly ageYears: number;
}

/**
 * An adult dimension at given predictor values. The regression takes the stature in youth, because
 * limbs keep their length; `lossMm` is the height that the dimension itself loses with age.
 */
export function militaryModel(
  fit: MilitaryFit,
  { lnYouthStature, lnBmi, ageYears }: PredictorValues,
  lossMm: number,
): ConditionalModel {
  const age = Math.min(fit.oldestYears, Math.max(fit.youngestYears, ageYears));
  const [bs, bb, ba, ba2] = fit.slopes;
  const [s, b, a, a2] = fit.centre;
  const young =
    fit.level +
    bs * (lnYouthStature - s) +
    bb * (lnBmi - b) +
    ba * (age - a) +
    ba2 * (age * age - a2);
  return {
    level: lossMm === 0 ? young : Math.log(Math.exp(young) - lossMm),
    slopeStature: bs,
    slopeBmi: bb,
    residualSd: fit.residualSd,
    residualThird: fit.residualThird,
  };
}

/** Predictor values at covariates and an age, with the height lost since youth (mm) added back. */
export function predictorValues(
  covariates: Pick<Covariates, 'lnStature' | 'lnBmi'>,
  ageYears: number,
  lostHeightMm: number,
): PredictorValues {
  return {
    lnYouthStature: Math.log(Math.exp(covariates.lnStature) + lostHeightMm),
    lnBmi: covariates.lnBmi,
    ageYears,
  };
}
