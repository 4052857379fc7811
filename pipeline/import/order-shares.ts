import type { DuckDBConnection } from '@duckdb/node-api';
import { CONSTRAINTS } from '../../src/core/constraints.js';
import { queryRows, quoteName } from './duck.js';
import type { Cell, OutputTable, TableColumn } from './importer.js';
import { MINIMUM_CELL } from './statistics.js';

const COLUMNS: readonly TableColumn[] = [
  ['gender', 'Male or Female'],
  ['age_group', 'age group'],
  ['above', 'the dimension that is larger in nearly everybody (`src/core/constraints.ts`)'],
  ['below', 'the smaller one'],
  ['factor', 'how many times the smaller one it is at least'],
  ['n', 'people who have both dimensions (unweighted)'],
  ['broken', `people who break the order; empty for 1 to ${MINIMUM_CELL - 1} people`],
];

/**
 * Computes `orders.csv` from the table `people`: how many people break a constraint of `CONSTRAINTS`. Only constraints whose
 * two dimensions the survey has are counted.
 *
 * @param names dimensions of the survey
 * @param ageGroup SQL of the age group in the columns of `people`
 */
export async function orderShares(
  connection: DuckDBConnection,
  names: readonly string[],
  ageGroup: string,
): Promise<OutputTable> {
  const known = new Set(names);
  const rows: Cell[][] = [];
  for (const { above, below, factor } of CONSTRAINTS) {
    if (!known.has(above) || !known.has(below)) continue;
    const [a, b] = [quoteName(above), quoteName(below)];
    const found = await queryRows(
      connection,
      `SELECT gender, ${ageGroup} AS ages, count(*),
         count(*) FILTER (WHERE ${a} < ${factor} * ${b})
       FROM people WHERE ${a} IS NOT NULL AND ${b} IS NOT NULL
       GROUP BY gender, ages HAVING count(*) >= ${MINIMUM_CELL} ORDER BY gender, ages`,
    );
    for (const [gender, ages, n, broken] of found) {
      const few = Number(broken) > 0 && Number(broken) < MINIMUM_CELL;
      rows.push([
        ...[String(gender), String(ages), above, below, factor, Number(n)],
        few ? null : Number(broken),
      ]);
    }
  }
  return { file: 'orders.csv', columns: COLUMNS, rows };
}
