/** A value of a table: `null` where there is none. */
export type CsvValue = string | number | null;

/** A row of a table, by the names of the columns. */
export type CsvRow = Readonly<Record<string, CsvValue>>;

/** A table of which each row is read when it is asked for. */
export interface CsvTable extends AsyncIterable<CsvRow> {
  readonly columns: readonly string[];
}

/** A cell: in quotes, where two quotes stand for one, or without. */
const CELL = /(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g;

/**
 * Reads CSV (RFC 4180) row by row. Only the empty cell is a missing value: `NA` is Namibia.
 *
 * @param textColumns columns with texts; all others have numbers
 */
export async function readCsv(
  bytes: AsyncIterable<Uint8Array>,
  textColumns: readonly string[],
): Promise<CsvTable> {
  const lines = recordsOf(bytes);
  const first = await lines.next();
  const columns = first.done === true ? [] : cellsOf(first.value);
  const isText = columns.map((name) => textColumns.includes(name));
  async function* rows(): AsyncGenerator<CsvRow, void, undefined> {
    for await (const line of lines) {
      const cells = cellsOf(line);
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

/** Lines; a line break in quotes does not end one. */
async function* recordsOf(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  let record = '';
  const isOpen = () => (record.split('"').length - 1) % 2 === 1;
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      record += line;
      if (isOpen()) {
        record += '\n';
        continue;
      }
      yield record.replace(/\r$/, '');
      record = '';
    }
  }
  record += rest + decoder.decode();
  if (record !== '') yield record;
}

function cellsOf(line: string): string[] {
  return [...line.matchAll(CELL)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  );
}
