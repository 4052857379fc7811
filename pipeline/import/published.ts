import type { DuckDBConnection } from '@duckdb/node-api';
import { COUNTRIES } from '../../src/core/countries.js';
import { queryNamed, queryRows, quoteText } from './duck.js';
import {
  type ImportContext,
  ImportRefusal,
  type OutputTable,
  type TableColumn,
} from './importer.js';

/** Remark on every table from NCD-RisC. */
export const NCDRISC_TERMS =
  'NCD-RisC: terms for commercial use beyond the CC BY paper could not be read; operators may leave the source out with `--without <source>`.';

/**
 * SQL for a gamma fit of BMI that describes people. The search for the two parameters can stop far
 * away from them; mean (kg/m²) and SD ÷ mean of such a fit are those of no population.
 */
export const SANE_BMI_FIT =
  'converged = 1 AND bmi_mean BETWEEN 12 AND 45 AND bmi_sd / bmi_mean BETWEEN 0.05 AND 0.4';

/** A table from one query with sorted rows and its columns in the order of `columns`. */
export async function queryTable(
  connection: DuckDBConnection,
  file: string,
  columns: readonly TableColumn[],
  sql: string,
): Promise<OutputTable> {
  return { file, columns, rows: await queryRows(connection, sql) };
}

/**
 * A table from one query whose columns have the names of `columns`, in any order. Use it for printed
 * figures, where a swapped column is still a plausible number.
 *
 * @throws Error for a column that is missing or not asked for
 */
export async function namedTable(
  connection: DuckDBConnection,
  file: string,
  columns: readonly TableColumn[],
  sql: string,
): Promise<OutputTable> {
  const names = columns.map(({ name }) => name);
  return { file, columns, rows: await queryNamed(connection, sql, names) };
}

/** Columns from pairs of name and meaning. */
export function tableColumns(
  pairs: readonly (readonly [name: string, meaning: string])[],
): TableColumn[] {
  return pairs.map(([name, meaning]) => ({ name, meaning }));
}

/** Defines `countries(code, iso3)`, the service's 176 codes. */
export async function defineCountries(connection: DuckDBConnection): Promise<void> {
  const values = COUNTRIES.map(({ code, iso3 }) => `(${quoteText(code)}, ${quoteText(iso3)})`);
  await connection.run(
    `CREATE TABLE countries AS SELECT * FROM (VALUES ${values.join(', ')}) AS v(code, iso3)`,
  );
}

/**
 * Refuses a file that lacks a country of the service.
 *
 * @param isoColumn column of ISO 3166-1 alpha-3 codes in the table of file `index`
 * @param known countries that are known to be absent
 */
export async function refuseMissingCountries(
  context: ImportContext,
  index: number,
  isoColumn: string,
  known: readonly string[] = [],
): Promise<void> {
  const absent = await queryRows(
    context.connection,
    `SELECT code FROM countries
     WHERE iso3 NOT IN (SELECT ${isoColumn} FROM ${context.tables[index] ?? ''}) ORDER BY code`,
  );
  const codes = absent.map(([code]) => String(code)).filter((code) => !known.includes(code));
  if (codes.length === 0) return;
  throw new ImportRefusal(
    context.fileNames[index] ?? '',
    `has no rows for ${codes.slice(0, 5).join(', ')}`,
    'Fetch the whole file again from its publisher',
  );
}
