import type { MeasurementName } from '../../src/core/measurements.js';
import { ADULT_AGE_YEARS } from '../model/axes.js';
import { DIMENSION_PLAN } from '../model/dimension-plan.js';
import { type AnchorGap, anchorGaps, movedToCivilians } from './carry-over.js';
import { SPREADING_FROM } from './child-fit.js';
import type { Cohort } from './cohort.js';
import { type ConditionalModel, marginalOf, withResidual } from './conditional-model.js';
import type { FittedModel } from './fitted-model.js';
import type { Marginal } from './marginal.js';
import { militaryModel, type PredictorValues, predictorValues } from './military-fit.js';
import { smoothStep } from './numbers.js';

/** Estimates a dimension from the regressions among soldiers, moved to the people of the country. */
export function estimateMilitary(
  model: FittedModel,
  cohort: Cohort,
  name: MeasurementName,
): Marginal {
  return marginalOf(militaryModelOf(model, cohort, name), cohort.drivers);
}

/**
 * The military regression of a dimension at the cohort's drivers and age: less the height lost with
 * age, moved to civilians, and calibrated to the country by its national studies.
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
  const { values, gaps } = basisOf(model, cohort);
  const { trunkShare = 0, trunkLossUntilYears = ageYears } = DIMENSION_PLAN[name];
  const trunkLossMm =
    model.heightLoss(gender, Math.min(ageYears, trunkLossUntilYears)) * trunkShare;
  const soldiers = militaryModel(fit, values, trunkLossMm);
  const civilians = movedToCivilians(model.carryOver[gender], name, soldiers, gaps);
  const level = civilians.level + model.calibration(gender, country, name);
  // The studies are of adults, so they do not change the spread of children.
  const grown = smoothStep(ageYears, SPREADING_FROM, ADULT_AGE_YEARS);
  const ratio = model.spread(gender, country, name) ** grown;
  return withResidual({ ...civilians, level }, ratio);
}

/** What the military estimates of all dimensions of a cohort share. */
interface Basis {
  readonly model: FittedModel;
  readonly values: PredictorValues;
  readonly gaps: () => readonly AnchorGap[];
}

const bases = new WeakMap<Cohort, Basis>();

function basisOf(model: FittedModel, cohort: Cohort): Basis {
  const known = bases.get(cohort);
  if (known?.model === model) return known;
  const { gender, ageYears, drivers } = cohort;
  const values = predictorValues(drivers, ageYears, model.heightLoss(gender, ageYears));
  const adult = { ...values, ageYears: Math.max(ageYears, ADULT_AGE_YEARS) };
  let found: readonly AnchorGap[] | undefined;
  const gaps = () => {
    found ??= anchorGaps(model.carryOver[gender], drivers, adult);
    return found;
  };
  const basis = { model, values, gaps };
  bases.set(cohort, basis);
  return basis;
}
