import type { MeasurementName } from '../../src/core/measurements.js';
import { calibrationGroup } from '../fit/calibration/calibration.js';
import type { Study } from '../raw-tables/studies.js';
import { type Fold, type FoldKind, type ScoredRow, scoreFolds } from './folds.js';
import { type ErrorSummary, groupBy, summarise } from './metrics.js';
import {
  militaryPrediction,
  PREDICTOR_NAMES,
  type PredictorContext,
  type PredictorName,
  predictorFactories,
  type StudyLearner,
} from './predictors.js';
import { gradeKey, type IntervalCoverage, intervalCoverage } from './survey-intervals.js';

type Row = ScoredRow<PredictorName>;
type Figure = 'mean' | 'p5' | 'p95';

/** Summaries of one set of rows, by predictor. */
export type ByPredictor = Readonly<Record<PredictorName, ErrorSummary>>;

/** A dimension with its summaries. */
export interface GroupScore {
  readonly key: string;
  readonly studies: number;
  readonly scores: ByPredictor;
}

/** Scores under one kind of fold. */
export interface FoldScores {
  readonly folds: FoldKind;
  readonly exact: ByPredictor;
  readonly all: ByPredictor;
  readonly exactP5: ByPredictor;
  readonly exactP95: ByPredictor;
  readonly byDimension: readonly GroupScore[];
  /** 90 % intervals of the model's means, exact matches. */
  readonly intervals: readonly IntervalCoverage[];
}

function byPredictor(rows: readonly Row[], figure: Figure = 'mean'): ByPredictor {
  const entries = PREDICTOR_NAMES.map((name) => {
    const summary = summarise(rows.flatMap(({ errors }) => errors[name][figure] ?? []));
    if (summary === undefined) throw new Error(`no rows to score ${name}`);
    return [name, summary] as const;
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
  kind: FoldKind,
  folds: readonly Fold[],
): FoldScores {
  const rows = scoreFolds(folds, predictorFactories(context, learner), unitOf(context));
  const exact = rows.filter(({ row }) => row.match === 'exact');
  return {
    folds: kind,
    exact: byPredictor(exact),
    all: byPredictor(rows),
    exactP5: byPredictor(exact, 'p5'),
    exactP95: byPredictor(exact, 'p95'),
    byDimension: groupBy(exact, ({ row }) => row.measurement).map(([key, members]) => ({
      key,
      studies: new Set(members.map(({ study }) => `${study.id}|${study.gender}`)).size,
      scores: byPredictor(members),
    })),
    intervals: intervalCoverage(
      exact.flatMap(({ row, errors: { calibrated } }) => {
        const { mean: errorSd, expectedSd } = calibrated;
        return expectedSd === undefined ? [] : [{ row, errorSd, expectedSd }];
      }),
      ({ row, ...interval }) => [calibrationGroup(row.measurement), gradeKey(interval)],
    ),
  };
}
