import type { ScoredRow } from '../evaluate/folds.js';
import { paragraphs, table, two } from '../evaluate/markdown.js';
import type { PredictorName } from '../evaluate/predictors.js';

/** A row of a national study that other studies make doubtful, with the reasons. */
export interface DoubtfulRow {
  readonly study: string;
  readonly country: string;
  readonly gender: string;
  readonly measurement: string;
  readonly match: string;
  readonly meanMm: number;
  readonly sdMm: number | undefined;
  /** Printed less predicted mean, in SD of the dimension. */
  readonly departureSd: number;
  readonly reasons: readonly string[];
}

/** A mean is doubtful beyond this many standard deviations of its prediction (1 in 370 by chance). */
const FAR = 3;
/** A printed SD is doubtful beyond this multiple of the predicted SD, and below its inverse. */
const SPREAD_RATIO = 1.5;
/** (P95 − P5) of a normal distribution, in SD. */
const NORMAL_RANGE = 3.2897072539;
/** Percentiles are doubtful if their range is beyond this multiple of the one that the SD implies. */
const RANGE_RATIO = 1.3;

const off = (ratio: number, most: number): boolean => Math.abs(Math.log(ratio)) > Math.log(most);

function reasonsOf(
  { row, errors }: ScoredRow<PredictorName>,
  predictor: PredictorName,
): readonly string[] {
  const { mean, expectedSd, sdRatio } = errors[predictor];
  const { sdMm, p5Mm, p95Mm } = row;
  const reasons: string[] = [];
  if (expectedSd !== undefined && Math.abs(mean) > FAR * expectedSd) {
    reasons.push(`mean ${(Math.abs(mean) / expectedSd).toFixed(1)} prediction SDs off`);
  }
  if (sdRatio !== undefined && off(sdRatio, SPREAD_RATIO)) {
    reasons.push(`SD ${(1 / sdRatio).toFixed(2)} × the predicted`);
  }
  if (sdMm !== undefined && p5Mm !== undefined && p95Mm !== undefined) {
    const ratio = (p95Mm - p5Mm) / (NORMAL_RANGE * sdMm);
    if (!(ratio > 0) || off(ratio, RANGE_RATIO)) {
      reasons.push(`P5 to P95 is ${ratio.toFixed(2)} × what the SD implies`);
    }
  }
  if (reasons.length === 0) return [];
  if (row.checkDefinition) reasons.push('another definition suspected');
  if (row.checkFigure) reasons.push('misprint suspected');
  return reasons;
}

/**
 * Rows that disagree with the prediction from the other survey families, or with themselves. A row is
 * listed, not deleted: it weighs less only if its source raises the doubt too.
 */
export function doubtfulRows(
  rows: readonly ScoredRow<PredictorName>[],
  predictor: PredictorName,
): DoubtfulRow[] {
  return rows.flatMap((scored): DoubtfulRow[] => {
    const reasons = reasonsOf(scored, predictor);
    if (reasons.length === 0 || scored.row.match === 'poor') return [];
    const { study, row, errors } = scored;
    return [
      {
        study: study.id,
        country: study.country,
        gender: study.gender,
        measurement: row.measurement,
        match: row.match,
        meanMm: row.meanMm,
        sdMm: row.sdMm,
        departureSd: -errors[predictor].mean,
        reasons,
      },
    ];
  });
}

function doubtfulTable(rows: readonly DoubtfulRow[]): string {
  const mm = (value: number): string => Number(value.toFixed(1)).toString();
  return table(
    ['row', 'dimension', 'mean (SD), mm', 'departure, SD', 'match', 'reasons'],
    rows.map((row) => [
      `${row.study}, ${row.country}, ${row.gender}`,
      row.measurement,
      `${mm(row.meanMm)}${row.sdMm === undefined ? '' : ` (${mm(row.sdMm)})`}`,
      two(row.departureSd),
      row.match,
      row.reasons.join('; '),
    ]),
  );
}

/** What the study prints. */
export function doubtfulSection(rows: readonly DoubtfulRow[]): string {
  return paragraphs([
    '# Rows of national studies found doubtful',
    'Rows that disagree with the prediction from the other survey families (the mean by more than 3 standard deviations of a new survey’s prediction, or the printed SD by a factor of more than 1.5), or with themselves (percentiles against the SD, by a factor of more than 1.3). They are not deleted: the part of a dimension’s spread that they make is its own (a multivariate t), and rows whose source raises a doubt have a variance of their own.',
    doubtfulTable(rows),
  ]);
}
