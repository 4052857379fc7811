import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SingleBar } from 'cli-progress';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { MASS_UNITS, UNITS } from '../core/units.js';
import { Refusal } from '../failure.js';
import { completePerson } from '../operations/complete-person.js';
import { BODY_MEASUREMENTS } from '../operations/fields.js';
import { nameHint } from '../operations/nearest-name.js';
import type { PredictionModel } from '../operations/prediction-model.js';
import {
  type OpenedSheet,
  openSheet,
  readable,
  type SheetFileOptions,
  saidColumns,
} from '../people-sheet/open-sheet.js';
import type { Row, RowRequest } from '../people-sheet/people-sheet.js';
import { bodyQuantityNamed } from '../search/body-quantities.js';
import type { Field } from '../search/body-words.js';
import { measurementNamed } from '../search/measurements.js';
import { type Answerer, localAnswerer, serviceAnswerer } from './fill-answers.js';
import { FillReport } from './fill-report.js';
import {
  JSON_OPTION,
  type JsonOption,
  numberArgument,
  print,
  unfinishedOf,
  writeParts,
} from './output.js';

type Pairs = ReadonlyMap<string, string>;

interface FillOptions
  extends JsonOption,
    Readonly<Partial<Record<Field, string>>>,
    Pick<SheetFileOptions, 'unit' | 'massUnit' | 'decimal' | 'keepFormulas'> {
  readonly wanted?: readonly string[];
  readonly columns?: Pairs;
  readonly values?: Pairs;
  readonly ranges?: true;
  readonly rangePercent?: number;
  readonly output?: string;
  readonly service?: string;
}

const KEY_VARIABLE = 'VITRUVIA_API_KEY';
const NOTES = `
The file is CSV in UTF-8, as LibreOffice, Excel and pandas write it. A row is a person. The first line has the headings:
  country, gender, age   of the person; --country, --gender and --age stand for missing ones. An age is in years, in
                         the unit of its heading ("Age (months)") or cell ("2y 3m"), or follows from two dates
  clothing, posture      if they differ between people
  measurements           by name, everyday word or code of a standard, with their unit: "Stature (mm)",
                         "weight_kg", "Gewicht (kg)". A cell may also be 1.72 m, 5'10", 145 lb or 11 st 4 lb.
  anything else          stays as it is
Each heading but those of stature and mass is judged by its values. A column that does not agree is named and not used.
A word with several meanings, such as "Leg", is used if one agrees; it is listed as a guess. docs/spreadsheets.md has
all rules. Empty cells of measurements are filled, and the measurements of --wanted are added as columns.

A file of Seamly2D (.smis), Valentina (.vit) or FreeSewing (.json) is one person. Missing measurements are added,
marked as estimates, and all else stays as it is.

A CSV file gets three more columns: fill_status (complete, not completed), fill_known (the measurements that the
row gave; all others are estimates) and fill_note (why a row is not completed, or what is unusual). A filled file can
be filled again: only what fill_known names counts as measured.

Without --service the artifacts of this machine answer, free. With --service the rows are sent to a service with the key
of the variable ${KEY_VARIABLE}. A completed row costs ${completePerson.price} credits; other rows cost nothing. If the command is
interrupted, run it again: for 24 hours, answered rows are free as long as the rows before them stay the same.

Exit codes: 0 every row is complete; 1 the command failed, and <output> is not written; 2 wrong usage;
3 <output> is written, and some rows could not be completed.

Environment: ARTIFACTS_DIR, ARTIFACT_VERSION; with --service ${KEY_VARIABLE}.

Examples:
  npx vitruvia fill people.csv --output filled.csv
  npx vitruvia fill people.csv --wanted "sitting height,hip breadth" --unit cm > filled.csv
  npx vitruvia fill ana.smis --country DE --output filled.smis
  ${KEY_VARIABLE}=vt_live_… npx vitruvia fill people.csv --service http://127.0.0.1:3000 --output filled.csv
`;

/** Adds the options of `fill`. */
export function fillCommand(command: Command): void {
  command
    .description(
      'Completes a table of people: fills the measurements that their rows lack, each from those it has.',
    )
    .argument(
      '<file>',
      'CSV file of people; a .smis, .vit or .json of one person; - reads CSV from standard input',
    )
    .option(
      '--wanted <list>',
      'Measurements to add as columns, separated by commas; all (the default), or none.',
      wantedArgument,
    )
    .option('--country <name>', 'Country of rows without one: a code or a name.')
    .option('--gender <name>', 'Gender of rows without one.')
    .option('--age <years>', 'Age in years of rows without one.')
    .option('--clothing <profile>', 'Clothing in which rows without one were measured.')
    .option('--posture <profile>', 'Posture of rows without one.')
    .option(
      '--columns <heading=measurement>',
      'What a column is: a measurement, with a unit if need be, country, gender, age, or none; may be repeated.',
      pairsArgument('Taille=Stature'),
    )
    .option(
      '--values <cell=meaning>',
      'What cells of gender, country and so on mean: "Nam=Male,Nữ=Female"; may be repeated.',
      pairsArgument('Nam=Male'),
    )
    .addOption(oneOf('--unit <name>', UNITS, `Unit of lengths ${WITHOUT_UNIT} mm).`))
    .addOption(oneOf('--mass-unit <name>', MASS_UNITS, `Unit of masses ${WITHOUT_UNIT} kg).`))
    .addOption(
      oneOf(
        '--decimal <mark>',
        ['point', 'comma'],
        'Mark before the decimals (default: comma in files with semicolons, else point).',
      ),
    )
    .option('--ranges', 'Add the low and high end of the range of each measurement.')
    .option('--range-percent <number>', 'Percent of people in ranges (default 90).', numberArgument)
    .option('--keep-formulas', 'Write cells that a spreadsheet would run without an apostrophe.')
    .option('--output <file>', 'Write to this file and show the progress.')
    .option('--service <address>', 'Ask this service instead of the artifacts of this machine.')
    .option(JSON_OPTION[0], `${JSON_OPTION[1]} about the file; needs --output`)
    .addHelpText('after', NOTES)
    .action((file: string, options: FillOptions) => fill(command, file, options));
}

const WITHOUT_UNIT = 'whose heading has none (default: the values decide, else';

const oneOf = (flags: string, choices: readonly string[], text: string) =>
  new Option(flags, text).choices(choices);

function wantedArgument(text: string): readonly string[] {
  if (text === 'all') return BODY_MEASUREMENTS;
  if (text === 'none') return [];
  const names = text.split(',').map((word): string => {
    const named = bodyQuantityNamed(word) ?? measurementNamed(word.trim())?.name;
    if (named !== undefined) return named;
    const hint = nameHint(word.trim(), BODY_MEASUREMENTS) ?? 'npx vitruvia catalog lists them';
    throw new InvalidArgumentError(`${JSON.stringify(word.trim())} is no measurement. ${hint}`);
  });
  return [...new Set(names)];
}

/** Parses what headings or cells mean: `Taille=Stature`. */
const pairsArgument = (example: string) => (text: string, said: Pairs | undefined) => {
  const all = saidColumns(text, said ?? new Map());
  if (all !== undefined) return all;
  throw new InvalidArgumentError(`Write what it means, such as "${example}".`);
};

async function fill(command: Command, file: string, options: FillOptions): Promise<void> {
  const { json, output } = options;
  if (json && output === undefined) {
    command.error('error: --json describes a file; add --output <file>');
  }
  for (const written of output === undefined ? [] : [output, unfinishedOf(output)]) {
    if (await isOneFile(file, written)) {
      command.error(`error: ${written} is the file that is read; write to another one`);
    }
  }
  const answererOf = answererFor(command, options);
  const bar = new SingleBar({
    format: '{bar} {percentage} % of the file, {rows} rows, {eta_formatted} left',
    noTTYOutput: false,
    hideCursor: true,
  });
  const bytes = file === '-' ? process.stdin : createReadStream(file);
  let report: FillReport;
  try {
    const opened = await openSheet(file, bytes, sheetOptionsOf(options));
    report = new FillReport(opened, options);
    if (!json) process.stderr.write(report.headingsText);
    if (!json && output !== undefined && file !== '-') {
      bar.start((await stat(file)).size, 0, { rows: 0 });
    }
    const parts = filledParts(opened, answererOf(opened), report, () => {
      if ('bytesRead' in bytes) bar.update(bytes.bytesRead, { rows: report.rows });
    });
    await writeParts(parts, output, bar);
  } catch (error) {
    throw readable(error, file);
  }
  if (!json) process.stderr.write(report.cellsText);
  const document = { file: output, ...report.details };
  if (report.refusal !== undefined) {
    throw new Refusal('rows_not_completed', report.refusal, 3, document);
  }
  if (output === undefined) process.stderr.write(`${report.summary}\n`);
  else print({ ...(json ? { json } : {}) }, document, `${output}: ${report.summary}`);
}

function sheetOptionsOf(options: FillOptions): SheetFileOptions {
  const { wanted = BODY_MEASUREMENTS, columns = new Map(), values = new Map() } = options;
  return {
    ...{ ...options, wanted, said: columns, everyone: options, ranges: options.ranges === true },
    values: new Map([...values].map(([cell, what]) => [cell.toLowerCase(), what])),
    needsModel: options.service === undefined,
  };
}

/** Whether two paths lead to the same file. Links are followed. */
async function isOneFile(one: string, other: string): Promise<boolean> {
  if (resolve(one) === resolve(other)) return true;
  const [found, same] = await Promise.all(
    [one, other].map((path) => stat(path, { bigint: true }).catch(() => undefined)),
  );
  return found !== undefined && found.ino === same?.ino && found.dev === same.dev;
}

/** Makes what completes the rows, after the sheet is opened. */
function answererFor(
  command: Command,
  { service, wanted = BODY_MEASUREMENTS }: FillOptions,
): (opened: OpenedSheet) => Answerer {
  if (service === undefined) return ({ model }) => localAnswerer(model as PredictionModel);
  const key = process.env[KEY_VARIABLE];
  if (key === undefined || key === '') {
    command.error(`error: --service needs a key in the variable ${KEY_VARIABLE}`);
  }
  if (!URL.canParse(service) || !/^https?:/.test(service)) {
    command.error(`error: --service ${service} is no address such as http://127.0.0.1:3000`);
  }
  // A file may get a few more measurements than were asked for.
  const measurements = Math.min(BODY_MEASUREMENTS.length, wanted.length + 30);
  return () => serviceAnswerer(service, key, measurements);
}

/** Maximum number of rows that wait, if few of them need a request. */
const WAITING_MAX = 1000;

/** Yields the parts of the filled file, a few rows at a time. */
async function* filledParts(
  { sheet, rows, head, write }: OpenedSheet,
  answerer: Answerer,
  report: FillReport,
  progress: () => void,
): AsyncGenerator<string, void, undefined> {
  yield head;
  let waiting: { row: Row; line: number | undefined }[] = [];
  let inputs: RowRequest[] = [];
  let asked = 0;
  const flush = async (): Promise<string> => {
    const answers = [...(await answerer.answer(inputs, asked))];
    asked += inputs.length;
    const written = waiting.map(({ row, line }) => {
      const answer = row.request && answers.shift();
      const filled = row.written(answer);
      report.add(filled, line, answer);
      return filled.cells;
    });
    [waiting, inputs] = [[], []];
    progress();
    return write(written);
  };
  for await (const { cells, line } of rows) {
    const row = sheet.read(cells);
    waiting.push({ row, line });
    if (row.request) inputs.push(row.request);
    if (inputs.length >= answerer.together || waiting.length >= WAITING_MAX) yield await flush();
  }
  if (waiting.length > 0) yield await flush();
}
