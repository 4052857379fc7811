import type { Gender } from '../../src/core/genders.js';
import { mean } from '../numerics/numbers.js';
import { summariseCoverage } from './coverage-summary.js';
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
import type { IntervalCoverage } from './survey-intervals.js';
import type { NhanesError, NhanesStatus } from './us-nhanes.js';

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
  readonly givenDriversAll: number;
  readonly givenDriversOverScaling: number;
  readonly givenDriversExactByCountryFolds: number;
  readonly p5Exact: number;
  readonly p95Exact: number;
  /** Share of 90 % intervals that contain the mean of a survey that was left out. */
  readonly surveyIntervals90: number;
  /** Mean interval score of these intervals, SD (Gneiting and Raftery 2007, JASA 102:359). */
  readonly surveyIntervalScore: number;
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
  readonly nhanesMedianAbs: number;
  readonly nhanesMedianWithin: number;
  readonly nhanesTailsAbs: number;
  readonly nhanesTailsWithin: number;
  /** P1 and P99 of these dimensions. */
  readonly nhanesExtremesAbs: number;
  /** P0.5 and P99.5 of these dimensions. */
  readonly nhanesOutermostAbs: number;
  /** Share of age bands whose errors at P0.5 and P99.5 are within 0.25 SD. */
  readonly nhanesOutermostWithin: number;
  /** The NHANES dimensions again, each predicted by a model that has not seen it in NHANES. */
  readonly nhanesLeftOutMedianAbs: number;
  readonly nhanesLeftOutTailsAbs: number;
  readonly ansur1MeanAbs: number;
  readonly ansur1SdRatio: number;
  readonly snyderAbs: number;
  readonly snyderWithin: number;
  /** Share without the girths that the model takes from NHANES. */
  readonly snyderWithinOwn: number;
  readonly snyderLeftOutAbs: number;
  readonly snyderTailsAbs: number;
  readonly snyderTailsWithin: number;
  /** Largest mean error of an age group in P95 of waist, arm and calf at 5 to 17 years in NHANES. */
  readonly childGirthP95Largest: number;
  readonly coverage80: number;
  readonly coverage90: number;
  readonly coverage95: number;
  readonly coveragePairs: number;
  /** Largest error of a sum of free dimensions, SD of the whole, and share of cells with errors within 0.05 SD. */
  readonly sumsWorst: number;
  readonly sumsWithin: number;
  /** Share of countries in which a projection over 12 years beats no change: the smallest over the quantities. */
  readonly yearsBetter: number;
  /** Mean |error| in SD of P5, P50 and P95 of US girths of 2003. */
  readonly nhanes2003Abs: number;
  /** Figures of the middle bodies outside published bounds. */
  readonly anatomyBreaches: number;
}

const absolute = (values: readonly number[]): number => mean(values.map(Math.abs));

/** Mean error compared with NHANES, and share of groups within tolerance. */
function againstNhanes(errors: readonly NhanesError[], status: NhanesStatus) {
  const of = (percentiles: readonly number[]) => {
    const chosen = errors.filter((e) => e.status === status && percentiles.includes(e.percentile));
    return {
      abs: absolute(chosen.map(({ errorSd }) => errorSd)),
      within: share(chosen, ({ within }) => within),
    };
  };
  return {
    medians: of([50]),
    tails: of([5, 95]),
    extremes: of([1, 99]),
    outermost: of([0.5, 99.5]),
  };
}

/** The last predictor of the report. Baselines come first there, the model last. */
export const MODEL_PREDICTOR = PREDICTOR_NAMES.at(-1) as PredictorName;

/** Summary of an evaluation, for the manifest of a build. */
export function summariseAccuracy(evaluation: Evaluation): AccuracySummary {
  const { byFamily, byCountry, ansur1, snyder, years } = evaluation;
  const girths2003 = years.nhanes.filter(({ quantity }) => quantity.startsWith('P'));
  const fitted = againstNhanes(evaluation.nhanes, 'fitted');
  const unseen = againstNhanes(evaluation.nhanes, 'left out');
  const [all] = summariseCoverage(evaluation.coverage.model.bins);
  if (all === undefined) throw new Error('no coverage was scored');
  const built = evaluation.sums.filter((error) => error.built);
  const exact = byFamily.exact[MODEL_PREDICTOR].meanAbs;
  const intervalsOf = (key: string) =>
    byFamily.intervals.find((one) => one.key === key) as IntervalCoverage;
  const leftOut = snyder.flatMap(({ leftOutSd }) => (leftOutSd === undefined ? [] : [leftOutSd]));
  const stuntingOf = (gender: Gender | 'Both') =>
    evaluation.stunting?.scores.find((one) => one.gender === gender);
  const figures: Omit<AccuracySummary, 'predictor'> = {
    givenDriversExact: exact,
    givenDriversAll: byFamily.all[MODEL_PREDICTOR].meanAbs,
    givenDriversOverScaling: exact / byFamily.exact.scaled.meanAbs,
    givenDriversExactByCountryFolds: byCountry.exact[MODEL_PREDICTOR].meanAbs,
    p5Exact: byFamily.exactP5[MODEL_PREDICTOR].meanAbs,
    p95Exact: byFamily.exactP95[MODEL_PREDICTOR].meanAbs,
    surveyIntervals90: intervalsOf('all').held,
    surveyIntervalScore: intervalsOf('all').scoreSd,
    ...servedFigures(evaluation.served),
    stuntingPoints: stuntingOf('Both')?.meanAbsPoints ?? Number.NaN,
    stuntingBoysBiasPoints: stuntingOf('Male')?.biasPoints ?? Number.NaN,
    stuntingGirlsBiasPoints: stuntingOf('Female')?.biasPoints ?? Number.NaN,
    ...exactAgeFigures(evaluation.exactAges),
    wastingPoints: evaluation.weightForHeight?.wastingPoints ?? Number.NaN,
    wastingBiasPoints: evaluation.weightForHeight?.wastingBiasPoints ?? Number.NaN,
    overweightPoints: evaluation.weightForHeight?.overweightPoints ?? Number.NaN,
    overweightBiasPoints: evaluation.weightForHeight?.overweightBiasPoints ?? Number.NaN,
    anatomyBreaches: evaluation.anatomy.reduce((sum, { breaches }) => sum + breaches, 0),
    nhanesMedianAbs: fitted.medians.abs,
    nhanesMedianWithin: fitted.medians.within,
    nhanesTailsAbs: fitted.tails.abs,
    nhanesTailsWithin: fitted.tails.within,
    nhanesExtremesAbs: fitted.extremes.abs,
    nhanesOutermostAbs: fitted.outermost.abs,
    nhanesOutermostWithin: outermostWithin(evaluation.nhanes),
    nhanesLeftOutMedianAbs: unseen.medians.abs,
    nhanesLeftOutTailsAbs: unseen.tails.abs,
    ansur1MeanAbs: absolute(ansur1.map((error) => error.mean)),
    ansur1SdRatio: mean(ansur1.map(({ sdRatio }) => sdRatio)),
    snyderAbs: absolute(snyder.map(({ errorSd }) => errorSd)),
    snyderWithin: share(snyder, ({ within }) => within),
    snyderWithinOwn: share(
      snyder.filter(({ ofNhanes }) => !ofNhanes),
      ({ within }) => within,
    ),
    snyderLeftOutAbs: absolute(leftOut),
    snyderTailsAbs: absolute(snyder.flatMap(({ p5Sd, p95Sd }) => [p5Sd, p95Sd])),
    snyderTailsWithin: share(
      snyder.flatMap(({ p5Within, p95Within }) => [p5Within, p95Within]),
      (within) => within,
    ),
    childGirthP95Largest: largestChildGirthError(evaluation.nhanes),
    coverage80: all.mean[80],
    coverage90: all.mean[90],
    coverage95: all.mean[95],
    coveragePairs: all.pairs,
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
