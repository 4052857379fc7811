import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { projectDir } from '../../src/core/project-dir.js';
import { type Dimension, dimensionsOf } from './dimensions.js';
import { queryNumber, queryRows, quoteName, quoteText } from './duck.js';
import type { FigureCheck, ImportContext } from './importer.js';
import { checkFigure } from './input.js';
import type { StatisticVariable } from './statistics.js';

/** A variable, and the SQL expression that computes it from the columns of a survey. */
export interface PersonVariable extends StatisticVariable {
  readonly sql: string;
}

/**
 * Share by which a median may differ from the median of the committed table. The same file gives the same median. Some
 * columns are short parts of a long dimension, so a conversion of their unit changes the median by 6 % only.
 */
const MEDIAN_TOLERANCE = 0.05;

/** Differences between dimensions, which can be zero. All other lengths are positive. */
const LINEAR_DIMENSIONS: ReadonlySet<string> = new Set(['EyeBodyCentreDistance']);

/** A dimension counts as misread if it is farther from the median of its cell than this, in robust SDs. */
const SCREEN_LIMIT = 6;

/** Smallest robust SD of a logarithm. Without it, values next to the median could be removed if readings are coarse. */
const SCREEN_FLOOR = 0.02;

/** Dimensions as variables in mm. */
export function dimensionVariables(dimensions: readonly Dimension[]): PersonVariable[] {
  return dimensions.map(([name, sql]) => ({
    name,
    sql,
    unit: 'mm',
    linear: LINEAR_DIMENSIONS.has(name),
  }));
}

/**
 * The drivers of a survey as variables: mass in kg, BMI in kg/m² and age in years.
 *
 * @param massKg SQL for mass in kg
 * @param statureMm SQL for stature in mm
 * @param ageYears SQL for age in years
 */
export function driverVariables(
  massKg: string,
  statureMm: string,
  ageYears: string,
): PersonVariable[] {
  return [
    { name: 'BodyMass', unit: 'kg', sql: massKg },
    { name: 'Bmi', unit: 'kg/m2', sql: `(${massKg}) / ((${statureMm}) / 1000) ** 2` },
    { name: 'AgeYears', unit: 'years', sql: ageYears, linear: true },
  ];
}

/** Dimensions, drivers and the square of age, for a survey that pools all adults. */
export function adultVariables(
  survey: string,
  massKg: string,
  statureMm: string,
  ageYears: string,
): readonly PersonVariable[] {
  return [
    ...dimensionVariables(dimensionsOf(survey)),
    ...driverVariables(massKg, statureMm, ageYears),
    { name: 'AgeYearsSquared', unit: 'years2', sql: `(${ageYears}) ** 2`, linear: true },
  ];
}

/** Checks the mean of a column against the figure that a source prints. */
export function publishedMean(
  column: string,
  unit: string,
  source: string,
  mean: number,
  tolerance: number,
): FigureCheck {
  const what = `mean ${column} in ${unit} (${source}: ${mean})`;
  return [what, `avg(${column})`, mean - tolerance, mean + tolerance];
}

/** The columns of the file that the SQL of variables reads. */
export function columnsOf(variables: readonly PersonVariable[]): string[] {
  const words = variables.flatMap(({ sql }) => [
    ...sql.matchAll(/"([^"]+)"|\b([A-Za-z_]\w*)\b(?!\()/g),
  ]);
  const names = new Set(words.map(([, quoted, plain]) => quoted ?? plain ?? ''));
  return [...names].filter((name) => name !== 'gender' && name !== 'NULL');
}

/** SQL for the adults of files, all in one group. If a file has no column `Gender`, its gender is given. */
export function adultsSql(tables: readonly string[], genders: readonly string[] = []): string {
  const files = tables.map((table, i) => {
    const gender = genders[i];
    return `SELECT *${gender === undefined ? '' : `, '${gender}' AS gender`} FROM ${table}`;
  });
  const all = files.join(' UNION ALL BY NAME ');
  return `SELECT *, 'adult' AS age_group, 1.0 AS sample_weight FROM (${all})`;
}

/** Defines the SQL functions that `dimensions.json` uses. */
async function defineMacros(connection: DuckDBConnection): Promise<void> {
  // `greatest()` ignores nulls. A missing part must make the dimension missing.
  await connection.run(
    `CREATE OR REPLACE MACRO by_gender(gender, male, female) AS
       CASE WHEN gender = 'Male' THEN male ELSE female END`,
  );
  await connection.run('CREATE OR REPLACE MACRO larger_of(a, b) AS greatest(a, b) + 0 * (a + b)');
  await connection.run(
    'CREATE OR REPLACE MACRO largest_of(a, b, c) AS greatest(a, b, c) + 0 * (a + b + c)',
  );
}

/**
 * Refuses columns whose names differ only in case. DuckDB would use the first of them, so a survey's WEIGHT could
 * become the sample weight without an error.
 */
async function refuseSharedNames(connection: DuckDBConnection, rowsSql: string): Promise<void> {
  const reader = await connection.runAndReadAll(`SELECT * FROM (${rowsSql}) LIMIT 0`);
  const names = reader.columnNames().map((name) => name.toLowerCase().replace(/_1$/, ''));
  const shared = names.find((name, index) => names.indexOf(name) !== index);
  if (shared !== undefined) throw new Error(`two columns of the survey are called ${shared}`);
}

/**
 * Creates the table `people` from a query with row_id, gender, age_group, sample_weight and the columns that the
 * variables need. People without an age group are left out.
 */
export async function createPeople(
  connection: DuckDBConnection,
  rowsSql: string,
  variables: readonly PersonVariable[],
): Promise<void> {
  await defineMacros(connection);
  await refuseSharedNames(connection, rowsSql);
  const fields = variables.map((v) => `CAST(${v.sql} AS DOUBLE) AS ${quoteName(v.name)}`);
  await connection.run(`
    CREATE OR REPLACE TABLE people AS
    SELECT row_id, gender, age_group, sample_weight, ${fields.join(', ')}
    FROM (${rowsSql}) WHERE age_group IS NOT NULL
    ORDER BY gender, age_group, row_id`);
}

/** Tables of medians in the folder of a source: the file, and its columns of variables and of medians. */
const KNOWN_MEDIANS = [
  ['moments.csv', 'variable', 'p50'],
  ['origins.csv', 'variable', 'p50'],
  ['studies.csv', 'measurement', 'p50_mm'],
] as const;

/**
 * Creates the table `people` and checks its units. The median of each variable, as a mean over the groups of a gender,
 * must agree with the committed table of the survey.
 *
 * @param source folder below `data/raw` of the committed table
 * @throws ImportRefusal for a variable that is probably in another unit
 */
export async function createCheckedPeople(
  { connection, fileNames }: ImportContext,
  source: string,
  rowsSql: string,
  variables: readonly PersonVariable[],
): Promise<void> {
  await createPeople(connection, rowsSql, variables);
  for (const [file, variable, median] of KNOWN_MEDIANS) {
    const path = join(projectDir(), 'data/raw', source, file);
    if (!existsSync(path)) continue;
    const found = await queryRows(
      connection,
      `WITH groups AS (
         SELECT gender, name, count(*) AS n, median(value) AS median
         FROM (UNPIVOT people ON ${variables.map(({ name }) => quoteName(name)).join(', ')}
           INTO NAME name VALUE value)
         GROUP BY gender, age_group, name),
       known AS (
         SELECT gender, ${variable} AS name, sum(n * ${median}) / sum(n) AS known
         FROM read_csv(${quoteText(path)}) GROUP BY ALL)
       SELECT gender, name, sum(n * median) / sum(n), any_value(known)
       FROM groups JOIN known USING (gender, name) GROUP BY gender, name ORDER BY gender, name`,
    );
    for (const [gender, name, value, known] of found) {
      const what = `median of ${name} (${gender})`;
      const [low, high] = [1 - MEDIAN_TOLERANCE, 1 + MEDIAN_TOLERANCE].map((share) =>
        Number((share * Number(known)).toPrecision(6)),
      ) as [number, number];
      const more = `; if the expression of ${name} has changed, remove ${name} from data/raw/${source}/${file} first`;
      checkFigure(fileNames.join(', '), { what, low, high }, Number(value), more);
    }
  }
}

/**
 * Sets misread dimensions of `people` to missing: values that are not above zero, and values whose logarithm is more
 * than six robust SDs from the median of their gender and age group. Mass and BMI do not change, because their long
 * upper tail is real.
 *
 * @returns the number of values set to missing
 */
export async function screenMisreadings(
  connection: DuckDBConnection,
  variables: readonly PersonVariable[],
): Promise<number> {
  let screened = 0;
  for (const variable of variables) {
    if (variable.unit !== 'mm') continue;
    const x = quoteName(variable.name);
    const counted = `SELECT count(${x}) FROM people`;
    const before = (await queryNumber(connection, counted)) ?? 0;
    await connection.run(`UPDATE people SET ${x} = NULL WHERE ${x} <= 0`);
    await connection.run(`
      UPDATE people SET ${x} = NULL FROM (
        SELECT gender, age_group, median(ln(${x})) AS middle,
          greatest(1.4826 * mad(ln(${x})), ${SCREEN_FLOOR}) AS spread
        FROM people GROUP BY gender, age_group) AS cell
      WHERE people.gender = cell.gender AND people.age_group = cell.age_group
        AND abs(ln(people.${x}) - middle) > ${SCREEN_LIMIT} * spread`);
    screened += before - ((await queryNumber(connection, counted)) ?? 0);
  }
  // Updates may move rows, but sums must be added in the order of the survey.
  await connection.run(
    'CREATE OR REPLACE TABLE people AS SELECT * FROM people ORDER BY gender, age_group, row_id',
  );
  return screened;
}
