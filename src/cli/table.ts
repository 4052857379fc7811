import { SingleBar } from 'cli-progress';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readConfig } from '../config.js';
import { GENDERS } from '../core/genders.js';
import { UNITS } from '../core/units.js';
import { openArtifact } from '../lookup/open-artifact.js';
import { DEFAULTS } from '../operations/fields.js';
import { PredictionModel } from '../operations/prediction-model.js';
import {
  ALL_MEASUREMENTS,
  type LeftOut,
  openPredictionTable,
} from '../operations/prediction-table.js';
import { arrowChunk } from '../table-formats/arrow.js';
import { csvChunk } from '../table-formats/csv.js';
import type { RowTable } from '../table-formats/table.js';
import { JSON_OPTION, type JsonOption, numberArgument, print, writeParts } from './output.js';
import { typedCountry } from './typed-fields.js';

const FORMATS = ['csv', 'arrow'] as const;
type Format = (typeof FORMATS)[number];

interface TableOptions extends JsonOption {
  readonly measurements: readonly string[];
  readonly countries: readonly string[];
  readonly genders: readonly string[];
  readonly ages: readonly number[];
  readonly percentiles: readonly number[];
  readonly clothing: readonly string[];
  readonly postures: readonly string[];
  readonly unit: string;
  readonly format: Format;
  readonly output?: string;
}

const CHUNK_ROWS = 10_000;
const AGES = [20, 30, 40, 50, 60, 70, 80];
const PERCENTILES = [5, 50, 95];
/** Maximum number of combinations without a model that are named. Further combinations are only counted. */
const NAMED_MAX = 5;

const NOTES = `
A table has a row for each combination of measurement, country, gender, age, clothing, posture and
percentile, with the columns measurement, country, gender, age, clothing, posture, percentile, value and
unit. Combinations without a model are left out; standard error says which.

Examples:
  npx vitruvia table --measurements Stature,SittingHeight --countries DE,JP > sizes.csv
  npx vitruvia table --measurements all --countries EU27 --ages 18-65 --percentiles 1,5,50,95,99 \\
    --format arrow --output eu.arrow
`;

/** Adds the options of `table`. */
export function tableCommand(command: Command): void {
  const words = (text: string) => text.split(',').map((word) => word.trim());
  const numbers = (text: string) => words(text).map(numberArgument);
  command
    .description(
      'A table of predictions for many measurements, countries, ages and percentiles. Needs no server and no key.',
    )
    .requiredOption('--measurements <list>', 'Dimensions, separated by commas, or all.', words)
    .requiredOption(
      '--countries <list>',
      'Country codes or names, or sets such as EU27 or World, separated by commas.',
      (text: string) => words(text).map(typedCountry),
    )
    .addOption(
      new Option('--genders <list>', 'Genders, separated by commas.')
        .argParser(words)
        .default([...GENDERS], GENDERS.join(',')),
    )
    .addOption(
      new Option('--ages <list>', 'Exact ages in years, such as 20,30, 18-65 or 20-60:10.')
        .argParser(agesArgument)
        .default(AGES, AGES.join(',')),
    )
    .addOption(
      new Option('--percentiles <list>', 'Percentiles, separated by commas.')
        .argParser(numbers)
        .default(PERCENTILES, PERCENTILES.join(',')),
    )
    .addOption(
      new Option('--clothing <list>', 'Clothing profiles; vitruvia catalog says what they mean.')
        .argParser(words)
        .default([DEFAULTS.clothing], DEFAULTS.clothing),
    )
    .addOption(
      new Option(
        '--postures <list>',
        'Posture profiles. The profile sitting means slumped; sitting dimensions need none.',
      )
        .argParser(words)
        .default([DEFAULTS.posture], DEFAULTS.posture),
    )
    .addOption(new Option('--unit <name>', 'Unit of the values.').choices(UNITS).default('mm'))
    .addOption(
      new Option('--format <name>', 'Form of the table.').choices(FORMATS).default(FORMATS[0]),
    )
    .option('--output <file>', 'Write to this file and show the progress.')
    .option(JSON_OPTION[0], `${JSON_OPTION[1]} about the table; needs --output`)
    .addHelpText('after', NOTES)
    .action((options: TableOptions) => writeTable(command, options));
}

async function writeTable(command: Command, options: TableOptions): Promise<void> {
  const { json, format, output, measurements, ...others } = options;
  if (json && output === undefined) {
    command.error('error: --json describes a table in a file; add --output <file>');
  }
  if (format === 'arrow' && output === undefined && process.stdout.isTTY) {
    command.error('error: Arrow is not text; write it to a file with --output table.arrow');
  }
  const { artifactsDir, artifactVersion } = readConfig(process.env);
  const model = new PredictionModel(openArtifact(artifactsDir, artifactVersion));
  const names = measurements.join() === 'all' ? ALL_MEASUREMENTS : measurements;
  const { table, leftOut } = openPredictionTable({ measurements: names, ...others }, model);
  const rows = table.rowCount;
  const bar = new SingleBar({
    format: 'rows {bar} {value} of {total}, {eta_formatted} left',
    noTTYOutput: false,
    hideCursor: true,
  });
  if (!json && output !== undefined) bar.start(rows, 0);
  await writeParts(
    partsOf(table, format, (done) => bar.update(done)),
    output,
    bar,
  );
  if (output !== undefined) {
    const document = { file: output, format, rows, ...table.details, leftOut };
    print({ ...(json ? { json } : {}) }, document, `${output}: ${rows} rows`);
  }
  if (!json && leftOut.length > 0) process.stderr.write(`${describe(leftOut)}\n`);
}

/** The parts of a table in order. */
function* partsOf(
  table: RowTable,
  format: Format,
  onRows: (done: number) => void,
): Generator<Uint8Array> {
  const write = format === 'csv' ? csvChunk : arrowChunk;
  for (let from = 0; from < table.rowCount; from += CHUNK_ROWS) {
    const to = Math.min(table.rowCount, from + CHUNK_ROWS);
    yield write(table, from, to);
    onRows(to);
  }
}

/** Combinations that are not in a table, and why. */
function describe(leftOut: readonly LeftOut[]): string {
  const rows = leftOut.reduce((sum, one) => sum + one.rows, 0);
  const reasons = [...new Set(leftOut.map(({ reason }) => reason))];
  const named = reasons.slice(0, NAMED_MAX).map((reason) => `  ${reason}`);
  const more = reasons.length - named.length;
  const rest = more > 0 ? [`  … and ${more} more reasons; --json with --output lists all`] : [];
  return [`Left out: ${rows} rows without a model.`, ...named, ...rest].join('\n');
}

/** Ages of a list: `20,30`, `18-65` (each year) or `20-60:10` (each tenth year). */
function agesArgument(text: string): number[] {
  return text.split(',').flatMap((word) => {
    const range = /^(\d+)-(\d+)(?::(\d+))?$/.exec(word.trim());
    if (range === null) return [numberArgument(word.trim())];
    const [from, to, step] = [Number(range[1]), Number(range[2]), Number(range[3] ?? 1)];
    if (from > to || step === 0) {
      throw new InvalidArgumentError('Write ages as in 20,30 or 18-65 or 20-60:10.');
    }
    return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step);
  });
}
