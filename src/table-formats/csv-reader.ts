import { pipeline, Readable } from 'node:stream';
import { type InfoRecord, parse } from 'csv-parse';

/** A row of a file, and its first line. */
export interface CsvRow {
  readonly cells: readonly string[];
  readonly line: number;
}

/** A CSV file (RFC 4180) whose cells are separated by commas, semicolons or tabs. */
export interface CsvFile {
  readonly delimiter: string;
  /** The line `sep=;` that Excel writes and reads, with its end, if the file begins with it. */
  readonly separatorLine: string;
  /** All rows, the headings first. A row may have any number of cells. */
  readonly rows: AsyncIterator<CsvRow>;
}

/**
 * Reads a CSV file in UTF-8 row by row. The rows throw a TypeError for other encodings, and a CsvError for a quoted cell
 * without an end.
 */
export async function readCsvFile(bytes: AsyncIterable<Uint8Array>): Promise<CsvFile> {
  const texts = decoded(bytes);
  let start = '';
  const startLines = () => start.split(/\r?\n/);
  // The first line tells the delimiter.
  while (startLines().length < 2) {
    const { done, value } = await texts.next();
    if (done === true) break;
    start += value;
  }
  const [first = ''] = startLines();
  const separator = /^"?sep=([,;\t])"?\s*$/i.exec(first)?.[1];
  const delimiter = separator ?? mostFrequent(first);
  const parser = parse({
    ...{ delimiter, info: true, relax_column_count: true, relax_quotes: true },
    ...{ record_delimiter: ['\r\n', '\n'], from_line: separator === undefined ? 1 : 2 },
  });
  const whole = async function* () {
    yield start;
    yield* texts;
  };
  // An error of the bytes ends the parser, which throws it.
  pipeline(Readable.from(whole()), parser, () => undefined);
  const rows = async function* () {
    let line = separator === undefined ? 1 : 2;
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      yield { cells: record, line };
      line = info.lines + 1;
    }
  };
  return { delimiter, separatorLine: separator === undefined ? '' : `${first}\r\n`, rows: rows() };
}

interface Parsed {
  readonly record: string[];
  readonly info: InfoRecord;
}

async function* decoded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const part of bytes) yield decoder.decode(part, { stream: true });
  yield decoder.decode();
}

/** The character that separates the cells of a line. It is the most frequent candidate. */
function mostFrequent(line: string): string {
  const plain = line.replace(/"[^"]*"/g, '');
  const count = (mark: string) => plain.split(mark).length;
  return [',', ';', '\t'].reduce((most, mark) => (count(mark) > count(most) ? mark : most));
}
