import type { DuckDBConnection } from '@duckdb/node-api';

/** A value of an output row; null is written as an empty field. */
export type Cell = string | number | null;

/** A reason not to import: names the file at fault and what to do. Not a programming error. */
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

/** A figure a file must reproduce: a SQL aggregate over the file's table within `low`..`high`. */
export interface FigureCheck {
  /** What it is, with its unit and, for a published mean, its source; shown when it fails. */
  readonly what: string;
  /** SQL aggregate over the file's columns. */
  readonly sql: string;
  readonly where?: string;
  readonly low: number;
  readonly high: number;
}

/** What an importer expects of one file on the command line. */
export interface FileSpec {
  /** The file as `--help` names it. */
  readonly label: string;
  /** Columns read as numbers, exactly as the header spells them. */
  readonly numbers: readonly string[];
  /** Columns read as text. */
  readonly texts?: readonly string[];
  readonly minimumRows: number;
  readonly maximumRows: number;
  /** Value that stands for a missing number besides the empty field. */
  readonly missing?: number;
  readonly figures: readonly FigureCheck[];
}

/** One column of an output table, described in SOURCE.md. */
export interface TableColumn {
  readonly name: string;
  readonly meaning: string;
}

/** A table to write: rows in the order of the columns, already sorted. */
export interface OutputTable {
  readonly file: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly Cell[])[];
}

/** What an importer works with once its files have passed their checks. */
export interface ImportContext {
  readonly connection: DuckDBConnection;
  /** Names of the DuckDB tables of the checked files, in the order of the files. */
  readonly tables: readonly string[];
  /** Base names of the files, in the same order, for refusals. */
  readonly fileNames: readonly string[];
  readonly log: (line: string) => void;
}

/** One survey: the files it wants, where it comes from and the tables it makes of them. */
export interface Importer {
  /** Name on the command line and of the directory under `data/raw`. */
  readonly source: string;
  readonly title: string;
  readonly citation: string;
  readonly licence: string;
  /** Remarks for SOURCE.md: definitions, exclusions, limits. */
  readonly notes: readonly string[];
  readonly files: readonly FileSpec[];
  readonly build: (context: ImportContext) => Promise<readonly OutputTable[]>;
}
