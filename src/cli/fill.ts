import { createReadStream, createWriteStream } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SingleBar } from 'cli-progress';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readConfig } from '../config.js';
import { MASS_UNITS, type MassUnit, UNITS, type Unit } from '../core/units.js';
import { Refusal } from '../failure.js';
import { openArtifact } from '../lookup/open-artifact.js';
import { completePerson } from '../operations/complete-person.js';
import { BODY_MEASUREMENTS } from '../operations/fields.js';
import { nameHint } from '../operations/nearest-name.js';
import { PredictionModel } from '../operations/prediction-model.js';
import { type OpenedSheet, openSheet, readable, saidColumns } from '../people-sheet/open-sheet.js';
import type { Row } from '../people-sheet/people-sheet.js';
import { bodyQuantityNamed } from '../search/body-quantities.js';
import { measurementNamed } from '../search/measurements.js';
import { type Answerer, localAnswerer, serviceAnswerer } from './fill-answers.js';
import {
  type Counts,
  CREDITS_PER_ROW,
  crowdedDetails,
  crowdedText,
  headingsText,
  NAMED_MAX,
  overruledText,
  summaryText,
} from './fill-report.js';
import { JSON_OPTION, type JsonOption, numberArgument, print } from './output.js';

interface FillOptions extends JsonOption {
  readonly wanted: readonly string[];
  readonly country?: string;
  readonly gender?: string;
  readonly age?: string;
  readonly clothing?: string;
  readonly posture?: string;
  readonly unit?: Unit;
  readonly columns: ReadonlyMap<string, string>;
  readonly values: ReadonlyMap<string, string>;
  readonly massUnit?: MassUnit;
  readonly ranges?: true;
  readonly rangePercent?: number;
  readonly decimal?: 'point' | 'comma';
  readonly keepFormulas?: true;
  readonly output?: string;
  readonly service?: string;
}

const KEY_VARIABLE = 'VITRUVIA_API_KEY';
const NOTES = `
The file is CSV in UTF-8, with commas, semicolons or tabs, as LibreOffice, Excel and pandas write it. A row is a
person. The first line has the headings:
  country, gender, age   of the person; --country, --gender and --age stand for missing ones
  clothing, posture      if they differ between people
  measurements           by name, everyday word or code of a standard, with their unit: "Stature (mm)",
                         "weight_kg", "Hip breadth [cm]". A cell may also be 1.72 m, 1m72, 5'10", 145 lb or 11 st 4 lb.
                         The words may be of the languages of the search: "Gewicht (kg)", "Taille", "体重".
  anything else          stays as it is
Each heading but those of stature and mass is judged by its values, beside the gender, age, stature and mass of the
rows. A column that does not agree is not used, and named. A heading that may mean several measurements, such as
"Leg" or "Taille", is used if one meaning agrees; it is listed as a guess. --columns "Taille=Stature" or
"Leg (cm)=none" says what a column is. The artifacts of this machine judge; a machine without them uses only
headings that name one measurement. --values "Nam=Male,Nữ=Female" says what cells mean.
An age is in years, in the unit of its heading ("Age (months)"), or in its cell ("2y 3m"); or it follows from a date
of birth and a date of measurement.
NA, N/A, NaN, NULL, #N/A, - and codes such as 999 or -9992 that lie off all other values are missing values.
Empty cells of measurements are filled, and the measurements of --wanted are added as columns.

A file of Seamly2D (.smis), Valentina (.vit) or FreeSewing (.json) is one person. Its values with the definition of
a measurement here are read; the missing ones are added, marked as estimates, and all else stays as it is. Gender
and birth date are read, or given with --gender and --age. The country is given with --country.

A CSV file gets three more columns: fill_status (complete, not completed), fill_known (the measurements that the
row gave; all others are estimates) and fill_note (why a row is not completed, or what is unusual). Rows keep
their order. A cell that a spreadsheet would run as a formula gets an apostrophe; --keep-formulas leaves it. A filled file can be filled again: only what fill_known names counts as measured.

Without --service the artifacts of this machine answer: free, no key. With --service the rows are sent to a
service with the key of the variable ${KEY_VARIABLE}. A completed row costs ${completePerson.price} credits; a row that cannot be
completed and a row without an open cell cost nothing. If the command is interrupted, run it again: within
24 hours the rows that were answered are not charged again, as long as the rows before them stay the same.

Exit codes: 0 every row is complete; 1 the command failed, and <output> is not written; 2 wrong usage;
3 <output> is written, and some rows could not be completed.

Environment: ARTIFACTS_DIR, ARTIFACT_VERSION; with --service ${KEY_VARIABLE}.

Examples:
  npx vitruvia fill people.csv --output filled.csv
  npx vitruvia fill people.csv --wanted "sitting height,hip breadth" --unit cm > filled.csv
  npx vitruvia fill people.csv --wanted none --country DE --output filled.csv
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
    .addOption(
      new Option(
        '--wanted <list>',
        'Measurements to add as columns, separated by commas; all, or none.',
      )
        .argParser(wantedArgument)
        .default(BODY_MEASUREMENTS, 'all'),
    )
    .option('--country <name>', 'Country of rows without one: a code or a name.')
    .option('--gender <name>', 'Gender of rows without one.')
    .option('--age <years>', 'Age in years of rows without one.')
    .option(
      '--clothing <profile>',
      'Clothing of rows without one; the measurements were taken in it.',
    )
    .option('--posture <profile>', 'Posture of rows without one.')
    .addOption(
      new Option(
        '--unit <name>',
        'Unit of all lengths whose heading has none (default: the values decide, else mm).',
      ).choices(UNITS),
    )
    .addOption(
      new Option(
        '--columns <heading=measurement>',
        'What a column is: a measurement, with a unit if need be, country, gender, age, or none; may be repeated.',
      )
        .argParser(columnsArgument)
        .default(new Map<string, string>(), 'none'),
    )
    .addOption(
      new Option(
        '--values <cell=meaning>',
        'What cells of gender, country and so on mean: "Nam=Male,Nữ=Female"; may be repeated.',
      )
        .argParser(valuesArgument)
        .default(new Map<string, string>(), 'none'),
    )
    .addOption(
      new Option(
        '--mass-unit <name>',
        'Unit of masses whose heading has none (default: the values decide, else kg).',
      ).choices(MASS_UNITS),
    )
    .option('--ranges', 'Add the low and high end of the range of each measurement.')
    .option(
      '--range-percent <number>',
      'Share of people inside the ranges in percent (default 90).',
      numberArgument,
    )
    .addOption(
      new Option(
        '--decimal <mark>',
        'Mark before the decimals (default: comma in files with semicolons, else point).',
      ).choices(['point', 'comma']),
    )
    .option(
      '--keep-formulas',
      'Write cells that a spreadsheet would run as formulas without an apostrophe.',
    )
    .option('--output <file>', 'Write to this file and show the progress.')
    .option('--service <address>', 'Ask this service instead of the artifacts of this machine.')
    .option(JSON_OPTION[0], `${JSON_OPTION[1]} about the file; needs --output`)
    .addHelpText('after', NOTES)
    .action((file: string, options: FillOptions) => fill(command, file, options));
}

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

function columnsArgument(
  text: string,
  said: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const all = saidColumns(text, said);
  if (all !== undefined) return all;
  throw new InvalidArgumentError('Write heading=measurement, such as "Taille=Stature".');
}

function valuesArgument(
  text: string,
  said: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const all = saidColumns(text, said);
  if (all === undefined) throw new InvalidArgumentError('Write cell=meaning, such as "Nam=Male".');
  return new Map([...all].map(([cell, meaning]) => [cell.toLowerCase(), meaning]));
}

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
  const counts: Counts = {
    ...{ rows: 0, complete: 0, asked: 0, notCompleted: 0 },
    ...{ suspicious: 0, filledCells: 0 },
  };
  const suspicious: number[] = [];
  let opened: OpenedSheet | undefined;
  let note: string | undefined;
  const reasons: string[] = [];
  const bar = new SingleBar({
    format: '{bar} {percentage} % of the file, {rows} rows, {eta_formatted} left',
    noTTYOutput: false,
    hideCursor: true,
  });
  const bytes = file === '-' ? process.stdin : createReadStream(file);
  const lines = filledLines(file, bytes, options, answererOf(command, options), {
    row({ status, line, reason, isSuspicious, filled }) {
      counts.rows++;
      if (status === 'complete' || status === 'asked') counts.complete++;
      if (status === 'asked') counts.asked++;
      counts.filledCells += filled ?? 0;
      if (isSuspicious === true) {
        counts.suspicious++;
        if (line !== undefined && suspicious.length < NAMED_MAX) suspicious.push(line);
      }
      if (status === 'asked' && line === undefined && reason !== '') note = reason;
      if (status === 'refused') {
        counts.notCompleted++;
        if (reasons.length < NAMED_MAX)
          reasons.push(line === undefined ? `  ${reason}` : `  line ${line}: ${reason}`);
      }
      if ('bytesRead' in bytes) bar.update(bytes.bytesRead, { rows: counts.rows });
    },
    opened(file) {
      opened = file;
      if (!json) process.stderr.write(headingsText(file.report));
    },
  });
  try {
    if (output === undefined) {
      await pipeline(Readable.from(lines), process.stdout, { end: false });
    } else {
      if (!json && file !== '-') bar.start((await stat(file)).size, 0, { rows: 0 });
      const unfinished = unfinishedOf(output);
      await pipeline(Readable.from(lines), createWriteStream(unfinished)).finally(() => bar.stop());
      await rename(unfinished, output);
    }
  } catch (error) {
    throw readable(error, file);
  }
  const sheet = opened?.sheet;
  const missing = sheet?.missing ?? new Map<string, number>();
  const costCredits = options.service === undefined ? 0 : counts.asked * CREDITS_PER_ROW;
  const details = {
    ...counts,
    costCredits,
    missing: Object.fromEntries(missing),
    columns: opened?.report,
    ...(note === undefined ? {} : { note }),
    ...crowdedDetails(sheet),
  };
  if (!json) {
    process.stderr.write(crowdedText(sheet) + overruledText(sheet, options));
    if (note !== undefined) process.stderr.write(`Note: ${note}\n`);
    process.stderr.write(summaryText(counts, missing, suspicious, options));
  }
  const text = `${counts.complete} of ${counts.rows} rows are complete. ${counts.asked} of them were checked against a person.`;
  if (counts.notCompleted > 0) {
    const more = counts.notCompleted - reasons.length;
    const rest = more > 0 ? [`  … and ${more} more; the column fill_note has the reasons`] : [];
    const message = [`${text} ${counts.notCompleted} could not be completed:`, ...reasons, ...rest];
    throw new Refusal('rows_not_completed', message.join('\n'), 3, { file: output, ...details });
  }
  if (output === undefined) process.stderr.write(`${text}\n`);
  else print({ ...(json ? { json } : {}) }, { file: output, ...details }, `${output}: ${text}`);
}

/** The path to which an output is written until it is complete. */
function unfinishedOf(output: string): string {
  return `${output}.part`;
}

/** Whether two paths lead to the same file. Links are followed. */
async function isOneFile(one: string, other: string): Promise<boolean> {
  if (resolve(one) === resolve(other)) return true;
  const [found, same] = await Promise.all(
    [one, other].map((path) => stat(path, { bigint: true }).catch(() => undefined)),
  );
  return found !== undefined && found.ino === same?.ino && found.dev === same.dev;
}

function answererOf(command: Command, { service, wanted }: FillOptions): () => Answerer {
  if (service === undefined) {
    return () => {
      const { artifactsDir, artifactVersion } = readConfig(process.env);
      return localAnswerer(new PredictionModel(openArtifact(artifactsDir, artifactVersion)));
    };
  }
  const key = process.env[KEY_VARIABLE];
  if (key === undefined || key === '') {
    command.error(`error: --service needs a key in the variable ${KEY_VARIABLE}`);
  }
  if (!URL.canParse(service) || !/^https?:/.test(service)) {
    command.error(`error: --service ${service} is no address such as http://127.0.0.1:3000`);
  }
  // A file may get a few more measurements than were asked for.
  const measurements = Math.min(BODY_MEASUREMENTS.length, wanted.length + 30);
  return () => serviceAnswerer(service, key as string, measurements);
}

/** Receives reports while the lines of a file are made. */
interface Watcher {
  row(row: {
    status: 'complete' | 'empty' | 'refused' | 'asked';
    /** First line in the file; undefined for the person of a tailor's file. */
    line: number | undefined;
    /** Why the row is refused, or the note of a completed row. */
    reason?: string | undefined;
    isSuspicious?: boolean;
    /** Number of cells that were filled. */
    filled?: number;
  }): void;
  opened(file: OpenedSheet): void;
}

/** Yields the lines of the filled file, a few rows at a time. */
async function* filledLines(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  options: FillOptions,
  open: () => Answerer,
  watcher: Watcher,
): AsyncGenerator<string, void, undefined> {
  const { unit, massUnit, wanted, ranges = false, rangePercent, decimal, columns } = options;
  const { keepFormulas, values } = options;
  const { country, gender, age, clothing, posture } = options;
  const everyone = { country, gender, age, clothing, posture };
  const given = Object.entries(everyone).filter((entry) => entry[1] !== undefined);
  const opened = await openSheet(file, bytes, {
    ...{ unit, massUnit, wanted, ranges, decimal, keepFormulas, values, said: columns },
    everyone: Object.fromEntries(given),
    needsModel: options.service === undefined,
  });
  const answerer = open();
  watcher.opened(opened);
  const { sheet, rows } = opened;
  yield opened.head;
  let waiting: { row: Row; line: number | undefined }[] = [];
  let asked = 0;
  const flush = async (): Promise<string> => {
    const inputs = waiting.flatMap(({ row }) =>
      'request' in row ? { ...row.request, ...(rangePercent && { rangePercent }) } : [],
    );
    const answers = inputs.length === 0 ? [] : await answerer.answer(inputs, asked);
    asked += inputs.length;
    let next = 0;
    const written = waiting.map(({ row, line }) => {
      if (!('request' in row)) {
        watcher.row({ status: row.status, line, ...('reason' in row && { reason: row.reason }) });
        return sheet.untouched(row);
      }
      const answer = answers[next++];
      if (answer === undefined) throw new Error('an answer is missing');
      const cells = sheet.answered(row.cells, row.request, answer);
      const refused = 'refused' in answer;
      watcher.row({
        ...{ status: refused ? 'refused' : 'asked', line, reason: cells.at(-1) },
        isSuspicious: 'note' in answer && answer.note !== undefined,
        filled: 'completed' in answer ? sheet.filledOf(row.cells, answer) : 0,
      });
      return cells;
    });
    waiting = [];
    return opened.write(written);
  };
  let requests = 0;
  for await (const { cells, line } of rows) {
    const row = sheet.read(cells);
    waiting.push({ row, line });
    if ('request' in row) requests++;
    if (requests < answerer.together && waiting.length < WAITING_MAX) continue;
    yield await flush();
    requests = 0;
  }
  if (waiting.length > 0) yield await flush();
}

/** Maximum number of rows that wait, if few of them need a request. */
const WAITING_MAX = 1000;
