import type { DuckDBConnection } from '@duckdb/node-api';
import { queryRows } from './duck.js';
import type { OutputTable, TableColumn } from './importer.js';
import { compareText, MINIMUM_CELL } from './statistics.js';

const COLUMNS: readonly TableColumn[] = [
  { name: 'gender', meaning: 'Male or Female' },
  { name: 'cycle', meaning: 'cycle of the survey' },
  { name: 'year', meaning: 'middle of the cycle' },
  { name: 'age_group', meaning: 'age group' },
  { name: 'n', meaning: `people with stature and mass (unweighted), at least ${MINIMUM_CELL}` },
  { name: 'n_effective', meaning: 'effective number of people: (sum w)^2 / sum w^2' },
  { name: 'mean_ln_stature', meaning: 'mean of ln stature in mm' },
  { name: 'mean_ln_bmi', meaning: 'mean of ln BMI in kg/m2' },
  { name: 'sd_ln_bmi', meaning: 'standard deviation of ln BMI' },
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
  const key = (row: (typeof rows)[number]): string => row.slice(0, 4).join('\u0000');
  rows.sort((a, b) => compareText(key(a), key(b)));
  return { file: 'cycles.csv', columns: COLUMNS, rows };
}
