import type { DuckDBConnection } from '@duckdb/node-api';
import { queryRows } from './duck.js';
import type { OutputTable, TableColumn } from './importer.js';
import { MINIMUM_CELL, sorted } from './statistics.js';

const COLUMNS: readonly TableColumn[] = [
  ['gender', 'Male or Female'],
  ['cycle', 'cycle of the survey'],
  ['year', 'middle of the cycle'],
  ['age_group', 'age group'],
  ['n', `people with stature and mass (unweighted), at least ${MINIMUM_CELL}`],
  ['n_effective', 'effective number of people: (sum w)^2 / sum w^2'],
  ['mean_ln_stature', 'mean of ln stature in mm'],
  ['mean_ln_bmi', 'mean of ln BMI in kg/m2'],
  ['sd_ln_bmi', 'standard deviation of ln BMI'],
];

/**
 * Computes `cycles.csv` from the table `people`, whose age groups begin with the cycle and a slash. It has weighted
 * means of ln stature and ln BMI by cycle, gender and age group.
 *
 * @param years middle of each cycle
 */
export async function cycleMeans(
  connection: DuckDBConnection,
  years: Readonly<Record<string, number>>,
): Promise<OutputTable> {
  const mean = (x: string) => `sum(w * ${x}) / sum(w)`;
  const found = await queryRows(
    connection,
    `SELECT gender, age_group, count(*) AS n, sum(w) ** 2 / sum(w * w),
       ${mean('s')}, ${mean('b')}, sqrt(${mean('b * b')} - (${mean('b')}) ** 2)
     FROM (SELECT gender, age_group, row_id, sample_weight AS w, ln(Stature) AS s, ln(Bmi) AS b
       FROM people WHERE Stature IS NOT NULL AND Bmi IS NOT NULL)
     GROUP BY gender, age_group HAVING n >= ${MINIMUM_CELL}`,
  );
  const rows = found.map(([gender = null, group = null, ...figures]) => {
    const [cycle = '', ages = ''] = String(group).split('/');
    return [gender, cycle, years[cycle] ?? null, ages, ...figures.map(Number)];
  });
  return { file: 'cycles.csv', columns: COLUMNS, rows: sorted(rows, 4) };
}
