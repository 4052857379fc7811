import { greatest } from 'd3-array';
import type { Evaluation } from './evaluation.js';
import { groupBy, round4 } from './metrics.js';
import type { SampledPeople } from './sampled-people.js';
import { type AccuracySummary, summariseAccuracy } from './summary.js';
import { type Rows, tableRows } from './tables.js';

/** The part of an evaluation in `docs/accuracy-summary.json`: all that `docs/accuracy.md` shows. */
export interface AccuracyRecord {
  /** SHA-256 of the survey tables read, by source. */
  readonly inputs: Evaluation['inputs'];
  readonly figures: AccuracySummary;
  readonly tables: Rows;
  /** Kept, so that a test of this record need not sample a million people again. */
  readonly sampled: SampledPeople;
}

/** The record of an evaluation. */
export function accuracyRecord(evaluation: Evaluation): AccuracyRecord {
  const { inputs, sampled } = evaluation;
  const figures = summariseAccuracy(evaluation);
  return { inputs, figures, tables: tableRows(evaluation), sampled };
}

/** Longer lists of rows with the same keys are written as columns and lists of values: a third of the space. */
const ROWS_MAX = 50;

function columnar(value: unknown): unknown {
  if (!Array.isArray(value) || value.length <= ROWS_MAX) return value;
  const columns = Object.keys(value[0] ?? {});
  const isTable = value.every((row) => Object.keys(row ?? {}).join() === columns.join());
  if (Array.isArray(value[0]) || columns.length === 0 || !isTable) return value;
  return { columns, rows: value.map((row) => Object.values(row)) };
}

/** JSON text with four decimals. Each row has its own line, so that diffs are readable. */
export function reportText(report: object): string {
  const rounded = (_: string, value: unknown): unknown =>
    typeof value === 'number' ? round4(value) : value;
  const text = JSON.stringify(report, rounded, 1)
    .replace(/\n {4,}/g, ' ')
    .replace(/\n {3}([\]}])/g, ' $1');
  return `${text}\n`;
}

/** Every figure of an evaluation: the text of `accuracy.json`, which is part of a release. */
export function fullReport(evaluation: Evaluation): string {
  const { stunting, weightForHeight } = evaluation;
  const figures = {
    ...evaluation,
    sums: groupBy(evaluation.sums, ({ name }) => name).map(([, errors]) =>
      greatest(errors, ({ errorSd }) => errorSd),
    ),
    stunting: { ...stunting, served: undefined },
    weightForHeight: { ...weightForHeight, served: undefined },
  };
  const lists = JSON.stringify(figures, (_, value) => columnar(value));
  return reportText({
    evaluated: true,
    summary: summariseAccuracy(evaluation),
    ...JSON.parse(lists),
  });
}
