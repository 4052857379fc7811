import type { MeasurementName } from '../../src/core/measurements.js';
import { type AdultFit, adultGiven } from '../fit/adult-model.js';
import { type Given, lnQuantile, type Marginal, marginalOf } from '../fit/dimension.js';
import type { FittedModel } from '../fit/population.js';
import type { Drivers } from '../fit/us-drivers.js';
import { DIMENSION_PLAN } from '../model/dimension-plan.js';
import type { Study } from '../tables/studies.js';
import type { Survey } from '../tables/surveys.js';

/** A predicted distribution of a dimension in a sample, mm. */
export interface Prediction {
  readonly meanMm: number;
  readonly medianMm: number;
  readonly sdMm: number;
  readonly p5Mm: number;
  readonly p95Mm: number;
}

/** Predicts a dimension of a sample from its drivers alone; undefined where there is no model. */
export type Predictor = (study: Study, measurement: MeasurementName) => Prediction | undefined;

/** Learns a predictor from the studies it may see; the folds decide which those are. */
export type PredictorFactory = (train: readonly Study[]) => Predictor;

/** What the predictors rest on besides the studies: the fits to the US surveys. */
export interface PredictorContext {
  readonly model: FittedModel;
  readonly soldiers: Survey;
}

const Z95 = 1.6448536269514722;
/** Age of a sample that does not say: most are recruits and aircrew. */
const USUAL_AGE_YEARS = 25;

/** Mean, median, SD and tails (mm) of a distribution given on the log scale. */
export function predictionOf(marginal: Marginal): Prediction {
  const meanMm = Math.exp(marginal.mean + marginal.sd ** 2 / 2);
  return {
    meanMm,
    medianMm: Math.exp(lnQuantile(marginal, 0)),
    sdMm: meanMm * Math.sqrt(Math.exp(marginal.sd ** 2) - 1),
    p5Mm: Math.exp(lnQuantile(marginal, -Z95)),
    p95Mm: Math.exp(lnQuantile(marginal, Z95)),
  };
}

/** Drivers of the US soldiers (ANSUR II). */
function soldierDrivers(soldiers: Survey, study: Study): Drivers {
  const group = soldiers.group(study.gender, 'adult');
  if (group === undefined) throw new Error(`${soldiers.name} has no ${study.gender} adults`);
  const [stature, bmi] = [group.moment('Stature'), group.moment('Bmi')];
  const cov = group.covariance('Stature', 'Bmi')?.cov ?? 0;
  return {
    lnStature: stature.tMean,
    lnStatureSd: stature.tSd,
    lnBmi: bmi.tMean,
    lnBmiSd: bmi.tSd,
    lnBmiSkew: bmi.tSkew,
    rho: cov / (stature.tSd * bmi.tSd),
  };
}

/**
 * A sample's own drivers; spreads it did not print are the soldiers'. Undefined when it did not
 * print stature, or neither mass nor BMI.
 */
export function driversOf(study: Study, soldiers: Survey): Drivers | undefined {
  if (study.statureMm === undefined || study.bmi === undefined) return undefined;
  const usual = soldierDrivers(soldiers, study);
  const statureSd = study.statureSdMm;
  const lnStatureSd = statureSd === undefined ? usual.lnStatureSd : statureSd / study.statureMm;
  const lnBmiSd = study.lnBmiSd ?? usual.lnBmiSd;
  return {
    // The mean of a logarithm is below the logarithm of the mean by half the variance.
    lnStature: Math.log(study.statureMm) - lnStatureSd ** 2 / 2,
    lnStatureSd,
    lnBmi: Math.log(study.bmi) - lnBmiSd ** 2 / 2,
    lnBmiSd,
    lnBmiSkew: usual.lnBmiSkew,
    rho: usual.rho,
  };
}

/** Regression on the sample's own stature, BMI and age, without any calibration. */
export function plainMarginal(
  context: PredictorContext,
  study: Study,
  measurement: MeasurementName,
): Marginal | undefined {
  const fit = context.model.adults[study.gender].get(measurement);
  const drivers = driversOf(study, context.soldiers);
  if (fit === undefined || drivers === undefined) return undefined;
  const age = study.ageMean ?? USUAL_AGE_YEARS;
  const loss = context.model.heightLoss(study.gender, age);
  const youth = Math.log(Math.exp(drivers.lnStature) + loss);
  const lost = loss * (DIMENSION_PLAN[measurement].trunkShare ?? 0);
  return marginalOf(adultGiven(fit, drivers, age, youth, lost), drivers);
}

function soldierGiven(fit: AdultFit): Given {
  const { level, residualSd, residualThird } = fit;
  return {
    level,
    slopeStature: fit.slopes[0],
    slopeBmi: fit.slopes[1],
    residualSd,
    residualThird,
  };
}

/** The US soldiers' distribution as it is, whatever the sample. */
export function soldierPrediction(
  context: PredictorContext,
  study: Study,
  measurement: MeasurementName,
): Prediction | undefined {
  const fit = context.model.adults[study.gender].get(measurement);
  if (fit === undefined) return undefined;
  const drivers = soldierDrivers(context.soldiers, study);
  return predictionOf(marginalOf(soldierGiven(fit), drivers));
}

function scaled(prediction: Prediction, factor: number): Prediction {
  return {
    meanMm: prediction.meanMm * factor,
    medianMm: prediction.medianMm * factor,
    sdMm: prediction.sdMm * factor,
    p5Mm: prediction.p5Mm * factor,
    p95Mm: prediction.p95Mm * factor,
  };
}

/** Names of the predictors compared, in the order of the report. */
export const PREDICTOR_LABELS = {
  asIs: 'US soldiers as they are',
  scaled: 'US soldiers scaled by stature',
  regression: 'regression on stature, BMI and age, no calibration',
} as const;

export type PredictorName = keyof typeof PREDICTOR_LABELS;
export const PREDICTOR_NAMES = Object.keys(PREDICTOR_LABELS) as PredictorName[];

/**
 * The predictors compared. A calibrated one goes beside them: a factory that fits the calibration to
 * the studies it is given and moves `plainMarginal` by it.
 */
export function predictorFactories(
  context: PredictorContext,
): Readonly<Record<PredictorName, PredictorFactory>> {
  return {
    asIs: () => (study, name) => soldierPrediction(context, study, name),
    scaled: () => (study, name) => {
      const us = soldierPrediction(context, study, name);
      const fit = context.model.adults[study.gender].get(name);
      const drivers = driversOf(study, context.soldiers);
      if (us === undefined || fit === undefined || drivers === undefined) return undefined;
      return scaled(us, Math.exp(drivers.lnStature - fit.centre[0]));
    },
    regression: () => (study, name) => {
      const marginal = plainMarginal(context, study, name);
      return marginal === undefined ? undefined : predictionOf(marginal);
    },
  };
}
