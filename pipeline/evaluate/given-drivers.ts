import type { MeasurementName } from '../../src/core/measurements.js';
import type { Study } from '../raw-tables/studies.js';
import { type Fold, type ScoredRow, scoreFolds } from './folds.js';
import { type ErrorSummary, groupBy, summarise } from './metrics.js';
import {
  militaryPrediction,
  PREDICTOR_NAMES,
  type PredictorContext,
  type PredictorName,
  predictorFactories,
  type StudyLearner,
} from './predictors.js';
import { coverageOf } from './survey-intervals.js';

type Row = ScoredRow<PredictorName>;
type Figure = 'mean' | 'p5' | 'p95';

/** Summaries of one set of rows, by predictor. */
type ByPredictor = Readonly<Record<PredictorName, ErrorSummary>>;

function byPredictor(rows: readonly Row[], figure: Figure = 'mean'): ByPredictor {
  const entries = PREDICTOR_NAMES.map((name) => {
    return [name, summarise(rows.flatMap(({ errors }) => errors[name][figure] ?? []))] as const;
  });
  return Object.fromEntries(entries) as Record<PredictorName, ErrorSummary>;
}

/** The unit of errors: the SD among US soldiers. A misprinted SD of a study does not change this unit. */
export function unitOf(context: PredictorContext) {
  return (study: Study, measurement: MeasurementName): number | undefined =>
    militaryPrediction(context, study, measurement)?.sdMm;
}

/**
 * Scores the predictions of every dimension of every study from its mean stature, BMI and age. The predictors learn
 * from the other families or countries only.
 */
export function scoreGivenDrivers(
  context: PredictorContext,
  learner: StudyLearner,
  folds: readonly Fold[],
) {
  const rows = scoreFolds(folds, predictorFactories(context, learner), unitOf(context));
  const exact = rows.filter(({ row }) => row.match === 'exact');
  return {
    exact: byPredictor(exact),
    all: byPredictor(rows),
    exactP5: byPredictor(exact, 'p5'),
    exactP95: byPredictor(exact, 'p95'),
    byDimension: groupBy(exact, ({ row }) => row.measurement).map(([key, members]) => ({
      key,
      studies: new Set(members.map(({ study }) => `${study.id}|${study.gender}`)).size,
      scores: byPredictor(members),
    })),
    /** 90 % intervals of the model's means, exact matches. */
    intervals: coverageOf(
      exact.flatMap(({ errors: { calibrated } }) => {
        const { mean: errorSd, expectedSd } = calibrated;
        return expectedSd === undefined ? [] : [{ errorSd, expectedSd }];
      }),
    ),
  };
}
