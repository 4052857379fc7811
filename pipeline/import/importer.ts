import type { DuckDBConnection } from '@duckdb/node-api';

/** A value of an output row; null is written as an empty field. */
export type Cell = string | number | null;

/** An import that is refused. The message names the file and says what to do. It is no programming error. */
export class ImportRefusal extends Error {
  readonly file: string;
  readonly reason: string;
  readonly remedy: string;

  constructor(file: string, reason: string, remedy: string) {
    super(`${file}: ${reason}. ${remedy}`);
    this.name = 'ImportRefusal';
    this.file = file;
    this.reason = reason;
    this.remedy = remedy;
  }
}

/**
 * A check of a file. A SQL aggregate over its table, or over the rows of a condition, must lie between two limits. The name
 * of the figure with its unit and, for a published mean, its source is shown if the check fails.
 */
export type FigureCheck = readonly [
  ...[what: string, sql: string, low: number, high: number, where?: string],
];

/** One input file of an importer. */
export interface FileSpec {
  readonly label: string;
  /** Number of rows. A file with another number is refused. */
  readonly rows: number;
  /** Columns read as numbers, spelled as in the header. */
  readonly numbers: readonly string[];
  /** Columns read as text. */
  readonly texts?: readonly string[];
  /** Value of a missing number, besides the empty field. */
  readonly missing?: number;
  readonly figures: readonly FigureCheck[];
}

/** Name of a file in `--help` and in refusals. */
export const fileLabel = ({ label, rows }: FileSpec): string => `${label} (CSV, ${rows} rows)`;

/** Name and meaning of a column of an output table. */
export type TableColumn = readonly [name: string, meaning: string];

/** A table to write. The rows are sorted, and their cells are in the order of the columns. */
export interface OutputTable {
  readonly file: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly Cell[])[];
}

/** The checked inputs of an importer. */
export interface ImportContext {
  readonly connection: DuckDBConnection;
  /** Names of the DuckDB tables of the checked files, in the order of the files. */
  readonly tables: readonly string[];
  /** Base names of the files in the same order. Refusals show them. */
  readonly fileNames: readonly string[];
  readonly log: (line: string) => void;
}

/** One survey: its input files, and the tables made from it. Its SOURCE.md describes it. */
export interface Importer {
  /** Name on the command line. The directory under `data/raw` has the same name. */
  readonly source: string;
  readonly files: readonly FileSpec[];
  readonly build: (context: ImportContext) => Promise<readonly OutputTable[]>;
}
