import type { DuckDBConnection } from '@duckdb/node-api';
import { queryNumber, queryRows, quoteName } from './duck.js';
import type { Cell, OutputTable, TableColumn } from './importer.js';
import { type PublishedColumn, selectedTable } from './published.js';

/** Cells with fewer people than this are never written. */
export const MINIMUM_CELL = 10;

const PERCENTILES = [1, 5, 10, 25, 50, 75, 90, 95, 99] as const;

/** A variable of a person survey: a column of the `people` table. */
export interface StatisticVariable {
  readonly name: string;
  readonly unit: 'mm' | 'kg' | 'kg/m2' | 'years' | 'years2';
  /** True for a variable that may be zero or negative, and so has no logarithm. */
  readonly linear?: boolean;
}

interface TransformedVariable extends StatisticVariable {
  readonly transform: 'log' | 'linear';
}

const COVARIANCE_COLUMNS: readonly TableColumn[] = [
  ['gender', 'Male or Female'],
  ['age_group', 'age group'],
  ['a', 'variable, first of the pair in alphabetical order'],
  ['b', 'variable, a itself or a later one'],
  ['n', 'people with both (unweighted), at least 10'],
  ['cov', 'covariance of the transformed variables over those people, n - 1'],
];

/** Orders texts by code point, independent of the locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function transformed(variable: TransformedVariable, prefix = ''): string {
  const column = `${prefix}${quoteName(variable.name)}`;
  return variable.transform === 'log' ? `ln(${column})` : column;
}

async function withTransforms(
  connection: DuckDBConnection,
  variables: readonly StatisticVariable[],
): Promise<TransformedVariable[]> {
  const result: TransformedVariable[] = [];
  for (const variable of variables) {
    const minimum = await queryNumber(
      connection,
      `SELECT min(${quoteName(variable.name)}) FROM people`,
    );
    const linear = variable.linear === true || (minimum ?? 0) <= 0;
    result.push({ ...variable, transform: linear ? 'linear' : 'log' });
  }
  return result.sort((a, b) => compareText(a.name, b.name));
}

/** SQL of a percentile over rows with a value `x` and its `position` (0 to 1). */
export function percentileSql(percentile: number): string {
  const p = percentile / 100;
  const below = `FILTER (position <= ${p})`;
  const above = `FILTER (position > ${p})`;
  // x rises with position, so the neighbours are the largest x below and the smallest x above.
  return `CASE WHEN max(x) ${below} IS NULL THEN min(x)
    WHEN min(x) ${above} IS NULL THEN max(x)
    ELSE max(x) ${below} + (min(x) ${above} - max(x) ${below})
      * (${p} - max(position) ${below}) / (min(position) ${above} - max(position) ${below}) END`;
}

/** Weighted moments and percentiles of all variables by gender and age group. */
function momentsTable(
  connection: DuckDBConnection,
  variables: readonly TransformedVariable[],
): Promise<OutputTable> {
  const rows = variables.map((variable) => {
    const x = quoteName(variable.name);
    const { name, transform, unit } = variable;
    return `SELECT '${name}' AS variable, '${transform}' AS transform, '${unit}' AS unit, gender, age_group,
      sample_weight AS w, ${x} AS x, ${transformed(variable)} AS t, row_id FROM people WHERE ${x} IS NOT NULL`;
  });
  const square = (v: string): string => `sum(w * (${v} - m_${v}) ** 2) / any_value(total)`;
  const spread = (v: string): string => `sqrt(${square(v)} * any_value(n) / (any_value(n) - 1))`;
  const skew = (v: string): string =>
    `coalesce(sum(w * (${v} - m_${v}) ** 3) / any_value(total) / nullif((${square(v)}) ** 1.5, 0), 0)`;
  const scale = '`log` (natural) or `linear`: scale of the t_ columns';
  return selectedTable(
    connection,
    'moments.csv',
    [
      ['gender', 'Male or Female', 'gender'],
      ['age_group', 'age group; `adult` is the whole survey', 'age_group'],
      ['variable', 'measurement name, or a driver (mass, BMI, age)', 'variable'],
      ['transform', scale, 'any_value(transform)'],
      ['unit', 'unit of mean, sd and percentiles', 'any_value(unit)'],
      ['n', 'people measured (unweighted), at least 10', 'any_value(n)'],
      ['mean', 'mean', 'any_value(m_x)'],
      ['sd', 'standard deviation, n - 1', spread('x')],
      ['skew', 'third standardised moment', skew('x')],
      ...PERCENTILES.map((p): PublishedColumn => {
        const how = 'interpolated between mid-positions (with few people: the extreme)';
        return [`p${p}`, `percentile ${p}, ${how}`, percentileSql(p)];
      }),
      ['t_mean', 'mean of the transformed variable', 'any_value(m_t)'],
      ['t_sd', 'standard deviation of the transformed variable', spread('t')],
      ['t_skew', 'skewness of the transformed variable', skew('t')],
    ],
    `FROM (
       WITH v AS (
         SELECT * FROM (${rows.join(' UNION ALL ')}) ORDER BY variable, gender, age_group, x, row_id),
       means AS (
         SELECT variable, gender, age_group, count(*) AS n, sum(w) AS total,
           sum(w * x) / sum(w) AS m_x, sum(w * t) / sum(w) AS m_t
         FROM v GROUP BY variable, gender, age_group HAVING count(*) >= ${MINIMUM_CELL})
       SELECT v.*, means.* EXCLUDE (variable, gender, age_group),
         (sum(w) OVER (PARTITION BY variable, gender, age_group ORDER BY x, row_id
           ROWS UNBOUNDED PRECEDING) - w / 2) / total AS position
       FROM v JOIN means USING (variable, gender, age_group)
       ORDER BY variable, gender, age_group, x, row_id)
     GROUP BY gender, age_group, variable ORDER BY gender, age_group, variable`,
  );
}

async function centre(
  connection: DuckDBConnection,
  variables: readonly TransformedVariable[],
): Promise<void> {
  // The variables are centred first. Otherwise the covariance, which is computed in one pass, would lose precision.
  const means = variables.map((v) => `avg(${transformed(v)}) AS ${quoteName(v.name)}`);
  const centred = variables.map((v) => {
    const name = quoteName(v.name);
    return `${transformed(v, 'people.')} - means.${name} AS ${name}`;
  });
  await connection.run(`
    CREATE OR REPLACE TABLE centred AS
    WITH means AS (
      SELECT gender, age_group, ${means.join(', ')} FROM people GROUP BY gender, age_group)
    SELECT gender, age_group, people.sample_weight AS w, ${centred.join(', ')}
    FROM people JOIN means USING (gender, age_group)
    ORDER BY gender, age_group, people.row_id`);
}

function covarianceSql(a: string, b: string): string {
  const [x, y] = [quoteName(a), quoteName(b)];
  const n = `count(${x} * ${y})`;
  const total = `sum(w + 0 * ${x} * ${y})`;
  // Adding a term times zero leaves out people who lack one of the two values.
  const product = `sum(w * ${x} + 0 * ${y}) * sum(w * ${y} + 0 * ${x}) / ${total}`;
  return `${n}, (sum(w * ${x} * ${y}) - ${product}) / ${total} * ${n} / nullif(${n} - 1, 0)`;
}

async function covarianceRows(
  connection: DuckDBConnection,
  variables: readonly TransformedVariable[],
): Promise<Cell[][]> {
  const rows: Cell[][] = [];
  for (const [index, a] of variables.entries()) {
    const others = variables.slice(index);
    const pairs = others.map((b) => covarianceSql(a.name, b.name));
    const found = await queryRows(
      connection,
      `SELECT gender, age_group, ${pairs.join(', ')} FROM centred
       GROUP BY gender, age_group ORDER BY gender, age_group`,
    );
    for (const [gender = null, group = null, ...figures] of found) {
      for (const [position, b] of others.entries()) {
        const n = Number(figures[2 * position] ?? 0);
        const cov = figures[2 * position + 1] ?? null;
        if (n >= MINIMUM_CELL) rows.push([gender, group, a.name, b.name, n, cov]);
      }
    }
  }
  return rows;
}

/** Computes moments.csv from the table `people`; see `surveyStatistics`. */
export async function surveyMoments(
  connection: DuckDBConnection,
  variables: readonly StatisticVariable[],
): Promise<OutputTable> {
  return momentsTable(connection, await withTransforms(connection, variables));
}

/**
 * Computes `moments.csv` and `covariances.csv` from the table `people`. Its columns are row_id, gender, age_group,
 * sample_weight and one DOUBLE column for each variable; null means not measured. All sums are weighted by
 * `sample_weight`; if all weights are 1, they are the ordinary sample statistics. Cells and pairs with fewer than ten
 * people are left out.
 */
export async function surveyStatistics(
  connection: DuckDBConnection,
  variables: readonly StatisticVariable[],
  log: (line: string) => void,
): Promise<[moments: OutputTable, covariances: OutputTable]> {
  log(`moments and covariances of ${variables.length} variables`);
  const withScale = await withTransforms(connection, variables);
  const moments = await momentsTable(connection, withScale);
  await centre(connection, withScale);
  const rows = await covarianceRows(connection, withScale);
  const key = (row: readonly Cell[]) => row.slice(0, 4).join('\u0000');
  rows.sort((a, b) => compareText(key(a), key(b)));
  return [moments, { file: 'covariances.csv', columns: COVARIANCE_COLUMNS, rows }];
}
