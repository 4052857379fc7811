import { surveyStudies } from '../fit/calibration/us-studies.js';
import { fitModel } from '../fit/fit-model.js';
import { RawTables } from '../raw-tables/raw-tables.js';
import type { Study } from '../raw-tables/studies.js';
import { makeFolds, type ScoredRow, scoreFolds } from './folds.js';
import { unitOf } from './given-drivers.js';
import { paragraphs, table, two } from './markdown.js';
import { groupBy, meanAbs } from './metrics.js';
import {
  PREDICTOR_LABELS,
  type PredictorName,
  predictorFactories,
  studyLearner,
} from './predictors.js';

type Row = ScoredRow<PredictorName>;

/** A row that both evaluations score, with the errors of the calibrated model before and after. */
export interface CommonRow {
  readonly after: Row;
  readonly beforeSd: number;
  readonly afterSd: number;
}

/** Scores before and after sources were added; errors are predicted less observed, in SD. */
export interface AddedScores {
  readonly sources: readonly string[];
  readonly common: readonly CommonRow[];
  /** Rows of the added sources. Their family is left out when they are predicted. */
  readonly added: readonly Row[];
  /** Number of rows that were scored before and that their study no longer has. */
  readonly gone: number;
}

const MODEL = 'calibrated';
/** Dimensions listed in the report. */
const LONGEST = 12;

const keyOf = ({ study, row }: Row): string => `${study.id}|${study.gender}|${row.measurement}`;

/** Scores every row of the studies, with its family left out. The sources in `without` are absent. */
async function score(rawDir: string, without: readonly string[]): Promise<Row[]> {
  const tables = await RawTables.open(rawDir, without);
  try {
    const fit = await fitModel(tables);
    const folds = makeFolds(fit.studies, 'family', surveyStudies(fit.samples));
    return scoreFolds(folds, predictorFactories(fit, studyLearner(fit)), unitOf(fit));
  } finally {
    tables.close();
  }
}

/** Names and genders of the samples in these sources. */
async function samplesOf(rawDir: string, sources: readonly string[]): Promise<Set<string>> {
  const tables = await RawTables.open(rawDir, []);
  try {
    const keys = new Set<string>();
    for (const source of sources) {
      const { rows } = await tables.fileRows(source, 'drivers');
      for (const row of rows) keys.add(sampleKey({ id: String(row.study_id), gender: row.gender }));
    }
    return keys;
  } finally {
    tables.close();
  }
}

const sampleKey = ({ id, gender }: { readonly id: string; readonly gender: unknown }): string =>
  `${id}|${gender}`;

/** Pairs the rows of two evaluations and separates those of the added samples. */
export function pairRows(
  before: readonly Row[],
  after: readonly Row[],
  isAdded: (study: Study) => boolean,
): Omit<AddedScores, 'sources'> {
  const old = new Map(before.map((row) => [keyOf(row), row.errors[MODEL].mean]));
  const common: CommonRow[] = [];
  const added: Row[] = [];
  for (const row of after) {
    const beforeSd = old.get(keyOf(row));
    if (isAdded(row.study)) added.push(row);
    else if (beforeSd !== undefined) {
      common.push({ after: row, beforeSd, afterSd: row.errors[MODEL].mean });
    }
  }
  return { common, added, gone: before.length - common.length };
}

/**
 * Scores the national studies with and without the named sources. The family of a survey is left out when the survey is
 * predicted.
 *
 * @throws Error if a source has no studies; StudyFaults for faulty studies
 */
export async function scoreAdded(rawDir: string, sources: readonly string[]): Promise<AddedScores> {
  const samples = await samplesOf(rawDir, sources);
  const before = await score(rawDir, sources);
  const after = await score(rawDir, []);
  const isAdded = (study: Study) => samples.has(sampleKey(study));
  return { sources, ...pairRows(before, after, isAdded) };
}

function commonTable(common: readonly CommonRow[]): string {
  const sets: readonly (readonly [string, readonly CommonRow[]])[] = [
    ['exact', common.filter(({ after }) => after.row.match === 'exact')],
    ['exact and close', common.filter(({ after }) => after.row.match !== 'poor')],
    ['all', common],
  ];
  const rows = sets.map(([label, set]) => {
    const [before, after] = [set.map((row) => row.beforeSd), set.map((row) => row.afterSd)];
    const better = set.filter((row) => Math.abs(row.afterSd) < Math.abs(row.beforeSd)).length;
    const worse = set.filter((row) => Math.abs(row.afterSd) > Math.abs(row.beforeSd)).length;
    const means = [meanAbs(before), meanAbs(after)].map((value) => value.toFixed(4));
    return [label, String(set.length), ...means, String(better), String(worse)];
  });
  return table(['common rows', 'rows', 'before', 'after', 'better', 'worse'], rows);
}

function movedTable(common: readonly CommonRow[]): string {
  const exact = common.filter(({ after }) => after.row.match === 'exact');
  const moved = groupBy(exact, ({ after }) => after.row.measurement)
    .map(([name, rows]) => {
      const before = meanAbs(rows.map((row) => row.beforeSd));
      const after = meanAbs(rows.map((row) => row.afterSd));
      return { name, rows: rows.length, before, after };
    })
    .sort((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before));
  const shown = moved
    .slice(0, LONGEST)
    .map(({ name, rows, before, after }) => [
      ...[name, String(rows), before.toFixed(3), after.toFixed(3), (after - before).toFixed(3)],
    ]);
  return table(['dimension', 'rows', 'before', 'after', 'change'], shown);
}

function addedTables(added: readonly Row[]): string[] {
  if (added.length === 0) return ['No row can be scored: stature, or mass and BMI, are missing.'];
  const names = Object.keys(PREDICTOR_LABELS) as PredictorName[];
  const exact = added.filter(({ row }) => row.match === 'exact');
  const errors = (rows: readonly Row[], name: PredictorName) =>
    two(meanAbs(rows.map((row) => row.errors[name].mean)));
  const byPredictor = names.map((name) => [
    ...[PREDICTOR_LABELS[name], errors(exact, name), errors(added, name)],
  ]);
  const farthest = [...added]
    .sort((a, b) => Math.abs(b.errors[MODEL].mean) - Math.abs(a.errors[MODEL].mean))
    .slice(0, LONGEST)
    .map(({ study, row, errors: found }) => [
      ...[`${study.id}, ${study.gender}`, row.measurement, row.match, two(found[MODEL].mean)],
    ]);
  return [
    table(['predictor', `exact (${exact.length} rows)`, `all (${added.length} rows)`], byPredictor),
    'The rows that the other studies predict worst:',
    table(['study', 'dimension', 'match', 'error, SD'], farthest),
  ];
}

/** The scores as Markdown, which is also readable on a terminal. */
export function addedMarkdown({ sources, common, added, gone }: AddedScores): string {
  const names = sources.join(', ');
  return `${paragraphs([
    `# With and without ${names}`,
    'Mean absolute error in SD of the dimension among US soldiers, given the sample’s own stature, BMI and age. Each survey family is left out when it is predicted.',
    '## Common rows',
    `Rows that both evaluations score: what ${names} does to the prediction of the other studies. ${gone} rows of before are not scored any more.`,
    commonTable(common),
    'Dimensions whose error changed most, exact matches:',
    movedTable(common),
    `## ${names} alone`,
    ...addedTables(added),
  ])}\n`;
}
