import { type CsvDelimiter, csvCells, csvRecords } from '../../clients/typescript/src/csv.js';
import { readConfig } from '../config.js';
import { Refusal } from '../failure.js';
import { openArtifact } from '../lookup/open-artifact.js';
import { likelyReadings } from '../operations/likely-readings.js';
import { mostTelling } from '../operations/most-telling.js';
import { PredictionModel } from '../operations/prediction-model.js';
import { PeopleSheet, type SheetOptions } from './people-sheet.js';

/** How a file of people is read. */
export interface SheetFileOptions extends Omit<SheetOptions, 'decimalComma' | 'judge' | 'order'> {
  /** Mark before the decimals; by default a comma in files with semicolons. */
  readonly decimal: 'point' | 'comma' | undefined;
  /** Whether a file without artifacts is refused. */
  readonly needsModel: boolean;
}

/** A file of people whose headings are read. */
export interface OpenedSheet {
  readonly sheet: PeopleSheet;
  readonly delimiter: CsvDelimiter;
  /** The line `sep=;`, if the file begins with it. Excel writes and reads it. */
  readonly separatorLine: string | undefined;
  /** The rows with their first line in the file. */
  readonly rows: AsyncIterable<{ readonly cells: readonly string[]; readonly line: number }>;
}

/** Number of rows by which the headings are judged. */
const SAMPLE_ROWS = 400;

/**
 * Opens a CSV file of people in UTF-8.
 *
 * @throws Refusal `wrong_sheet`
 */
export async function openSheet(
  bytes: AsyncIterable<Uint8Array>,
  { decimal, needsModel, ...options }: SheetFileOptions,
): Promise<OpenedSheet> {
  const records = csvRecords(bytes, new TextDecoder('utf-8', { fatal: true }));
  const first = await records.next();
  if (first.done === true || first.value.trim() === '') {
    throw new Refusal('wrong_sheet', 'The file is empty; its first line must have the headings.');
  }
  const separator = /^"?sep=([,;\t])"?\s*$/i.exec(first.value)?.[1] as CsvDelimiter | undefined;
  const heading = separator === undefined ? first : await records.next();
  if (heading.done === true) throw new Refusal('wrong_sheet', 'The file has no line of headings.');
  const delimiter = separator ?? delimiterOf(heading.value);
  const sample: string[] = [];
  while (sample.length < SAMPLE_ROWS) {
    const next = await records.next();
    if (next.done === true) break;
    sample.push(next.value);
  }
  const sheet = new PeopleSheet(
    csvCells(heading.value, delimiter),
    {
      ...options,
      decimalComma: decimal === undefined ? delimiter === ';' : decimal === 'comma',
      ...weighingBy(needsModel),
    },
    sample.map((record) => csvCells(record, delimiter)),
  );
  const firstLine = separator === undefined ? 2 : 3;
  return {
    ...{ sheet, delimiter },
    separatorLine: separator === undefined ? undefined : first.value,
    rows: rowsOf(sample, records, delimiter, firstLine),
  };
}

async function* rowsOf(
  sample: readonly string[],
  records: AsyncIterable<string>,
  delimiter: CsvDelimiter,
  firstLine: number,
) {
  let line = firstLine;
  const read = (record: string) => {
    const row = { cells: csvCells(record, delimiter), line };
    line += record.split('\n').length;
    return row;
  };
  for (const record of sample) yield read(record);
  for await (const record of records) yield read(record);
}

/** What the artifacts of this machine weigh. With a service, they may be missing. */
function weighingBy(isNeeded: boolean): Required<Pick<SheetOptions, 'judge' | 'order'>> {
  const withModel = <T>(use: (model: PredictionModel) => T, otherwise: T): T => {
    const { artifactsDir, artifactVersion } = readConfig(process.env);
    try {
      return use(new PredictionModel(openArtifact(artifactsDir, artifactVersion)));
    } catch (error) {
      if (isNeeded) throw error;
      return otherwise;
    }
  };
  return {
    judge: (people, columns) => withModel((model) => likelyReadings(people, columns, model), []),
    order: (known, targets, person) =>
      withModel((model) => mostTelling(known, targets, person, model), known),
  };
}

/** The character that separates the cells of the first line. It is the most frequent candidate. */
function delimiterOf(line: string): CsvDelimiter {
  const plain = line.replace(/"[^"]*"/g, '');
  const count = (mark: string) => plain.split(mark).length;
  const marks = [',', ';', '\t'] as const;
  return marks.reduce((most, mark) => (count(mark) > count(most) ? mark : most));
}

/** An error of reading or writing as a refusal. */
export function readable(error: unknown, file: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
    return new Refusal(
      'wrong_sheet',
      `${file} is not in UTF-8. In LibreOffice save it as Text CSV with the character set Unicode (UTF-8); in Excel as CSV UTF-8.`,
    );
  }
  const isFile = code === 'ENOENT' || code === 'EISDIR' || code === 'EACCES' || code === 'ENOSPC';
  return isFile ? new Refusal('file_failed', `${message}`) : error;
}

/** Adds `Taille=Stature` or `Taille=Stature,Leg (cm)=none` to what was said of the columns; undefined for other texts. */
export function saidColumns(
  text: string,
  said: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> | undefined {
  const all = new Map(said);
  for (const one of text.split(/,(?=[^,=]+=)/)) {
    const at = one.lastIndexOf('=');
    const [heading, what] = [one.slice(0, at).trim(), one.slice(at + 1).trim()];
    if (at < 1 || heading === '' || what === '') return undefined;
    all.set(heading, what);
  }
  return all;
}
