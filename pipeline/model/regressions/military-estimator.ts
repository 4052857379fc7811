import type { MeasurementName } from '../../../src/core/measurements.js';
import type { Marginal } from '../../numerics/marginal.js';
import { smoothStep } from '../../numerics/numbers.js';
import { ADULT_AGE_YEARS } from '../../plans/axes.js';
import { DIMENSION_PLAN } from '../../plans/dimension-plan.js';
import { SPREADING_FROM } from '../../plans/growth-rules.js';
import type { Cohort } from '../cohort.js';
import type { FittedModel } from '../fitted-model.js';
import { movedToCivilians } from './civilians.js';
import { type ConditionalModel, marginalOf, withOwn, withResidual } from './conditional-model.js';
import { militaryModel } from './military-model.js';

/** Estimates a dimension from the regressions among soldiers, moved to the people of the country. */
export function estimateMilitary(
  model: FittedModel,
  cohort: Cohort,
  name: MeasurementName,
): Marginal {
  return marginalOf(militaryModelOf(model, cohort, name), cohort.covariates);
}

/**
 * The military regression of a dimension at the cohort's covariates and age. The height lost with age is
 * subtracted. The model is then moved to civilians and calibrated to the country by its national studies.
 *
 * @throws Error when the dimension has no military fit for this gender
 */
export function militaryModelOf(
  model: FittedModel,
  cohort: Cohort,
  name: MeasurementName,
): ConditionalModel {
  const { gender, country, ageYears } = cohort;
  const fit = model.military[gender].get(name);
  if (fit === undefined) throw new Error(`no military fit of ${name} for ${gender}`);
  const { trunkShare = 0, trunkLossUntilYears = ageYears } = DIMENSION_PLAN[name];
  const trunkLossMm =
    model.heightLoss(gender, Math.min(ageYears, trunkLossUntilYears)) * trunkShare;
  const soldiers = militaryModel(fit, cohort.predictors, trunkLossMm);
  const civilians = movedToCivilians(
    model.carryOver[gender],
    name,
    soldiers,
    () => cohort.anchorGaps,
  );
  const level = civilians.level + model.calibration(gender, country, name);
  // The studies measured adults, so they do not change the spread of children.
  const grown = smoothStep(ageYears, SPREADING_FROM, ADULT_AGE_YEARS);
  const own = model.ownRegression(gender, country, name);
  if (own !== undefined) return withOwn({ ...civilians, level }, own, grown);
  const ratio = model.spread(gender, country, name) ** grown;
  return withResidual({ ...civilians, level }, ratio);
}
