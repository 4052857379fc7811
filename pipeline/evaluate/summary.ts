import { mean } from '../fit/numbers.js';
import { summariseCoverage } from './coverage-summary.js';
import type { Evaluation } from './evaluation.js';
import { round4, share } from './metrics.js';
import { PREDICTOR_NAMES, type PredictorName } from './predictors.js';
import type { NhanesError } from './us-nhanes.js';

/** The accuracy of a model in a few figures, all in SD of the dimension or shares of 1. */
export interface AccuracySummary {
  /** Best predictor, mean |error| of means given drivers, families left out. */
  readonly predictor: PredictorName;
  readonly givenDriversExact: number;
  readonly givenDriversAll: number;
  readonly givenDriversOverScaling: number;
  readonly givenDriversExactByCountryFolds: number;
  readonly p5Exact: number;
  readonly p95Exact: number;
  readonly nhanesMedianAbs: number;
  readonly nhanesMedianWithin: number;
  readonly nhanesTailsAbs: number;
  readonly nhanesTailsWithin: number;
  readonly ansur1MeanAbs: number;
  readonly ansur1SdRatio: number;
  readonly snyderAbs: number;
  readonly snyderWithin: number;
  readonly snyderLeftOutAbs: number;
  readonly coverage80: number;
  readonly coverage90: number;
  readonly coverage95: number;
  readonly coveragePairs: number;
}

const absolute = (values: readonly number[]): number => mean(values.map(Math.abs));

/** NHANES errors of dimensions that are defined alike and were not fitted to NHANES. */
export function unseenNhanes(errors: readonly NhanesError[]): NhanesError[] {
  return errors.filter(({ sameDefinition, inSample }) => sameDefinition && !inSample);
}

/** The last predictor of the report: baselines first, the model last. */
export const MODEL_PREDICTOR = PREDICTOR_NAMES.at(-1) as PredictorName;

/** Summary of an evaluation, for the manifest of a build. */
export function summariseAccuracy(evaluation: Evaluation): AccuracySummary {
  const { byFamily, byCountry, ansur1, snyder } = evaluation;
  const nhanes = unseenNhanes(evaluation.nhanes);
  const medians = nhanes.filter(({ percentile }) => percentile === 50);
  const tails = nhanes.filter(({ percentile }) => percentile !== 50);
  const [all] = summariseCoverage(evaluation.modelCoverage);
  if (all === undefined) throw new Error('no coverage was scored');
  const exact = byFamily.exact[MODEL_PREDICTOR].meanAbs;
  const leftOut = snyder.flatMap(({ leftOutSd }) => (leftOutSd === undefined ? [] : [leftOutSd]));
  const figures: Omit<AccuracySummary, 'predictor'> = {
    givenDriversExact: exact,
    givenDriversAll: byFamily.all[MODEL_PREDICTOR].meanAbs,
    givenDriversOverScaling: exact / byFamily.exact.scaled.meanAbs,
    givenDriversExactByCountryFolds: byCountry.exact[MODEL_PREDICTOR].meanAbs,
    p5Exact: byFamily.exactP5[MODEL_PREDICTOR].meanAbs,
    p95Exact: byFamily.exactP95[MODEL_PREDICTOR].meanAbs,
    nhanesMedianAbs: absolute(medians.map(({ errorSd }) => errorSd)),
    nhanesMedianWithin: share(medians, ({ within }) => within),
    nhanesTailsAbs: absolute(tails.map(({ errorSd }) => errorSd)),
    nhanesTailsWithin: share(tails, ({ within }) => within),
    ansur1MeanAbs: absolute(ansur1.map((error) => error.mean)),
    ansur1SdRatio: mean(ansur1.map(({ sdRatio }) => sdRatio)),
    snyderAbs: absolute(snyder.map(({ errorSd }) => errorSd)),
    snyderWithin: share(snyder, ({ within }) => within),
    snyderLeftOutAbs: absolute(leftOut),
    coverage80: all.mean[80],
    coverage90: all.mean[90],
    coverage95: all.mean[95],
    coveragePairs: all.pairs,
  };
  const rounded = Object.entries(figures).map(([name, value]) => [name, round4(value)] as const);
  return { predictor: MODEL_PREDICTOR, ...(Object.fromEntries(rounded) as typeof figures) };
}
