import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

/** A value of a survey table. */
export type CellValue = string | number | null;

/** Sources of `rawDir` that have `<table>.csv`, sorted. Sources that are left out are included. */
export function sourcesHolding(rawDir: string, table: string): string[] {
  const names = existsSync(rawDir) ? readdirSync(rawDir) : [];
  return names.filter((name) => existsSync(join(rawDir, name, `${table}.csv`))).sort();
}

/** The number in a cell; undefined if the cell is empty or the column is missing. */
export function cellNumber(cell: CellValue | undefined): number | undefined {
  return cell === null || cell === undefined ? undefined : Number(cell);
}

/** One table as its file has it. */
export interface FileRows {
  readonly path: string;
  readonly columns: readonly string[];
  readonly rows: readonly Record<string, CellValue>[];
}

/** The survey tables under `data/raw`, read through DuckDB. */
export class RawTables {
  private readonly opened = new Set<string>();

  private constructor(
    private readonly connection: DuckDBConnection,
    readonly rawDir: string,
    private readonly without: ReadonlySet<string>,
  ) {}

  /** Opens `rawDir`, leaving out the sources named in `without`. */
  static async open(rawDir: string, without: readonly string[]): Promise<RawTables> {
    // With one thread, sums and orders are the same in every run.
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
    return new RawTables(await instance.connect(), rawDir, new Set(without));
  }

  /** Whether a source is present and not left out. */
  has(source: string): boolean {
    return !this.without.has(source) && existsSync(join(this.rawDir, source, 'SOURCE.md'));
  }

  /** Sources that are present, not left out, and have `<table>.csv`, sorted. */
  sourcesWith(table: string): string[] {
    return sourcesHolding(this.rawDir, table).filter((source) => this.has(source));
  }

  /** The sources whose tables were read so far, sorted. */
  get sourcesRead(): string[] {
    return [...this.opened].sort();
  }

  /** The sources left out, sorted. */
  get leftOut(): string[] {
    return [...this.without].sort();
  }

  /**
   * All rows of `<source>/<table>.csv`, in the given order.
   *
   * @throws Error naming the source when it is missing or was left out
   */
  async rows(
    source: string,
    table: string,
    orderBy: string,
  ): Promise<readonly Record<string, CellValue>[]> {
    if (!this.has(source)) {
      throw new Error(`The model cannot be built without the source ${source}.`);
    }
    this.opened.add(source);
    return (await this.read(this.pathOf(source, table), `ORDER BY ${orderBy}`)).rows;
  }

  /** Path of `<source>/<table>.csv`. */
  pathOf(source: string, table: string): string {
    return join(this.rawDir, source, `${table}.csv`);
  }

  /**
   * The columns of `<source>/<table>.csv`, and its rows in the order of the file. A line break within a
   * field shifts the line numbers after it.
   *
   * @param evenLeftOut also reads a source that was left out
   * @throws Error when the source is missing or the file is no table
   */
  async fileRows(source: string, table: string, evenLeftOut = false): Promise<FileRows> {
    if (!evenLeftOut && !this.has(source)) throw new Error(`There is no source ${source}.`);
    if (this.has(source)) this.opened.add(source);
    const path = this.pathOf(source, table);
    return { path, ...(await this.read(path, '')) };
  }

  private async read(path: string, tail: string): Promise<Omit<FileRows, 'path'>> {
    // Namibia's country code is NA, so only an empty field counts as missing. Guessing delimiter and quotes would double
    // the time.
    const reader = await this.connection.runAndReadAll(
      `SELECT * FROM read_csv('${path.replaceAll("'", "''")}', header = true, nullstr = '', sample_size = -1,
         delim = ',', quote = '"', escape = '"')
       ${tail}`,
    );
    // Columns are read one by one, because DuckDB's own row objects take three times as long.
    const names = reader.columnNames();
    const columns = reader.getColumnsJS();
    const rows: Record<string, CellValue>[] = Array.from(
      { length: reader.currentRowCount },
      () => ({}),
    );
    columns.forEach((values, c) => {
      const name = names[c] as string;
      values.forEach((value, i) => {
        (rows[i] as Record<string, CellValue>)[name] =
          typeof value === 'bigint' ? Number(value) : (value as CellValue);
      });
    });
    return { columns: names, rows };
  }

  /** Releases DuckDB. */
  close(): void {
    this.connection.closeSync();
  }
}
