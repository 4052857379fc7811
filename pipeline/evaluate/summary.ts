import { mean } from '../numerics/numbers.js';
import type { Evaluation } from './evaluation.js';
import { ASKED_SUM_SD } from './joint-sums.js';
import { levelFigures } from './levels.js';
import { meanAbs, round4, share } from './metrics.js';
import { largestChildGirthError, outermostWithin } from './nhanes-tails.js';
import { personFigures } from './persons.js';
import { PREDICTOR_NAMES, type PredictorName } from './predictors.js';
import { servedFigures } from './served.js';
import type { NhanesError } from './us-nhanes.js';

/** Share of the groups of NHANES within tolerance at some percentiles. */
function withinNhanes(errors: readonly NhanesError[], percentiles: readonly number[]): number {
  const chosen = errors.filter((e) => e.status === 'fitted' && percentiles.includes(e.percentile));
  return share(chosen, ({ within }) => within);
}

/** The last predictor of the report. Baselines come first there, the model last. */
export const MODEL_PREDICTOR = PREDICTOR_NAMES.at(-1) as PredictorName;

/** The accuracy of a model in a few figures, in SD of the dimension or as shares (0 to 1). */
export function summariseAccuracy(evaluation: Evaluation) {
  const { byFamily, byCountry, ansur1, snyder, years, coverage, calls, nhanesPersons } = evaluation;
  const { served: _, ...stunting } = evaluation.stunting;
  const { served: __, ...weightForHeight } = evaluation.weightForHeight;
  const girths2003 = years.nhanes.filter(({ quantity }) => quantity.startsWith('P'));
  const sums = evaluation.sums.map(({ errorSd }) => errorSd);
  const exact = byFamily.exact[MODEL_PREDICTOR].meanAbs;
  const leftOut = snyder.flatMap(({ leftOutSd }) => (leftOutSd === undefined ? [] : [leftOutSd]));
  const figures = {
    // The best predictor: mean |error| of means given covariates, with families left out.
    givenDriversExact: exact,
    givenDriversOverScaling: exact / byFamily.exact.scaled.meanAbs,
    givenDriversExactByCountryFolds: byCountry.exact[MODEL_PREDICTOR].meanAbs,
    p5Exact: byFamily.exactP5[MODEL_PREDICTOR].meanAbs,
    p95Exact: byFamily.exactP95[MODEL_PREDICTOR].meanAbs,
    // Share of 90 % intervals that contain the mean of a survey that was left out.
    surveyIntervals90: byFamily.intervals.held,
    ...servedFigures(evaluation.served),
    // Shares of stunted children in left-out surveys, as served: mean error, and bias of each gender, points.
    ...stunting,
    // Share of the SDs of stature at exact ages of 1 to 5 years that are within 5 %.
    exactAgeSdWithin: share(
      evaluation.exactAges.filter(({ quantity }) => quantity === 'Stature'),
      ({ within }) => within,
    ),
    ...weightForHeight,
    // The NHANES dimensions that the model is fitted to, by age group or (outermost) age band.
    nhanesMedianWithin: withinNhanes(evaluation.nhanes, [50]),
    nhanesTailsWithin: withinNhanes(evaluation.nhanes, [5, 95]),
    nhanesOutermostWithin: outermostWithin(evaluation.nhanes),
    ansur1MeanAbs: meanAbs(ansur1.map((error) => error.mean)),
    ansur1SdRatio: mean(ansur1.map(({ sdRatio }) => sdRatio)),
    snyderAbs: meanAbs(snyder.map(({ errorSd }) => errorSd)),
    snyderWithin: share(snyder, ({ within }) => within),
    snyderLeftOutAbs: meanAbs(leftOut),
    childGirthP95Largest: largestChildGirthError(evaluation.nhanes),
    coverage80: coverage.covered[80],
    coverage90: coverage.covered[90],
    coverage95: coverage.covered[95],
    ...levelFigures(evaluation.levels),
    ...personFigures(evaluation.persons),
    // Share of wrong calls of boundary cases on random designs, with the usual limits and with wider limits.
    caseCallsWrong: calls.usual,
    caseCallsWrongWider: calls.wider,
    // Mean |error| of shares, percentage points, for persons of NHANES 2007–2010, which the model is not fitted to.
    nhanesUnfittedJointPoints: meanAbs(nhanesPersons.joint),
    nhanesUnfittedSinglePoints: meanAbs(nhanesPersons.single),
    // Share of sums of free dimensions with errors within 0.05 SD of the whole.
    sumsWithin: share(sums, (errorSd) => errorSd <= ASKED_SUM_SD),
    // Share of countries in which a projection over 12 years beats no change: the smallest over the quantities.
    yearsBetter: Math.min(...years.backTests.map(({ better, countries }) => better / countries)),
    nhanes2003Abs: mean(girths2003.map(({ ownYearAbs }) => ownYearAbs)),
  };
  const rounded = Object.entries(figures).map(([name, value]) => [name, round4(value)] as const);
  return { predictor: MODEL_PREDICTOR, ...(Object.fromEntries(rounded) as typeof figures) };
}

/** The figures of a summary. */
export type AccuracySummary = ReturnType<typeof summariseAccuracy>;
