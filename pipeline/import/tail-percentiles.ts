import type { DuckDBConnection } from '@duckdb/node-api';
import { queryRows, quoteName } from './duck.js';
import type { Cell, OutputTable, TableColumn } from './importer.js';
import { percentileSql, sorted } from './statistics.js';

/** Minimum number of people of a cell. With this number, two people on average are beyond each percentile. */
const MINIMUM_PEOPLE = 400;
/** Matches age groups in years. Groups under two years are counted in months and have few people. */
const FROM = /\/\d/;

const COLUMNS: readonly TableColumn[] = [
  ['gender', 'Male or Female'],
  ['age_group', 'age group'],
  ['variable', 'the dimension, in mm'],
  ['n', `people measured (unweighted), at least ${MINIMUM_PEOPLE}`],
  ['p0_5', 'percentile 0.5, interpolated between mid-positions'],
  ['p99_5', 'percentile 99.5, likewise'],
];

/**
 * Computes `tails.csv` from the table `people`: weighted outermost percentiles of dimensions, for groups with enough
 * people.
 */
export async function tailPercentiles(
  connection: DuckDBConnection,
  dimensions: readonly string[],
): Promise<OutputTable> {
  const rows: Cell[][] = [];
  for (const dimension of dimensions) {
    const x = quoteName(dimension);
    const found = await queryRows(
      connection,
      `WITH v AS (
         SELECT gender, age_group, sample_weight AS w, ${x} AS x, row_id
         FROM people WHERE ${x} IS NOT NULL),
       placed AS (
         SELECT *, count(*) OVER (PARTITION BY gender, age_group) AS n,
           (sum(w) OVER (PARTITION BY gender, age_group ORDER BY x, row_id
             ROWS UNBOUNDED PRECEDING) - w / 2)
             / sum(w) OVER (PARTITION BY gender, age_group) AS position
         FROM v)
       SELECT gender, age_group, any_value(n), ${percentileSql(0.5)}, ${percentileSql(99.5)}
       FROM placed WHERE n >= ${MINIMUM_PEOPLE}
       GROUP BY gender, age_group ORDER BY gender, age_group`,
    );
    for (const [gender = null, group = null, ...rest] of found) {
      if (!FROM.test(String(group))) continue;
      const figures = rest.map((value) => Number(Number(value).toPrecision(7)));
      rows.push([gender, group, dimension, ...figures]);
    }
  }
  return { file: 'tails.csv', columns: COLUMNS, rows: sorted(rows, 3) };
}
