import type { Evaluation } from './evaluation.js';
import { type SumError, worstOf } from './joint-sums.js';
import { groupBy, round4 } from './metrics.js';
import { type PersonScoring, summariseCompletion, summariseShares } from './persons.js';
import { type PopulationScoring, summariseFolds } from './populations.js';
import { REASONS } from './reasons.js';
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
  const { inputs, populations } = evaluation;
  const figures = summariseAccuracy(evaluation);
  return { inputs, figures, tables: tableRows(evaluation), sampled: populations.sampled };
}

/** Rows of equal form as one list of columns and a list of values. This takes a third of the space of objects. */
function columnar(rows: readonly object[]): { columns: string[]; rows: unknown[][] } {
  return { columns: Object.keys(rows[0] ?? {}), rows: rows.map((row) => Object.values(row)) };
}

function personsFigures({ shares, ranges, completion }: PersonScoring): object {
  return {
    jointShares: summariseShares(shares),
    designedRanges: ranges,
    completion: summariseCompletion(completion),
    completionByDimension: completion,
  };
}

function populationsFigures({ calls, sampled, nhanes }: PopulationScoring): object {
  return {
    boundaryCases: calls,
    sampled,
    nhanesJoint: summariseFolds(nhanes.joint, ({ period, gender, ages, size }) =>
      [period, gender, ages, size].join(', '),
    ),
    nhanesSingle: summariseFolds(nhanes.single, ({ period, gender, ages, quantity }) =>
      [period, gender, ages, quantity].join(', '),
    ),
  };
}

/** The largest error of each sum: as people are built, and as the identities write the sum. */
function sumFigures(errors: readonly SumError[]): object[] {
  return groupBy(errors, ({ name, built }) => `${name}|${built}`).map(([, group]) => {
    const worst = group.reduce((most, one) => (worstOf(one) > worstOf(most) ? one : most));
    return { ...worst, formula: worst.formula.map(({ coefficient, of }) => [coefficient, of]) };
  });
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
  const { inputs, served, byFamily, byCountry, levels, years, evidence } = evaluation;
  return reportText({
    evaluated: true,
    inputs,
    summary: summariseAccuracy(evaluation),
    served,
    nationalStudies: { byFamily, byCountry, reasons: REASONS },
    ansur1: columnar(evaluation.ansur1),
    coverage: evaluation.coverage,
    persons: personsFigures(evaluation.persons),
    populations: populationsFigures(evaluation.populations),
    sums: sumFigures(evaluation.sums),
    exactAges: columnar(evaluation.exactAges),
    ...{ evidence, levels, anatomy: evaluation.anatomy, years },
    stunting: { ...evaluation.stunting, served: undefined },
    weightForHeight: { ...evaluation.weightForHeight, served: undefined },
    nhanes: columnar(evaluation.nhanes),
    snyder: columnar(evaluation.snyder),
  });
}
