import type { DuckDBConnection } from '@duckdb/node-api';
import { COUNTRIES } from '../../src/core/countries.js';
import { queryNamed, queryRows, quoteName, quoteText } from './duck.js';
import {
  type ImportContext,
  type Importer,
  ImportRefusal,
  type OutputTable,
  type TableColumn,
} from './importer.js';

/**
 * A table from one query whose columns have the names of `columns`, in any order. Use it for printed figures: if
 * columns were swapped, each number would still be plausible.
 *
 * @throws Error for a column that is missing or not in `columns`
 */
export async function namedTable(
  connection: DuckDBConnection,
  file: string,
  columns: readonly TableColumn[],
  sql: string,
): Promise<OutputTable> {
  const names = columns.map(([name]) => name);
  return { file, columns, rows: await queryNamed(connection, sql, names) };
}

/** Name, meaning, and SQL over the columns of the rows. */
export type PublishedColumn = readonly [...TableColumn, sql: string];

/**
 * A table from one query.
 *
 * @param rest the query after its columns: FROM, WHERE, GROUP BY, ORDER BY
 */
export async function selectedTable(
  connection: DuckDBConnection,
  file: string,
  columns: readonly PublishedColumn[],
  rest: string,
): Promise<OutputTable> {
  const fields = columns.map(([name, , sql]) => `${sql} AS ${quoteName(name)}`);
  const rows = await queryRows(connection, `SELECT ${fields.join(', ')} ${rest}`);
  return { file, columns: columns.map(([name, meaning]) => [name, meaning]), rows };
}

/** One output of a published table: a list of columns over rows of the input. */
interface PublishedOutput {
  readonly columns: readonly PublishedColumn[];
  /** Number of the file whose rows are written; by default the first one, 0. */
  readonly input?: number;
  /** SQL of the rows, given the table of the file. By default, the table with the countries of its rows. */
  readonly from?: (table: string) => string;
  /** SQL condition on the columns of `from`. */
  readonly where?: string;
  /** Columns by which the rows are sorted; by default all, from the first to the last. */
  readonly orderBy?: readonly string[];
}

/** A source of published tables. */
interface PublishedSource extends Omit<Importer, 'build'> {
  /**
   * The column of the files that names the country, and its kind of codes: those of the service, or ISO 3166-1 alpha-3.
   * If this is set, the table `countries` is defined, and a first file that lacks a country is refused. Countries in
   * `absent` may be missing.
   */
  readonly countries?: {
    readonly column: string;
    readonly codes: 'code' | 'iso3';
    readonly absent?: readonly string[];
  };
  /** Throws ImportRefusal where the tables are not as expected. */
  readonly check?: (context: ImportContext) => Promise<void>;
  /** Tables by the names of their files; without options, only their columns. */
  readonly outputs: Readonly<Record<string, PublishedOutput | readonly PublishedColumn[]>>;
}

/** Makes the importer of a source of published tables. The importer selects, renames and sorts their columns. */
export function publishedImporter(source: PublishedSource): Importer {
  const { countries, check, outputs, ...about } = source;
  return {
    ...about,
    async build(context) {
      const { connection, tables } = context;
      if (countries !== undefined) {
        await defineCountries(connection);
        await refuseMissingCountries(context, countries);
      }
      await check?.(context);
      const written: OutputTable[] = [];
      const { column, codes } = countries ?? {};
      const join =
        countries === undefined ? '' : ` t JOIN countries ON t.${column} = countries.${codes}`;
      for (const [file, output] of Object.entries(outputs)) {
        const { columns, input = 0, from, where = 'true', orderBy } = optionsOf(output);
        const table = tables[input] ?? '';
        const rest = `FROM ${from?.(table) ?? table + join}
          WHERE ${where} ORDER BY ${orderBy?.map(quoteName).join(', ') ?? 'ALL'}`;
        written.push(await selectedTable(connection, file, columns, rest));
      }
      return written;
    },
  };
}

const optionsOf = (output: PublishedOutput | readonly PublishedColumn[]): PublishedOutput =>
  'columns' in output ? output : { columns: output };

/** The column with the country code, which most tables have. */
export const COUNTRY_COLUMN = ['country', 'country code of the service', 'code'] as const;

/** The column with the gender, computed by the given SQL. */
export const genderColumn = (sql: string) => ['gender', 'Male or Female', sql] as const;

/** SQL of the gender from a column that has `male` for men. */
export const genderFrom = (column: string, male: string): string =>
  `CASE ${column} WHEN '${male}' THEN 'Male' ELSE 'Female' END`;

/** SQL that makes one row for each gender from a row with columns for both. */
export const BOTH_GENDERS = "CROSS JOIN (VALUES ('Male'), ('Female')) AS genders(gender)";

/** SQL of a figure that has a column for each gender. Use it on rows of `BOTH_GENDERS`. */
export const ofGender = (male: string, female: string): string =>
  `CASE gender WHEN 'Male' THEN ${male} ELSE ${female} END`;

/** Upper end of the open age group 85+: the highest age that the service answers for. */
const OLDEST_AGE_YEARS = 120;

/** Columns with the first and last age of groups such as `20 to 24` and `85plus`. */
export function ageGroupColumns(column: string) {
  const digits = (pattern: string) => `CAST(regexp_extract(${column}, '${pattern}') AS INTEGER)`;
  return [
    ['age_min', 'first age of the group, completed years', digits('^\\d+')],
    [
      'age_max',
      'last age of the group, completed years; 120 for the open group',
      `CASE WHEN ${column} LIKE '%plus' THEN ${OLDEST_AGE_YEARS} ELSE ${digits('\\d+$')} END`,
    ],
  ] as const;
}

/** Defines `countries(code, iso3)`, the service's 176 codes. */
export async function defineCountries(connection: DuckDBConnection): Promise<void> {
  const values = COUNTRIES.map(({ code, iso3 }) => `(${quoteText(code)}, ${quoteText(iso3)})`);
  await connection.run(
    `CREATE TABLE countries AS SELECT * FROM (VALUES ${values.join(', ')}) AS v(code, iso3)`,
  );
}

/** Refuses a first file that lacks a country of the service. */
async function refuseMissingCountries(
  context: ImportContext,
  { column, codes, absent = [] }: NonNullable<PublishedSource['countries']>,
): Promise<void> {
  const missing = await queryRows(
    context.connection,
    `SELECT code FROM countries
     WHERE ${codes} NOT IN (SELECT ${column} FROM ${context.tables[0] ?? ''}) ORDER BY code`,
  );
  const unknown = missing.map(([code]) => String(code)).filter((code) => !absent.includes(code));
  if (unknown.length === 0) return;
  throw new ImportRefusal(
    context.fileNames[0] ?? '',
    `has no rows for ${unknown.slice(0, 5).join(', ')}`,
    'Fetch the whole file again from its publisher',
  );
}
