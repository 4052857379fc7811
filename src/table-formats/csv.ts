import { stringify } from 'csv-stringify/sync';
import { withoutFormulas } from '../core/formulas.js';
import type { RowTable } from './table.js';

/** Lines end as RFC 4180 demands. */
const FORMAT = {
  record_delimiter: 'windows',
  // The library does not treat a single line feed as a record delimiter, but readers do.
  quoted_match: /[\r\n]/,
} as const;

/** How the cells of a file are written. */
interface CellFormat {
  /** The character that separates the cells; by default a comma. */
  readonly delimiter?: string;
  /** Whether texts stay as they are even if a spreadsheet would run them. */
  readonly keepFormulas?: boolean | undefined;
}

/** Comes first in a file from a page, so that spreadsheets read the file as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Rows as lines of CSV (RFC 4180). A cell without a value is empty. Texts stay as they are (`NA` is Namibia), except
 * that a text gets an apostrophe if a spreadsheet would run it as a formula.
 */
export function csvLines(
  rows: readonly (readonly (string | number)[])[],
  { delimiter = ',', keepFormulas = false }: CellFormat = {},
): string {
  const cast = keepFormulas ? {} : { string: withoutFormulas };
  return stringify([...rows], { ...FORMAT, delimiter, cast });
}

/** The rows `from` (included) to `to` (excluded) of a table as CSV. The first chunk begins with a line of names. */
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
