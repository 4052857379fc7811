import { GENDERS, type Gender } from '../../src/core/genders.js';
import type { MeasurementName } from '../../src/core/measurements.js';
import { covarianceOf, explainedVariance, PREDICTORS } from '../fit/regressions/regression.js';
import type { FittedModel, MilitaryFit } from '../model/fitted-model.js';
import { lnMedian } from '../numerics/marginal.js';
import { DIMENSION_PLAN } from '../plans/dimension-plan.js';
import type { Survey, SurveyGroup } from '../raw-tables/surveys.js';

/** Errors on ANSUR I of the fits to ANSUR II, for one dimension and gender. */
export interface AnsurError {
  readonly gender: Gender;
  readonly measurement: MeasurementName;
  /** Predicted less observed mean and median, in ANSUR I's SD. */
  readonly mean: number;
  readonly p50: number;
  /** Predicted SD over observed SD. */
  readonly sdRatio: number;
}

/** Distribution of ln D that a fit predicts for the people of a survey group. */
function predicted(fit: MilitaryFit, group: SurveyGroup) {
  const level = PREDICTORS.reduce((sum, predictor, i) => {
    const departure = group.moment(predictor).tMean - fit.centre[i];
    return sum + fit.slopes[i] * departure;
  }, fit.level);
  const explained = explainedVariance(covarianceOf(group), PREDICTORS, fit.slopes);
  const sd = Math.sqrt(fit.residualSd ** 2 + explained);
  const bmi = group.moment('Bmi');
  const third = (fit.slopes[1] * bmi.tSd) ** 3 * bmi.tSkew + fit.residualThird;
  return { mean: level, sd, skew: third / sd ** 3 };
}

/**
 * Predicts ANSUR I (1988) from fits to ANSUR II (2012) alone. The fits are given the stature, BMI and ages of ANSUR I.
 * The dimensions are those that the plan fits to ANSUR II and that both surveys took with the same landmarks.
 *
 * @param names dimensions that the two surveys define in the same way
 */
export function scoreAnsur1(
  model: FittedModel,
  ansur1: Survey,
  names: readonly MeasurementName[],
): AnsurError[] {
  return names.filter(fromAnsur2).flatMap((measurement) =>
    GENDERS.flatMap((gender) => {
      const fit = model.military[gender].get(measurement);
      const group = ansur1.adults(gender);
      const observed = group.moments.get(measurement);
      if (measurement === 'Stature' || fit === undefined || observed === undefined) return [];
      const marginal = predicted(fit, group);
      const meanMm = Math.exp(marginal.mean + marginal.sd ** 2 / 2);
      return {
        ...{ gender, measurement, mean: (meanMm - observed.mean) / observed.sd },
        p50: (Math.exp(lnMedian(marginal)) - observed.p50) / observed.sd,
        sdRatio: (meanMm * Math.sqrt(Math.exp(marginal.sd ** 2) - 1)) / observed.sd,
      };
    }),
  );
}

/** Whether the model takes a dimension from ANSUR II alone, so that ANSUR I has no influence. */
export function fromAnsur2(name: MeasurementName): boolean {
  const { basis } = DIMENSION_PLAN[name];
  return basis.kind === 'survey' && basis.survey === 'ansur2';
}
