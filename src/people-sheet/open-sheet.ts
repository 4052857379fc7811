import { readConfig } from '../config.js';
import { GENDERS } from '../core/genders.js';
import { Refusal } from '../failure.js';
import { openArtifact } from '../lookup/open-artifact.js';
import { BODY_MEASUREMENTS } from '../operations/fields.js';
import { PredictionModel } from '../operations/prediction-model.js';
import { valueNamed } from '../search/values.js';
import { csvLines } from '../table-formats/csv.js';
import { type CsvRow, readCsvFile } from '../table-formats/csv-reader.js';
import { type HeadingsReport, PeopleSheet, type SheetOptions } from './people-sheet.js';
import { refusal } from './sheet-columns.js';
import { type TailorsFile, tailorsReader } from './tailors-file.js';

/** How a file of people is read. */
export interface SheetFileOptions
  extends Omit<SheetOptions, 'decimalComma' | 'model' | 'checksAll'> {
  /** Mark before the decimals; by default a comma in files with semicolons. */
  readonly decimal?: 'point' | 'comma' | undefined;
  /** Whether cells that a spreadsheet would run are written as they are, without an apostrophe. */
  readonly keepFormulas?: boolean | undefined;
  /** Whether a file without artifacts is refused. */
  readonly needsModel: boolean;
}

/** A row and its first line in the file. The person of a tailor's file has no line. */
interface FileRow {
  readonly cells: readonly string[];
  readonly line?: number;
}

/** A file of people whose headings are read. */
export interface OpenedSheet {
  readonly sheet: PeopleSheet;
  /** The artifacts that judged the columns. */
  readonly model: PredictionModel | undefined;
  /** How the headings were understood. */
  readonly report: HeadingsReport;
  readonly rows: AsyncIterable<FileRow>;
  /** Start of the output. */
  readonly head: string;
  /** The rows of the output as text. A tailor's file has one row. */
  write(rows: readonly (readonly string[])[]): string;
}

/** Number of rows by which the headings are judged. */
const SAMPLE_ROWS = 400;

/**
 * Opens a file of people in UTF-8: a tailor's file of one person, or CSV.
 *
 * @param file path; the end of its name says what the file is
 * @throws Refusal `wrong_sheet`
 */
export async function openSheet(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  options: SheetFileOptions,
): Promise<OpenedSheet> {
  const read = tailorsReader(file);
  if (read === undefined) return openCsv(bytes, options);
  return openTailorsFile(file, read(await wholeText(file, bytes)), options);
}

async function openCsv(
  bytes: AsyncIterable<Uint8Array>,
  { decimal, needsModel, keepFormulas, ...options }: SheetFileOptions,
): Promise<OpenedSheet> {
  const { delimiter, separatorLine, rows } = await readCsvFile(bytes);
  const sample: CsvRow[] = [];
  while (sample.length <= SAMPLE_ROWS) {
    const { done, value } = await rows.next();
    if (done === true) break;
    sample.push(value);
  }
  const [headings, ...first] = sample;
  if (headings === undefined || headings.cells.join('').trim() === '') {
    throw refusal('The file is empty; its first line must have the headings.');
  }
  const model = modelHere(needsModel);
  const sheet = new PeopleSheet(
    headings.cells,
    {
      ...options,
      decimalComma: decimal === undefined ? delimiter === ';' : decimal === 'comma',
      ...{ model, checksAll: needsModel },
    },
    first.map(({ cells }) => cells),
  );
  const write = (rows: readonly (readonly string[])[]) =>
    csvLines(rows, { delimiter, keepFormulas });
  return {
    ...{ sheet, model, report: sheet.report, write },
    head: `${separatorLine}${write([sheet.headings])}`,
    rows: (async function* () {
      yield* first;
      yield* { [Symbol.asyncIterator]: () => rows };
    })(),
  };
}

function openTailorsFile(
  file: string,
  { names, unit, person, values, formulas, completed }: TailorsFile,
  { needsModel, decimal, ...options }: SheetFileOptions,
): OpenedSheet {
  const everyone = { ...person, ...options.everyone };
  const meant = (text = '') => valueNamed(text, GENDERS) ?? Number(text);
  const overruled = (['gender', 'age'] as const).flatMap((field) => {
    const [own, used] = [person[field], everyone[field]];
    if (own === undefined || meant(own) === meant(used)) return [];
    return `The file says ${field} ${own}; --${field} ${used} is used.`;
  });
  const said = new Map([...Object.entries(names), ...options.said]);
  const headings = [...values.keys()].filter((name) => said.has(name));
  const cells = headings.map((name) => values.get(name) as string);
  const nameOf = new Map([...said].map(([name, measurement]) => [measurement, name]));
  const isMan = meant(everyone.gender) === 'Male';
  const wanted =
    options.wanted.length < BODY_MEASUREMENTS.length
      ? options.wanted
      : [...nameOf.keys()].filter((measurement) => !isMan || !measurement.startsWith('Female'));
  const strange = [...options.said.keys()].find((name) => !values.has(name));
  const foreign = wanted.find((measurement) => !nameOf.has(measurement));
  const fault =
    (options.ranges && 'has no place for ranges. Leave --ranges out.') ||
    (decimal !== undefined && 'has numbers with a decimal point. Leave --decimal out.') ||
    (strange !== undefined &&
      `has no measurement ${JSON.stringify(strange)}. It has ${[...values.keys()].join(', ')}.`) ||
    (cells.join('') === '' &&
      `has no value of a measurement that this service has too. Add one, such as ${Object.keys(names).slice(0, 4).join(', ')}, or say what a value is with --columns.`) ||
    (foreign !== undefined &&
      `has no place for ${foreign}. --wanted may have ${[...nameOf.keys()].join(', ')}.`);
  if (fault) throw refusal(`${file} ${fault}`);
  const used = unit ?? options.unit ?? 'mm';
  const model = modelHere(needsModel);
  const sheet = new PeopleSheet(headings, {
    ...{ ...options, everyone, decimalComma: false, massUnit: options.massUnit ?? 'kg' },
    said: new Map([...said].filter(([name]) => values.has(name))),
    unit: used,
    wanted: wanted.filter((name) => !formulas.includes(nameOf.get(name) as string)),
    ...{ model, checksAll: needsModel },
  });
  const others = [...values.keys()].filter((name) => !said.has(name)).join(', ');
  const { report } = sheet;
  const notUsed = [
    ...report.notUsed,
    ...formulas.map((name) => `${JSON.stringify(name)} is not used: its value is a formula.`),
    ...(others && [
      `Not used, because this service has no measurement with their definition: ${others}.`,
    ]),
  ];
  return {
    ...{
      sheet,
      model,
      head: '',
      report: { ...report, read: [...overruled, ...report.read], notUsed },
    },
    rows: (async function* () {
      yield { cells };
    })(),
    write([row = []]) {
      const outputs = [...headings, ...sheet.added.map((one) => nameOf.get(one.measurement))];
      const estimates = outputs.flatMap((name, i): [string, string][] => {
        const cell = row[i] as string;
        if (cell === '' || cell === cells[i]) return [];
        return [[name as string, String(Number(Number(cell).toFixed(DECIMALS[used])))]];
      });
      return completed(new Map(estimates));
    },
  };
}

/** Decimals of estimates in a tailor's file, which are tenths of a millimetre or less. */
const DECIMALS = { mm: 1, cm: 2, in: 3 } as const;

/** Maximum size of a tailor's file. */
const TEXT_BYTES_MAX = 20e6;

async function wholeText(file: string, bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of bytes) {
    parts.push(part);
    size += part.length;
    if (size > TEXT_BYTES_MAX) throw refusal(`${file} is larger than 20 MB.`);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
}

/** The artifacts of this machine. With a service, they may be missing. */
function modelHere(isNeeded: boolean): PredictionModel | undefined {
  try {
    const { artifactsDir, artifactVersion } = readConfig(process.env);
    return new PredictionModel(openArtifact(artifactsDir, artifactVersion));
  } catch (error) {
    if (isNeeded) throw error;
    return undefined;
  }
}

/** An error of reading or writing as a refusal. */
export function readable(error: unknown, file: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
    return refusal(
      tailorsReader(file) === undefined
        ? `${file} is not in UTF-8. In LibreOffice save it as Text CSV with the character set Unicode (UTF-8); in Excel as CSV UTF-8.`
        : `${file} is not in UTF-8. Save it again in the program that wrote it.`,
    );
  }
  if (code === 'CSV_QUOTE_NOT_CLOSED') return refusal(`${file}: ${message}.`);
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
