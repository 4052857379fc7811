import { GRADES } from '../../src/lookup/format.js';
import { inWords } from '../../src/site/labels.js';
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
const [ENOUGH_STUDIES, LONGEST] = [5, 3] as const;
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
        exactByCountry: byCountry.exact[name].meanAbs,
      })),
    {
      'mean absolute error, SD': ({ predictor }) => predictor,
      exact: ({ exact }) => two(exact),
      bias: ({ bias }) => two(bias),
      'countries left out': ({ exactByCountry }) => two(exactByCountry),
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
      'inside, countries left out': ({ byCountry = Number.NaN }) => insideText(byCountry),
    },
  ),
  millimetres: describe(({ served }) => served.inMm, {
    measurement: ({ name }) => inWords(name),
    studies: ({ studies }) => String(studies),
    'error, mm': ({ meanAbsMm }) => meanAbsMm.toFixed(1),
  }),
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
        nhanes.filter(({ status }) => status === 'left out'),
        ({ measurement }) => measurement,
      ).map(([dimension, errors]) => {
        const of = (percentiles: readonly number[]) => {
          const at = errors.filter(({ percentile }) => percentiles.includes(percentile));
          return meanAbs(at.map(({ errorSd }) => errorSd));
        };
        return { dimension, leftOutMedian: of([50]), leftOutTails: of([5, 95]) };
      }),
    {
      dimension: ({ dimension }) => inWords(dimension),
      P50: ({ leftOutMedian }) => two(leftOutMedian),
      'P5, P95': ({ leftOutTails }) => two(leftOutTails),
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
