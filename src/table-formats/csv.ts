import { stringify } from 'csv-stringify/sync';
import { withoutFormulas } from '../core/formulas.js';
import type { RowTable } from './table.js';

/** Lines end as RFC 4180 demands. */
const FORMAT = {
  record_delimiter: 'windows',
  // A line feed alone is no record delimiter for the library, but it is for readers.
  quoted_match: /[\r\n]/,
} as const;

/** First in a file of a page, so that spreadsheets read it as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** Cells that came from the reader's own file. */
interface OwnCells {
  /** What separates the cells there. */
  readonly delimiter: string;
}

/**
 * Rows as lines of CSV (RFC 4180). A cell is empty where there is no value. Texts stay as they are: `NA`
 * is Namibia, but one that a spreadsheet would run as a formula gets an apostrophe.
 *
 * @param own given if the cells are the reader's own: none gets an apostrophe
 */
export function csvLines(rows: readonly (readonly (string | number)[])[], own?: OwnCells): string {
  return stringify([...rows], { ...FORMAT, ...(own ?? { cast: { string: withoutFormulas } }) });
}

/** The rows `from` (included) to `to` (excluded) of a table as CSV, after a line of names if first. */
export function csvChunk(table: RowTable, from: number, to: number): Uint8Array {
  const values = table.read(from, to);
  const header = from === 0 ? [table.columns.map(({ name }) => name)] : [];
  const rows = Array.from({ length: to - from }, (_, row) =>
    values.map((column) => {
      const value = column[row] as string | number;
      return Number.isNaN(value) ? '' : value;
    }),
  );
  return new TextEncoder().encode(csvLines([...header, ...rows]));
}
