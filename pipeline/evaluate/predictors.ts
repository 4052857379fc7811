import type { MeasurementName } from '../../src/core/measurements.js';
import { fitCalibration } from '../fit/calibration.js';
import { lnQuantile, type Marginal, marginalOf, withResidual } from '../fit/dimension.js';
import type { FittedModel } from '../fit/population.js';
import {
  baseDepartures,
  departuresOf,
  driversOf,
  originOf,
  plainGiven,
  plainMarginal,
  type SampleContext,
  soldierMarginal,
} from '../fit/study-regression.js';
import type { Study } from '../tables/studies.js';

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
  readonly samples: SampleContext;
}

const Z95 = 1.6448536269514722;

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

/** The US soldiers' distribution as it is, whatever the sample. */
export function soldierPrediction(
  context: PredictorContext,
  study: Study,
  measurement: MeasurementName,
): Prediction | undefined {
  const marginal = soldierMarginal(context.samples, study, measurement);
  return marginal === undefined ? undefined : predictionOf(marginal);
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
  calibrated: 'regression calibrated by the other studies',
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
      const drivers = driversOf(study, context.samples.soldiers);
      if (us === undefined || fit === undefined || drivers === undefined) return undefined;
      return scaled(us, Math.exp(drivers.lnStature - fit.centre[0]));
    },
    regression: () => (study, name) => {
      const marginal = plainMarginal(context.samples, study, name);
      return marginal === undefined ? undefined : predictionOf(marginal);
    },
    calibrated: (train) => {
      const { samples } = context;
      const calibration = fitCalibration([
        ...baseDepartures(samples),
        ...departuresOf(samples, train),
      ]);
      return (study, name) => {
        const plain = plainGiven(samples, study, name);
        const unit = soldierMarginal(samples, study, name);
        if (plain === undefined || unit === undefined) return undefined;
        const origin = originOf(study);
        const level = plain.level + calibration.expected(origin, name).value * unit.sd;
        const spread = Math.exp(calibration.lnSpread(origin, name).value);
        return predictionOf(marginalOf(withResidual({ ...plain, level }, spread), plain.drivers));
      };
    },
  };
}
