import type { DuckDBConnection } from '@duckdb/node-api';
import { queryRows } from './duck.js';
import type { OutputTable, TableColumn } from './importer.js';
import { MINIMUM_CELL, sorted } from './statistics.js';

const COLUMNS: readonly TableColumn[] = [
  ['gender', 'Male or Female'],
  ['period', 'cycles that are pooled'],
  ['age_years', 'completed years'],
  ['variable', 'measurement name, or a driver (mass, BMI)'],
  ['n', `people measured whose age in months was released (unweighted), at least ${MINIMUM_CELL}`],
  ['mean_age', 'mean age in years'],
  ['slope', 'change of ln of the variable in one year of age'],
  ['sd', 'standard deviation of ln of the variable'],
  ['sd_at_age', 'the same at an exact age: about a line on age'],
];

/** Completed years of the table. */
const [YOUNGEST, OLDEST] = [1, 5] as const;

/** ln of each variable, from the columns of `people`. */
const LOGARITHMS: Readonly<Record<string, string>> = {
  Stature: 'ln(Stature)',
  BodyMass: 'ln(BodyMass)',
  Bmi: 'ln(BodyMass) - 2 * ln(Stature / 1000)',
  UpperArmCircumferenceMidpoint: 'ln(UpperArmCircumferenceMidpoint)',
};

/**
 * Computes `exact_ages.csv` from the table `people`, whose age groups begin with the period and a slash, and whose
 * column `AgeMonths` is null where no months were released. It has the weighted SD of ln of a variable about a line on
 * age, within completed years of age. Ages are in whole months, so the variance that remains within a month, slope² ÷
 * 1728, is taken off.
 */
export async function exactAges(connection: DuckDBConnection): Promise<OutputTable> {
  const parts = Object.entries(LOGARITHMS).map(
    ([name, sql]) => `SELECT gender, split_part(age_group, '/', 1) AS period, '${name}' AS name,
      floor(AgeMonths / 12) AS year, (AgeMonths + 0.5) / 12 AS a, sample_weight AS w, ${sql} AS x
      FROM people WHERE floor(AgeMonths / 12) BETWEEN ${YOUNGEST} AND ${OLDEST}`,
  );
  const found = await queryRows(
    connection,
    `WITH v AS (SELECT * FROM (${parts.join(' UNION ALL ')}) WHERE x IS NOT NULL),
     middle AS (
       SELECT gender, period, name, year, count(*) AS n, sum(w) AS total,
         sum(w * a) / sum(w) AS ma, sum(w * x) / sum(w) AS mx
       FROM v GROUP BY ALL HAVING n >= ${MINIMUM_CELL}),
     sums AS (
       SELECT gender, period, name, year, n, ma,
         sum(w * (a - ma) ** 2) / total AS aa, sum(w * (a - ma) * (x - mx)) / total AS ax,
         sum(w * (x - mx) ** 2) / total AS xx
       FROM v JOIN middle USING (gender, period, name, year)
       GROUP BY gender, period, name, year, n, ma, total)
     SELECT gender, period, year, name, n, ma, ax / aa, sqrt(xx * n / (n - 1)),
       sqrt((xx - ax * ax / aa) * n / (n - 2) - (ax / aa) ** 2 / 1728)
     FROM sums`,
  );
  const rows = found.map(([gender = null, period = null, year, name = null, ...figures]) => [
    ...[gender, period, Number(year), name],
    ...figures.map((figure) => Number(Number(figure).toPrecision(7))),
  ]);
  return { file: 'exact_ages.csv', columns: COLUMNS, rows: sorted(rows, 4) };
}
