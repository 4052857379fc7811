/** A value of a table: `null` where there is none. */
export type CsvValue = string | number | null;

/** A row of a table, by the names of the columns. */
export type CsvRow = Readonly<Record<string, CsvValue>>;

/** A table of which each row is read when it is asked for. */
export interface CsvTable extends AsyncIterable<CsvRow> {
  readonly columns: readonly string[];
}

/** Matches a cell after its comma. In a quoted cell, two quotes stand for one. */
const CELL = /(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g;

/**
 * Reads CSV (RFC 4180) row by row. Only an empty cell is a missing value: `NA` is Namibia.
 *
 * @param textColumns columns with texts; all others have numbers
 */
export async function readCsv(
  bytes: AsyncIterable<Uint8Array>,
  textColumns: readonly string[],
): Promise<CsvTable> {
  const lines = csvRecords(bytes);
  const first = await lines.next();
  const columns = first.done === true ? [] : csvCells(first.value);
  const isText = columns.map((name) => textColumns.includes(name));
  async function* rows(): AsyncGenerator<CsvRow, void, undefined> {
    for await (const line of lines) {
      const cells = csvCells(line);
      yield Object.fromEntries(
        columns.map((name, i) => [name, cellValue(cells[i] ?? '', isText[i] === true)]),
      );
    }
  }
  return { columns, [Symbol.asyncIterator]: rows };
}

function cellValue(cell: string, isText: boolean): CsvValue {
  if (cell === '') return null;
  return isText ? cell : Number(cell);
}

/** Yields the records of a CSV in UTF-8 as they arrive. A line break in quotes does not end a record. */
export async function* csvRecords(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let record = '';
  let isOpen = false;
  const add = (part: string): void => {
    record += part;
    if (part.split('"').length % 2 === 0) isOpen = !isOpen;
  };
  for await (const chunk of bytes) {
    const parts = decoder.decode(chunk, { stream: true }).split('\n');
    const last = parts.pop() ?? '';
    for (const part of parts) {
      add(part);
      if (isOpen) {
        record += '\n';
        continue;
      }
      yield record.replace(/\r$/, '');
      record = '';
    }
    add(last);
  }
  add(decoder.decode());
  if (record !== '') yield record;
}

/** The cells of a record, without their quotes. */
export function csvCells(record: string): string[] {
  return [...record.matchAll(CELL)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  );
}
