import type { MeasurementName } from '../../src/core/measurements.js';
import { calibrationGroup } from '../fit/calibration/calibration.js';
import type { Study } from '../raw-tables/studies.js';
import { type Fold, type FoldKind, type ScoredRow, scoreFolds } from './folds.js';
import { type ErrorSummary, groupBy, summarise, type WeighedError } from './metrics.js';
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

/** A group of rows (a dimension, a country) with its summaries. */
export interface GroupScore {
  readonly key: string;
  readonly studies: number;
  readonly families: number;
  readonly scores: ByPredictor;
}

/** Scores under one kind of fold. */
export interface FoldScores {
  readonly folds: FoldKind;
  readonly exact: ByPredictor;
  readonly all: ByPredictor;
  readonly exactP5: ByPredictor;
  readonly exactP95: ByPredictor;
  readonly byKind: readonly GroupScore[];
  readonly byDimension: readonly GroupScore[];
  /** 90 % intervals of the model's means, exact matches. */
  readonly intervals: readonly IntervalCoverage[];
}

function weighed(rows: readonly Row[], name: PredictorName, figure: Figure): WeighedError[] {
  return rows.flatMap(({ study, row, errors }) => {
    const error = errors[name][figure];
    const cell = `${study.family}|${study.gender}|${row.measurement}`;
    return error === undefined ? [] : [{ error, cell }];
  });
}

function byPredictor(rows: readonly Row[], figure: Figure = 'mean'): ByPredictor {
  const entries = PREDICTOR_NAMES.map((name) => {
    const summary = summarise(weighed(rows, name, figure));
    if (summary === undefined) throw new Error(`no rows to score ${name}`);
    return [name, summary] as const;
  });
  return Object.fromEntries(entries) as Record<PredictorName, ErrorSummary>;
}

function groups(rows: readonly Row[], keyOf: (row: Row) => string): GroupScore[] {
  return groupBy(rows, keyOf).map(([key, members]) => ({
    key,
    studies: new Set(members.map(({ study }) => `${study.id}|${study.gender}`)).size,
    families: new Set(members.map(({ study }) => study.family)).size,
    scores: byPredictor(members),
  }));
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
    byKind: groups(exact, ({ row }) => calibrationGroup(row.measurement)),
    byDimension: groups(exact, ({ row }) => row.measurement),
    intervals: intervalCoverage(
      exact.flatMap(({ row, errors: { calibrated } }) => {
        const { mean: errorSd, expectedSd } = calibrated;
        return expectedSd === undefined ? [] : [{ row, errorSd, expectedSd }];
      }),
      ({ row, ...interval }) => [calibrationGroup(row.measurement), gradeKey(interval)],
    ),
  };
}
