import { GRADES } from '../../src/lookup/format.js';
import type { Evaluation } from './evaluation.js';
import { insideText } from './goals.js';
import { percent, table, two } from './markdown.js';
import { groupBy, meanAbs } from './metrics.js';
import { isMet } from './national-means.js';
import { PREDICTOR_LABELS, PREDICTOR_NAMES } from './predictors.js';
import { MODEL_PREDICTOR } from './summary.js';

/** A list of the report: rows that the summary keeps, and columns if the page shows them as a table. */
interface Described<Row extends object> {
  readonly rows: (evaluation: Evaluation) => readonly Row[];
  readonly columns: Readonly<Record<string, (row: Row) => string>>;
}

const describe = <Row extends object>(
  rows: Described<Row>['rows'],
  columns: Described<Row>['columns'] = {},
): Described<Row> => ({ rows, columns });

/** Minimum number of studies for an established error of a dimension, and maximum number of dimensions listed. */
const [ENOUGH_STUDIES, LONGEST] = [5, 4] as const;
/** Ages of the table of grades, years. */
const GRADED_YEARS: ReadonlySet<number> = new Set([0, 10, 25, 60, 80]);

/** Every list of `docs/accuracy.md` but the goals. */
export const TABLES = {
  predictors: describe(
    ({ byFamily, byCountry }) =>
      PREDICTOR_NAMES.map((name) => ({
        predictor: PREDICTOR_LABELS[name],
        rows: byFamily.exact[name].rows,
        exact: byFamily.exact[name].meanAbs,
        bias: byFamily.exact[name].bias,
        all: byFamily.all[name].meanAbs,
        exactByCountry: byCountry.exact[name].meanAbs,
        p5: byFamily.exactP5[name].meanAbs,
        p95: byFamily.exactP95[name].meanAbs,
      })),
    {
      'mean absolute error, SD': ({ predictor }) => predictor,
      exact: ({ exact }) => two(exact),
      bias: ({ bias }) => two(bias),
      'all rows': ({ all }) => two(all),
      'countries left out': ({ exactByCountry }) => two(exactByCountry),
      P5: ({ p5 }) => two(p5),
      P95: ({ p95 }) => two(p95),
    },
  ),
  served: describe(
    ({ served: { family, country } }) =>
      family.map((one) => ({
        ...one,
        byCountry: country.find(({ key }) => key === one.key)?.held,
      })),
    {
      rows: ({ key }) => key,
      number: ({ rows }) => String(rows),
      error: ({ meanAbsSd }) => two(meanAbsSd),
      'inside 90 % interval': ({ held }) => insideText(held),
      'half width': ({ halfWidthSd }) => two(halfWidthSd),
      'inside, countries left out': ({ byCountry = Number.NaN }) => insideText(byCountry),
    },
  ),
  worst: describe(({ byFamily }) =>
    byFamily.byDimension
      .filter(({ studies }) => studies >= ENOUGH_STUDIES)
      .map(({ key, scores }) => ({ dimension: key, meanAbs: scores[MODEL_PREDICTOR].meanAbs }))
      .sort((a, b) => b.meanAbs - a.meanAbs)
      .slice(0, LONGEST),
  ),
  nhanes: describe(
    ({ nhanes }) =>
      groupBy(
        nhanes.filter(({ status }) => status !== 'other definition'),
        ({ measurement }) => measurement,
      ).map(([dimension, errors]) => {
        const of = (status: string, percentiles: readonly number[]) => {
          const chosen = errors.filter((error) => error.status === status);
          const at = chosen.filter(({ percentile }) => percentiles.includes(percentile));
          return at.length === 0 ? undefined : meanAbs(at.map(({ errorSd }) => errorSd));
        };
        return {
          dimension,
          median: of('fitted', [50]),
          tails: of('fitted', [5, 95]),
          leftOutMedian: of('left out', [50]),
          leftOutTails: of('left out', [5, 95]),
        };
      }),
    {
      dimension: ({ dimension }) => dimension,
      'fitted: P50': ({ median }) => (median === undefined ? '–' : two(median)),
      'fitted: P5, P95': ({ tails }) => (tails === undefined ? '–' : two(tails)),
      'left out: P50': ({ leftOutMedian: of }) => (of === undefined ? '–' : two(of)),
      'left out: P5, P95': ({ leftOutTails: of }) => (of === undefined ? '–' : two(of)),
    },
  ),
  grades: describe(
    ({ evidence }) => evidence.filter(({ ageYears }) => GRADED_YEARS.has(ageYears)),
    {
      'age, years': ({ ageYears }) => String(ageYears),
      ...Object.fromEntries(
        GRADES.map((grade, i) => [
          grade,
          ({ counts }: { readonly counts: readonly number[] }) =>
            percent(counts[i] / counts.reduce((sum, count) => sum + count, 0)),
        ]),
      ),
      'half interval': ({ halfInterval }) => `± ${percent(halfInterval)}`,
    },
  ),
  known: describe(({ levels }) => levels.national.filter((figure) => !isMet(figure))),
} as const;

export type TableName = keyof typeof TABLES;

/** Rows of each table, as the summary keeps them. */
export type Rows = { readonly [K in TableName]: ReturnType<(typeof TABLES)[K]['rows']> };

/** The rows of all tables. */
export function tableRows(evaluation: Evaluation): Rows {
  const rows = Object.entries(TABLES).map(([name, { rows }]) => [name, rows(evaluation)]);
  return Object.fromEntries(rows) as Rows;
}

/** A table as Markdown. */
export function tableText<K extends TableName>(name: K, rows: Rows[K]): string {
  const { columns } = TABLES[name] as unknown as Described<object>;
  const cells = (row: object) => Object.values(columns).map((cell) => cell(row));
  return table(Object.keys(columns), rows.map(cells));
}
