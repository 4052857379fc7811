import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { queryNumber, queryRows, quoteName, quoteText } from './duck.js';
import { type FileSpec, fileLabel, ImportRefusal } from './importer.js';

const FETCH_AGAIN = 'Fetch the file again from its publisher';

/** Name, size and digest of an input file, for SOURCE.md. */
export interface InputDigest {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Size and sha256 of a file.
 *
 * @throws ImportRefusal when it cannot be read.
 */
export async function digestFile(path: string): Promise<InputDigest> {
  const name = basename(path);
  try {
    const content = await readFile(path);
    return {
      name,
      bytes: content.byteLength,
      sha256: createHash('sha256').update(content).digest('hex'),
    };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new ImportRefusal(name, `cannot be read (${code})`, 'Check the path');
  }
}

/** A reader error in one line, without the paths that DuckDB's messages contain. */
function readerFault(error: unknown): string {
  const line = /on Line: (\d+)/i.exec(error instanceof Error ? error.message : '')?.[1];
  return line === undefined
    ? 'is not a readable CSV file'
    : `is not a complete CSV file: line ${line} is broken`;
}

async function readText(connection: DuckDBConnection, path: string, table: string): Promise<void> {
  const name = basename(path);
  // All columns are first read as text, because a guessed type could hide a word among numbers.
  const options = `header = true, delim = ',', quote = '"', all_varchar = true, strict_mode = true`;
  try {
    await connection.run(
      `CREATE TABLE ${table} AS SELECT * FROM read_csv(${quoteText(path)}, ${options})`,
    );
  } catch (error) {
    throw new ImportRefusal(name, readerFault(error), FETCH_AGAIN);
  }
}

async function checkColumns(
  connection: DuckDBConnection,
  table: string,
  name: string,
  spec: FileSpec,
): Promise<void> {
  const described = await queryRows(connection, `DESCRIBE ${table}`);
  const present = new Set(described.map((row) => String(row[0])));
  const absent = [...spec.numbers, ...(spec.texts ?? [])].filter((c) => !present.has(c));
  if (absent.length === 0) return;
  const shown = absent.slice(0, 4).join(', ') + (absent.length > 4 ? ', …' : '');
  throw new ImportRefusal(
    name,
    `lacks ${absent.length} of the required columns (${shown})`,
    `Give ${fileLabel(spec)} here; --help shows the order of the files`,
  );
}

async function checkRows(
  connection: DuckDBConnection,
  table: string,
  name: string,
  spec: FileSpec,
): Promise<void> {
  const rows = (await queryNumber(connection, `SELECT count(*) FROM ${table}`)) ?? 0;
  if (rows === spec.rows) return;
  const fault = rows < spec.rows ? 'truncated?' : 'another edition?';
  throw new ImportRefusal(name, `has ${rows} rows, not ${spec.rows} (${fault})`, FETCH_AGAIN);
}

async function castColumns(
  connection: DuckDBConnection,
  raw: string,
  table: string,
  name: string,
  spec: FileSpec,
): Promise<void> {
  for (const column of spec.numbers) {
    const field = quoteName(column);
    const bad = await queryRows(
      connection,
      `SELECT count(*), min(${field}) FROM ${raw}
       WHERE trim(${field}) <> '' AND TRY_CAST(${field} AS DOUBLE) IS NULL`,
    );
    if (Number(bad[0]?.[0] ?? 0) > 0) {
      const example = String(bad[0]?.[1] ?? '').slice(0, 24);
      const reason = `column ${column} has text instead of a number ("${example}")`;
      throw new ImportRefusal(name, reason, FETCH_AGAIN);
    }
  }
  const numbers = spec.numbers.map((column) => {
    const number = `TRY_CAST(${quoteName(column)} AS DOUBLE)`;
    const value = spec.missing === undefined ? number : `nullif(${number}, ${spec.missing})`;
    return `${value} AS ${quoteName(column)}`;
  });
  const texts = (spec.texts ?? []).map((column) => quoteName(column));
  const fields = ['row_number() OVER () AS row_id', ...numbers, ...texts].join(', ');
  await connection.run(`CREATE TABLE ${table} AS SELECT ${fields} FROM ${raw}`);
  await connection.run(`DROP TABLE ${raw}`);
}

/**
 * @param more continues the advice
 * @throws ImportRefusal unless a figure lies within its limits
 */
export function checkFigure(
  name: string,
  { what, low, high }: { readonly what: string; readonly low: number; readonly high: number },
  value: number | null,
  more = '',
): void {
  if (value !== null && value >= low && value <= high) return;
  const found = value === null ? 'nothing' : String(Number(value.toPrecision(6)));
  throw new ImportRefusal(
    name,
    `${what} is ${found}, expected ${low} to ${high}`,
    `Check that it is the right file and that its units were not converted${more}`,
  );
}

async function checkFigures(
  connection: DuckDBConnection,
  table: string,
  name: string,
  spec: FileSpec,
): Promise<void> {
  for (const [what, aggregate, low, high, where] of spec.figures) {
    const sql = `SELECT ${aggregate} FROM ${table}${where === undefined ? '' : ` WHERE ${where}`}`;
    checkFigure(name, { what, low, high }, await queryNumber(connection, sql));
  }
}

/**
 * Reads a CSV file (plain or .gz) into `table` with typed columns and `row_id`. It checks the columns, the number of
 * rows, the numbers and the figures of the specification.
 *
 * @throws ImportRefusal at the first check that fails; it names the file
 */
export async function loadChecked(
  connection: DuckDBConnection,
  path: string,
  table: string,
  spec: FileSpec,
): Promise<void> {
  const name = basename(path);
  const raw = `${table}_text`;
  await readText(connection, path, raw);
  await checkColumns(connection, raw, name, spec);
  await checkRows(connection, raw, name, spec);
  await castColumns(connection, raw, table, name, spec);
  await checkFigures(connection, table, name, spec);
}
