import type { MeasurementName } from '../../src/core/measurements.js';
import type { Study, StudyRow } from '../raw-tables/studies.js';
import type { PredictorFactory } from './predictors.js';

/** A fold leaves out a survey family, or a country. */
export type FoldKind = 'family' | 'country';

/** One fold: a predictor learns from `train` and is scored on `test`. */
export interface Fold {
  readonly left: string;
  readonly train: readonly Study[];
  readonly test: readonly Study[];
  /** Samples of `train` from which variances are learned. The folds of one batch have the same samples. */
  readonly variancesFrom: readonly Study[];
}

/**
 * Number of batches of folds. Most of the time of a fold goes into fitting the variances, so the folds of one batch
 * share them. They are learned without any sample that a fold of the batch leaves out.
 */
const BATCHES = 8;

/**
 * Makes folds, each of which leaves one family or one country out. A family is never both in `train` and in `test`: if
 * a country is left out, all samples of its families are left out, also those from other countries.
 *
 * @param beside samples to learn from that are not scored; they are left out with their country
 */
export function makeFolds(
  studies: readonly Study[],
  kind: FoldKind,
  beside: readonly Study[] = [],
): Fold[] {
  const keyOf = (study: Study): string => (kind === 'family' ? study.family : study.country);
  const all = [...studies, ...beside];
  /** The samples that remain if some families or countries, and all other samples of their families, are left out. */
  const without = (lefts: ReadonlySet<string>): Study[] => {
    const tested = studies.filter((study) => lefts.has(keyOf(study)));
    const families = new Set(tested.map(({ family }) => family));
    return all.filter((study) => !lefts.has(keyOf(study)) && !families.has(study.family));
  };
  const keys = [...new Set(studies.map(keyOf))].sort();
  const batches = Array.from({ length: BATCHES }, (_, b) =>
    without(new Set(keys.filter((__, i) => i % BATCHES === b))),
  );
  return keys.map((left, i) => ({
    left,
    train: without(new Set([left])),
    test: studies.filter((study) => keyOf(study) === left),
    variancesFrom: batches[i % BATCHES],
  }));
}

/** Errors of one predictor on one row, predicted less observed, in SD units. */
export interface RowError {
  readonly mean: number;
  readonly p5: number | undefined;
  readonly p95: number | undefined;
  /** SD of the error of the mean that the predictor expects; undefined if it expects none. */
  readonly expectedSd: number | undefined;
}

/** A row of a study with the error of every predictor. */
export interface ScoredRow<Name extends string> {
  readonly study: Study;
  readonly row: StudyRow;
  /** The unit of the errors: standard deviation of the dimension, mm. */
  readonly unitMm: number;
  readonly errors: Readonly<Record<Name, RowError>>;
}

/**
 * Scores predictors on rows that they did not learn from. If one predictor has no answer for a row, the row is left out
 * for all, so that all predictors are compared on the same rows.
 *
 * @param unitOf SD of a dimension in mm, the same for every predictor
 */
export function scoreFolds<Name extends string>(
  folds: readonly Fold[],
  factories: Readonly<Record<Name, PredictorFactory>>,
  unitOf: (study: Study, measurement: MeasurementName) => number | undefined,
): ScoredRow<Name>[] {
  const names = Object.keys(factories) as Name[];
  const scored: ScoredRow<Name>[] = [];
  for (const fold of folds) {
    const predictors = names.map((name) => ({
      name,
      predict: factories[name](fold.train, fold.variancesFrom),
    }));
    for (const study of fold.test) {
      for (const row of study.rows) {
        if (row.measurement === 'Stature') continue; // It is an input.
        const unitMm = unitOf(study, row.measurement);
        if (unitMm === undefined) continue;
        const errors = predictors.map(({ name, predict }) => {
          const prediction = predict(study, row.measurement);
          if (prediction === undefined) return undefined;
          const off = (predicted: number, observed: number | undefined): number | undefined =>
            observed === undefined ? undefined : (predicted - observed) / unitMm;
          const mean = (prediction.meanMm - row.meanMm) / unitMm;
          const tails = {
            p5: off(prediction.p5Mm, row.p5Mm),
            p95: off(prediction.p95Mm, row.p95Mm),
            expectedSd:
              prediction.meanErrorMm === undefined ? undefined : prediction.meanErrorMm / unitMm,
          };
          return [name, { mean, ...tails }] as const;
        });
        const known = errors.filter((entry) => entry !== undefined);
        if (known.length < names.length) continue;
        const byName = Object.fromEntries(known) as Record<Name, RowError>;
        scored.push({ study, row, unitMm, errors: byName });
      }
    }
  }
  return scored;
}
