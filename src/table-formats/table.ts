// Tables that are made some rows at a time, so that a long table is never in memory as a whole.

/** A column of a table. */
export interface Column {
  readonly name: string;
  readonly type: 'text' | 'integer' | 'number';
}

/** Values of a column in some rows: texts or numbers. NaN means that there is no number. */
export type ColumnValues = readonly string[] | Float64Array;

/** A table whose rows are computed when they are read. */
export interface RowTable {
  readonly columns: readonly Column[];
  readonly rowCount: number;
  /** Facts about the whole table, such as the unit of its lengths. */
  readonly details: Readonly<Record<string, string | number>>;
  /** Values of the rows `from` (included) to `to` (excluded), with one list for each column in order. */
  read(from: number, to: number): readonly ColumnValues[];
}
