import type { DuckDBConnection } from '@duckdb/node-api';
import { queryRows, quoteName } from './duck.js';
import type { Cell, OutputTable, TableColumn } from './importer.js';
import { MINIMUM_CELL, sorted } from './statistics.js';

/** Fields of a dimension's regression, in the order of the covariances in the table. */
const FIELDS = [
  ['dimension', undefined],
  ['stature', 'Stature'],
  ['bmi', 'Bmi'],
  ['age', 'AgeYears'],
] as const;

const PAIRS = FIELDS.flatMap(([a], i) => FIELDS.slice(i).map(([b]) => [a, b] as const));

const COLUMNS: readonly TableColumn[] = [
  ['gender', 'Male or Female'],
  ['age_group', 'age group'],
  ['variable', 'the dimension'],
  ['n', 'people with the dimension, stature, mass and age, at least 10'],
  ...FIELDS.map(
    ([name]): TableColumn => [
      `mean_${name}`,
      `mean of ${name === 'age' ? 'age in years' : `ln ${name}`} over those people`,
    ],
  ),
  ...PAIRS.map(
    ([a, b]): TableColumn => [
      `cov_${a}_${b}`,
      `${a === b ? 'variance' : 'covariance'} likewise, n - 1`,
    ],
  ),
];

/**
 * Computes `subsamples.csv` from the table `people`: for each dimension, the means and covariances of its logarithm, ln
 * stature, ln BMI and age over the people who have all four. A regression therefore uses one sample, even if the survey
 * measured a dimension on only a part of its people.
 *
 * @param weighted whether people have the survey's sample weight; otherwise all have equal weights
 */
export async function subsampleStatistics(
  connection: DuckDBConnection,
  dimensions: readonly string[],
  weighted = false,
): Promise<OutputTable> {
  const rows: Cell[][] = [];
  const mean = weighted ? (x: string) => `sum(w * ${x}) / sum(w)` : (x: string) => `avg(${x})`;
  const covariance = (a: string, b: string): string =>
    weighted
      ? `(${mean(`${a} * ${b}`)} - ${mean(a)} * ${mean(b)}) * count(*) / (count(*) - 1)`
      : `covar_samp(${a}, ${b})`;
  const figures = [
    ...FIELDS.map(([name]) => mean(name)),
    ...PAIRS.map(([a, b]) => covariance(a, b)),
  ].join(', ');
  for (const dimension of dimensions) {
    const fields = FIELDS.map(([name, of = dimension]) =>
      of === 'AgeYears' ? `AgeYears AS ${name}` : `ln(${quoteName(of)}) AS ${name}`,
    ).join(', ');
    const complete = FIELDS.map(([name]) => `${name} IS NOT NULL`).join(' AND ');
    const found = await queryRows(
      connection,
      `SELECT gender, age_group, count(*) AS n, ${figures}
       FROM (SELECT gender, age_group, row_id, sample_weight AS w, ${fields} FROM people) WHERE ${complete}
       GROUP BY gender, age_group HAVING n >= ${MINIMUM_CELL}`,
    );
    for (const [gender = null, group = null, ...rest] of found) {
      rows.push([gender, group, dimension, ...rest.map(Number)]);
    }
  }
  return { file: 'subsamples.csv', columns: COLUMNS, rows: sorted(rows, 3) };
}
