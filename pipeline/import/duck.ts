import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

/**
 * Opens an in-memory DuckDB with one thread that keeps the order of rows. Sums are therefore added in the order of the
 * rows, and equal inputs give equal bytes.
 */
export async function openDuck(): Promise<{ connection: DuckDBConnection; close: () => void }> {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '1',
    preserve_insertion_order: 'true',
    autoinstall_known_extensions: 'false',
  });
  const connection = await instance.connect();
  const close = (): void => {
    connection.closeSync();
    instance.closeSync();
  };
  return { connection, close };
}

/** A SQL identifier, quoted. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A SQL string literal, quoted. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Rows of a query as arrays in the order of the columns. Integers of any width become numbers. */
export async function queryRows(
  connection: DuckDBConnection,
  sql: string,
): Promise<(string | number | null)[][]> {
  const reader = await connection.runAndReadAll(sql);
  return reader.getRows().map((row) =>
    row.map((value) => {
      if (value === null || value === undefined) return null;
      if (typeof value === 'bigint') return Number(value);
      if (typeof value === 'number' || typeof value === 'string') return value;
      return String(value);
    }),
  );
}

/**
 * Rows of a query. Their fields are in the order of `names`, not of the query.
 *
 * @throws Error for a column that is missing, occurs twice or is not in `names`
 */
export async function queryNamed(
  connection: DuckDBConnection,
  sql: string,
  names: readonly string[],
): Promise<(string | number | null)[][]> {
  const found = (await connection.runAndReadAll(`DESCRIBE ${sql}`))
    .getRows()
    .map(([name]) => String(name));
  const wrong = [
    ...names.filter((name) => !found.includes(name)).map((name) => `${name} is missing`),
    ...found
      .filter((name, i) => !names.includes(name) || found.indexOf(name) !== i)
      .map((name) => `${name} is not asked for`),
  ];
  if (wrong.length > 0) throw new Error(`columns of the query: ${wrong.join(', ')}`);
  return queryRows(connection, `SELECT ${names.map(quoteName).join(', ')} FROM (${sql})`);
}

/** The single number that a query returns; null if it has no result. */
export async function queryNumber(
  connection: DuckDBConnection,
  sql: string,
): Promise<number | null> {
  const value = (await queryRows(connection, sql))[0]?.[0] ?? null;
  return value === null ? null : Number(value);
}
