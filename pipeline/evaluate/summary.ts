import type { Gender } from '../../src/core/genders.js';
import { mean } from '../numerics/numbers.js';
import type { Evaluation } from './evaluation.js';
import { type ExactAgeFigures, exactAgeFigures } from './exact-ages.js';
import { ASKED_SUM_SD, worstOf } from './joint-sums.js';
import { type LevelFigures, levelFigures } from './levels.js';
import { round4, share } from './metrics.js';
import { largestChildGirthError, outermostWithin } from './nhanes-tails.js';
import { type PersonFigures, personFigures } from './persons.js';
import { type PopulationFigures, populationFigures } from './populations.js';
import { PREDICTOR_NAMES, type PredictorName } from './predictors.js';
import { type ServedFigures, servedFigures } from './served.js';
import type { NhanesError } from './us-nhanes.js';

/** The accuracy of a model in a few figures, in SD of the dimension or as shares (0 to 1). */
export interface AccuracySummary
  extends PersonFigures,
    PopulationFigures,
    LevelFigures,
    ExactAgeFigures,
    ServedFigures {
  /** The best predictor, and its mean |error| of means given covariates, with families left out. */
  readonly predictor: PredictorName;
  readonly givenDriversExact: number;
  readonly givenDriversOverScaling: number;
  readonly givenDriversExactByCountryFolds: number;
  readonly p5Exact: number;
  readonly p95Exact: number;
  /** Share of 90 % intervals that contain the mean of a survey that was left out. */
  readonly surveyIntervals90: number;
  /** Shares of stunted children in left-out surveys, as served: mean error, and bias of each gender, points. */
  readonly stuntingPoints: number;
  readonly stuntingBoysBiasPoints: number;
  readonly stuntingGirlsBiasPoints: number;
  /** The same of wasted and of overweight children. */
  readonly wastingPoints: number;
  readonly wastingBiasPoints: number;
  readonly overweightPoints: number;
  readonly overweightBiasPoints: number;
  /** The NHANES dimensions that the model is fitted to, by age group. */
  readonly nhanesMedianWithin: number;
  readonly nhanesTailsWithin: number;
  /** Share of age bands whose errors at P0.5 and P99.5 are within 0.25 SD. */
  readonly nhanesOutermostWithin: number;
  readonly ansur1MeanAbs: number;
  readonly ansur1SdRatio: number;
  readonly snyderAbs: number;
  readonly snyderWithin: number;
  readonly snyderLeftOutAbs: number;
  /** Largest mean error of an age group in P95 of waist, arm and calf at 5 to 17 years in NHANES. */
  readonly childGirthP95Largest: number;
  readonly coverage80: number;
  readonly coverage90: number;
  readonly coverage95: number;
  /** Largest error of a sum of free dimensions, SD of the whole, and share of cells with errors within 0.05 SD. */
  readonly sumsWorst: number;
  readonly sumsWithin: number;
  /** Share of countries in which a projection over 12 years beats no change: the smallest over the quantities. */
  readonly yearsBetter: number;
  /** Mean |error| in SD of P5, P50 and P95 of US girths of 2003. */
  readonly nhanes2003Abs: number;
}

const absolute = (values: readonly number[]): number => mean(values.map(Math.abs));

/** Share of the groups of NHANES within tolerance at some percentiles. */
function withinNhanes(errors: readonly NhanesError[], percentiles: readonly number[]): number {
  const chosen = errors.filter((e) => e.status === 'fitted' && percentiles.includes(e.percentile));
  return share(chosen, ({ within }) => within);
}

/** The last predictor of the report. Baselines come first there, the model last. */
export const MODEL_PREDICTOR = PREDICTOR_NAMES.at(-1) as PredictorName;

/** Summary of an evaluation, for the manifest of a build. */
export function summariseAccuracy(evaluation: Evaluation): AccuracySummary {
  const { byFamily, byCountry, ansur1, snyder, years } = evaluation;
  const girths2003 = years.nhanes.filter(({ quantity }) => quantity.startsWith('P'));
  const [ofModel] = evaluation.coverage;
  if (ofModel === undefined) throw new Error('no coverage was scored');
  const built = evaluation.sums.filter((error) => error.built);
  const exact = byFamily.exact[MODEL_PREDICTOR].meanAbs;
  const given = byFamily.intervals.find(({ key }) => key === 'all');
  const leftOut = snyder.flatMap(({ leftOutSd }) => (leftOutSd === undefined ? [] : [leftOutSd]));
  const stuntingOf = (gender: Gender | 'Both') =>
    evaluation.stunting?.scores.find((one) => one.gender === gender);
  const figures: Omit<AccuracySummary, 'predictor'> = {
    givenDriversExact: exact,
    givenDriversOverScaling: exact / byFamily.exact.scaled.meanAbs,
    givenDriversExactByCountryFolds: byCountry.exact[MODEL_PREDICTOR].meanAbs,
    p5Exact: byFamily.exactP5[MODEL_PREDICTOR].meanAbs,
    p95Exact: byFamily.exactP95[MODEL_PREDICTOR].meanAbs,
    surveyIntervals90: given?.held ?? Number.NaN,
    ...servedFigures(evaluation.served),
    stuntingPoints: stuntingOf('Both')?.meanAbsPoints ?? Number.NaN,
    stuntingBoysBiasPoints: stuntingOf('Male')?.biasPoints ?? Number.NaN,
    stuntingGirlsBiasPoints: stuntingOf('Female')?.biasPoints ?? Number.NaN,
    ...exactAgeFigures(evaluation.exactAges),
    wastingPoints: evaluation.weightForHeight?.wastingPoints ?? Number.NaN,
    wastingBiasPoints: evaluation.weightForHeight?.wastingBiasPoints ?? Number.NaN,
    overweightPoints: evaluation.weightForHeight?.overweightPoints ?? Number.NaN,
    overweightBiasPoints: evaluation.weightForHeight?.overweightBiasPoints ?? Number.NaN,
    nhanesMedianWithin: withinNhanes(evaluation.nhanes, [50]),
    nhanesTailsWithin: withinNhanes(evaluation.nhanes, [5, 95]),
    nhanesOutermostWithin: outermostWithin(evaluation.nhanes),
    ansur1MeanAbs: absolute(ansur1.map((error) => error.mean)),
    ansur1SdRatio: mean(ansur1.map(({ sdRatio }) => sdRatio)),
    snyderAbs: absolute(snyder.map(({ errorSd }) => errorSd)),
    snyderWithin: share(snyder, ({ within }) => within),
    snyderLeftOutAbs: absolute(leftOut),
    childGirthP95Largest: largestChildGirthError(evaluation.nhanes),
    coverage80: ofModel.covered[80],
    coverage90: ofModel.covered[90],
    coverage95: ofModel.covered[95],
    ...levelFigures(evaluation.levels),
    ...personFigures(evaluation.persons),
    ...populationFigures(evaluation.populations),
    sumsWorst: Math.max(...built.map(worstOf)),
    sumsWithin: share(built, (error) => worstOf(error) <= ASKED_SUM_SD),
    yearsBetter: Math.min(...years.backTests.map(({ better, countries }) => better / countries)),
    nhanes2003Abs: mean(girths2003.map(({ ownYearAbs }) => ownYearAbs)),
  };
  const rounded = Object.entries(figures).map(([name, value]) => [name, round4(value)] as const);
  return { predictor: MODEL_PREDICTOR, ...(Object.fromEntries(rounded) as typeof figures) };
}
