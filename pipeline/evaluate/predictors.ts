import type { MeasurementName } from '../../src/core/measurements.js';
import {
  type Calibration,
  type Departure,
  fitCalibration,
} from '../fit/calibration/calibration.js';
import {
  baseDepartures,
  covariatesOf,
  departuresOf,
  militaryMarginal,
  originOf,
  type SampleContext,
  uncalibratedModel,
} from '../fit/calibration/study-regression.js';
import type { Fit } from '../fit/fit-model.js';
import { marginalOf, withResidual } from '../model/regressions/conditional-model.js';
import { lnQuantile, type Marginal, Z95 } from '../numerics/marginal.js';
import { memoise } from '../numerics/numbers.js';
import type { Study } from '../raw-tables/studies.js';

/** A predicted distribution of a dimension in a sample, mm. */
export interface Prediction {
  readonly meanMm: number;
  readonly sdMm: number;
  readonly p5Mm: number;
  readonly p95Mm: number;
  /** SD of the error of the mean against a new survey. Only the calibrated predictor has it. */
  readonly meanErrorMm?: number;
}

/** Predicts a dimension of a sample from the covariates of the sample alone. Undefined if there is no model. */
export type Predictor = (study: Study, measurement: MeasurementName) => Prediction | undefined;

/** Makes a predictor from the studies of a fold that it may learn from. */
export type PredictorFactory = (
  train: readonly Study[],
  variancesFrom: readonly Study[],
) => Predictor;

/** The fits to the US surveys. The predictors use them besides the studies. */
export type PredictorContext = Pick<Fit, 'model' | 'samples' | 'samplesOf'>;

/** Mean, SD and tails (mm) of a distribution that is given on the log scale. */
export function predictionOf(marginal: Marginal): Prediction {
  const meanMm = Math.exp(marginal.mean + marginal.sd ** 2 / 2);
  return {
    meanMm,
    sdMm: meanMm * Math.sqrt(Math.exp(marginal.sd ** 2) - 1),
    p5Mm: Math.exp(lnQuantile(marginal, -Z95)),
    p95Mm: Math.exp(lnQuantile(marginal, Z95)),
  };
}

/** The distribution among US soldiers. It is the same for every sample of a gender. */
export function militaryPrediction(
  context: PredictorContext,
  study: Study,
  measurement: MeasurementName,
): Prediction | undefined {
  const marginal = militaryMarginal(context.samples, study.gender, measurement);
  return marginal === undefined ? undefined : predictionOf(marginal);
}

function scaled(prediction: Prediction, factor: number): Prediction {
  return {
    meanMm: prediction.meanMm * factor,
    sdMm: prediction.sdMm * factor,
    p5Mm: prediction.p5Mm * factor,
    p95Mm: prediction.p95Mm * factor,
  };
}

/** Names of the predictors that are compared, in the order of the report. */
export const PREDICTOR_LABELS = {
  asIs: 'US soldiers as they are',
  scaled: 'US soldiers scaled by stature',
  regression: 'regression on stature, BMI and age, no calibration',
  calibrated: 'regression calibrated by the other studies',
} as const;

export type PredictorName = keyof typeof PREDICTOR_LABELS;
export const PREDICTOR_NAMES = Object.keys(PREDICTOR_LABELS) as PredictorName[];

/** Departures and variance components of studies. Folds that share studies share the work. */
export interface StudyLearner {
  readonly departures: (from: readonly Study[]) => Departure[];
  readonly variancesOf: (from: readonly Study[]) => Calibration['variances'];
}

/** Makes a learner. It computes each study and each list of studies once. */
export function studyLearner({ samples, samplesOf }: PredictorContext): StudyLearner {
  const base = baseDepartures(samples);
  const ofStudy = memoise((among: SampleContext) =>
    memoise((study: Study) => departuresOf(among, [study])),
  );
  const departures = (from: readonly Study[]) => {
    return [...base, ...from.flatMap(ofStudy(samplesOf(from)))];
  };
  const variancesOf = memoise(
    (from: readonly Study[]) => fitCalibration(departures(from)).variances,
  );
  return { departures, variancesOf };
}

/**
 * Makes the predictors that are compared. The calibrated predictor fits the calibration to the studies that it may
 * learn from, and moves the regression by it.
 */
export function predictorFactories(
  context: PredictorContext,
  { departures, variancesOf }: StudyLearner,
): Readonly<Record<PredictorName, PredictorFactory>> {
  return {
    asIs: () => (study, name) => militaryPrediction(context, study, name),
    scaled: () => (study, name) => {
      const us = militaryPrediction(context, study, name);
      const fit = context.model.military[study.gender].get(name);
      const covariates = covariatesOf(study, context.samples.base);
      if (us === undefined || fit === undefined || covariates === undefined) return undefined;
      return scaled(us, Math.exp(covariates.lnStature - fit.centre[0]));
    },
    regression: (train) => {
      const samples = context.samplesOf(train);
      return (study, name) => {
        const sample = uncalibratedModel(samples, study, name);
        return sample && predictionOf(marginalOf(sample.model, sample.covariates));
      };
    },
    calibrated: (train, variancesFrom) => {
      const samples = context.samplesOf(train);
      const calibration = fitCalibration(departures(train), variancesOf(variancesFrom));
      return (study, name) => {
        const sample = uncalibratedModel(samples, study, name);
        const unit = militaryMarginal(samples, study.gender, name);
        if (sample === undefined || unit === undefined) return undefined;
        const origin = originOf(study);
        const expected = calibration.expectedOfSurvey(origin, name, study.n);
        const level = sample.model.level + expected.value * unit.sd;
        const spread = Math.exp(calibration.lnSpread(origin, name).value);
        const calibrated = withResidual({ ...sample.model, level }, spread);
        const prediction = predictionOf(marginalOf(calibrated, sample.covariates));
        return { ...prediction, meanErrorMm: prediction.meanMm * expected.sd * unit.sd };
      };
    },
  };
}
