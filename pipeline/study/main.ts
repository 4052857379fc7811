import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { MEASUREMENT_NAMES } from '../../src/core/measurements.js';
import { projectDir } from '../../src/core/project-dir.js';
import { typedCommand } from '../../src/core/typed-command.js';
import { MASS_UNITS, type MassUnit, UNITS, type Unit } from '../../src/core/units.js';
import { saidColumns } from '../../src/people-sheet/open-sheet.js';
import { ImportRefusal } from '../import/importer.js';
import { studySources } from '../raw-tables/studies.js';
import { faultText, StudyFaults } from '../raw-tables/study-faults.js';
import { nameMeant } from '../raw-tables/study-fields.js';
import { DATE_OPTION, runProgram } from '../run-program.js';
import { SourceError } from '../sources.js';
import { bandText, readBands, USUAL_BANDS } from './age-bands.js';
import type { PersonCell } from './person-cells.js';
import { PERSONS_MAX } from './persons.js';
import { type ImportedPersons, importPersons, type Match } from './persons-study.js';
import { checkStudyTables, importStudy, newStudy, removeStudy } from './study.js';
import { FIELDS, StudyRefusal } from './study-map.js';

const TYPED = typedCommand('study');
const RAW_DIR = join(projectDir(), 'data/raw');
const JSON_FLAG = ['--json', 'print exactly one JSON document'] as const;

const MAP_NOTES = `
The map (columns.json beside the file, or --map) says where each field comes from:
  "columns"       field: heading of a column in the file
  "values"        field: one value for all rows
  "measurements"  name in the file: "Stature exact", a dimension and how well its definition agrees; null leaves
                  the rows with this name out. Names of /docs/measurements need no entry.
  "samples"       for tables with a column for each group of people: a list, each with its own columns and values

Fields:
${Object.entries(FIELDS)
  .map(([field, meaning]) => `  ${field.padEnd(14)}${meaning}`)
  .join('\n')}
`;

const PERSONS_NOTES = `
With --persons the file has a row for each person, as fill reads it: CSV in UTF-8 with country, gender, age and
measurements. Words, units, missing values and decimal commas are read as there. Up to ${PERSONS_MAX.rows.toLocaleString('en')} rows and ${PERSONS_MAX.megabytes} MB are
read. Only the table is kept: count, mean, SD and percentiles by gender and age band, and the correlations with stature
and mass. Cells of fewer than ten people are left out. A row that repeats the gender, age and measurements of another
(at least four) is left out, too. --dry-run shows the table and what an import would say, and writes nothing.
`;

interface PersonsFlags {
  readonly country?: string;
  readonly gender?: string;
  readonly age?: string;
  readonly year?: number;
  readonly population?: string;
  readonly match: ReadonlyMap<string, Match>;
  readonly bands: string;
  readonly columns: ReadonlyMap<string, string>;
  readonly unit?: Unit;
  readonly massUnit?: MassUnit;
  readonly decimal?: 'point' | 'comma';
  readonly id?: string;
  readonly dryRun?: true;
}

interface Json {
  readonly json?: true;
}

function print({ json }: Json, document: object, text: string): void {
  process.stdout.write(json ? `${JSON.stringify(document)}\n` : `${text}\n`);
}

const program = new Command(TYPED)
  .description('Adds a survey to the tables, printed figures or persons, without programming.')
  .addHelpText(
    'after',
    `
Exit codes: 0 done, 1 refused, 2 wrong usage. docs/retraining.md shows all steps on a published table.

Examples:
  ${TYPED} new navy-1988
  ${TYPED} import navy-1988/study.csv
  ${TYPED} import --persons porto-2019/people.csv --country PT --year 2019 --dry-run
  ${TYPED} check navy-1988
  ${TYPED} remove navy-1988`,
  );

program
  .command('new')
  .description('write a folder with a table to fill in, a column map and SOURCE.md')
  .argument('<folder>', 'new folder; its name is the name of the study')
  .option(...JSON_FLAG)
  .action(async (folder: string, options: Json) => {
    const files = await newStudy(folder);
    const next = `Fill them in, then run ${TYPED} import ${files.find((file) => file.endsWith('.csv'))}`;
    print(options, { files }, `${files.join('\n')}\n${next}`);
  });

/** Options of an import of printed figures. */
const OF_BOTH = ['--map', '--name', '--raw', '--date', '--json'];

/** Whether a dry run found that the import would be refused. */
let isRefused = false;

program
  .command('import')
  .description(
    'check a table of printed figures, or a file of persons, and put it among the sources',
  )
  .argument('[file]', 'CSV file of printed figures; SOURCE.md is beside it')
  .option('--persons <file>', 'CSV file of persons instead; SOURCE.md is beside it')
  .option('--map <file>', 'column map of printed figures (default: columns.json beside the file)')
  .option('--name <name>', "name of the source (default: that of the file's folder)")
  .option('--raw <folder>', 'folder of the sources', RAW_DIR)
  .option(...DATE_OPTION)
  .option(...JSON_FLAG)
  .optionsGroup('Options with --persons:')
  .option('--dry-run', 'show the table and write nothing')
  .option('--country <name>', 'country of rows without one: a code or a name')
  .option('--gender <name>', 'gender of rows without one')
  .option('--age <years>', 'age in years of rows without one')
  .option('--year <year>', 'year of measurement', yearArgument)
  .option('--population <text>', 'who the people are, such as general, military or students')
  .addOption(
    new Option(
      '--match <list>',
      'how well definitions agree: exact, close or poor, or Stature=exact,Span=poor',
    )
      .argParser(matchArgument)
      .default(new Map<string, Match>(), 'close'),
  )
  .option('--bands <list>', 'age bands in completed years', USUAL_BANDS)
  .addOption(
    new Option('--columns <heading=measurement>', 'what a column is, as for fill')
      .argParser(columnsArgument)
      .default(new Map<string, string>(), 'none'),
  )
  .option('--id <heading>', 'column that names the person, so that nobody counts twice')
  .addOption(new Option('--unit <name>', 'unit of lengths whose heading has none').choices(UNITS))
  .addOption(
    new Option('--mass-unit <name>', 'unit of masses whose heading has none').choices(MASS_UNITS),
  )
  .addOption(new Option('--decimal <mark>', 'mark before decimals').choices(['point', 'comma']))
  .addHelpText('after', PERSONS_NOTES + MAP_NOTES)
  .action(
    async (
      file: string | undefined,
      options: Json &
        PersonsFlags & { raw: string; date: string; map?: string; name?: string; persons?: string },
      command: Command,
    ) => {
      const { raw: rawDir, name, map, date, persons } = options;
      if ((file === undefined) === (persons === undefined)) {
        command.error(
          'error: give a table of printed figures, or a file of persons with --persons',
        );
      }
      const strange = command.options
        .filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
        .map(({ long }) => long ?? '')
        .find((flag) => (persons === undefined ? !OF_BOTH.includes(flag) : flag === '--map'));
      if (strange !== undefined) {
        const other = persons === undefined ? 'a file of persons' : 'a table of printed figures';
        command.error(`error: ${strange} belongs to ${other}. Leave it out.`);
      }
      if (persons !== undefined) return await importOfPersons(persons, options);
      const done = await importStudy(file as string, { rawDir, name, map, date });
      const text = [
        ...done.leftOut,
        ...done.warnings.map((fault) => `Check: ${faultText(fault)}`),
        ...rowsText(done.folder, done.rows),
      ];
      print(options, done, text.join('\n'));
    },
  );

async function importOfPersons(
  file: string,
  options: Json & PersonsFlags & { raw: string; date: string; name?: string },
): Promise<void> {
  const { raw: rawDir, name, date, year, population, match, columns: said, id } = options;
  const { country, gender, age, unit, massUnit, decimal } = options;
  const given = Object.entries({ country, gender, age }).filter((one) => one[1] !== undefined);
  const done = await importPersons(file, {
    ...{ rawDir, name, date, year, population, match, said, id, unit, massUnit, decimal },
    ...{ everyone: Object.fromEntries(given), bands: readBands(options.bands) },
    isDry: options.dryRun === true,
  });
  isRefused = done.refused !== undefined;
  print(options, done, personsText(done, options).join('\n'));
}

function personsText(done: ImportedPersons, { dryRun }: PersonsFlags): string[] {
  const { headings, leftOut, warnings, refused, rows, people, cells } = done;
  return [
    ...[...headings.read, ...headings.guessed, ...headings.notUsed, ...leftOut],
    `${people.toLocaleString('en')} of ${rows.toLocaleString('en')} rows are people of the study.`,
    ...(dryRun ? ['', ...cellsText(cells), ''] : []),
    ...warnings.map((fault) => `Check: ${faultText(fault)}`),
    ...(refused === undefined ? [] : [`An import would be refused:\n${refused}`]),
    ...(dryRun ? ['Nothing was written.'] : rowsText(done.folder, done.tables)),
  ];
}

/** The table of a study of persons, aligned. */
function cellsText(cells: readonly PersonCell[]): string[] {
  const shown = (value: number | null | undefined, digits: number) => value?.toFixed(digits) ?? '';
  const lines = cells.map((cell) => {
    const { country, gender, band, measurement, n, mean, sd, p5, p50, p95, correlations } = cell;
    return [
      ...[measurement, country, gender, bandText(band), String(n)],
      ...[mean, sd, p5, p50, p95].map((value) => shown(value, 1)),
      ...[correlations.Stature, correlations.BodyMass].map((one) => shown(one?.r, 2)),
    ];
  });
  const headings = 'measurement,country,gender,ages,n,mean,SD,P5,P50,P95,r stature,r mass'.split(
    ',',
  );
  const all = [headings, ...lines];
  const widths = headings.map((_, i) => Math.max(...all.map((one) => one[i]?.length ?? 0)));
  const isText = (i: number) => i < 4;
  return all.map((line) =>
    line
      .map((cell, i) => (isText(i) ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

function rowsText(folder: string, rows: Readonly<Record<string, number>>): string[] {
  return Object.entries(rows).map(([table, count]) => `${folder}/${table}: ${count} rows`);
}

function yearArgument(text: string): number {
  if (/^(?:19|20)\d{2}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Write a year such as 2019; of a range its middle.');
}

function columnsArgument(
  text: string,
  said: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const all = saidColumns(text, said);
  if (all !== undefined) return all;
  throw new InvalidArgumentError('Write heading=measurement, such as "Taille=Stature".');
}

function matchArgument(text: string, said: ReadonlyMap<string, Match>): ReadonlyMap<string, Match> {
  return new Map([
    ...said,
    ...text.split(',').map((one): [string, Match] => {
      const [, name = '', match] = /^(?:\s*(\w+)\s*=)?\s*(exact|close|poor)\s*$/.exec(one) ?? [];
      if (match === undefined) {
        throw new InvalidArgumentError(
          'Write exact, close or poor, or such as Stature=exact,Span=poor.',
        );
      }
      if (name !== '' && !(MEASUREMENT_NAMES as readonly string[]).includes(name)) {
        const meant = nameMeant(name, MEASUREMENT_NAMES);
        throw new InvalidArgumentError(
          `${name} is no dimension. ${meant === undefined ? '/docs/measurements lists them' : `Write ${meant}`}.`,
        );
      }
      return [name, match as Match];
    }),
  ]);
}

program
  .command('check')
  .description('check the sources of national studies as a build does')
  .argument('[names...]', 'sources to report on; all without a name')
  .option('--raw <folder>', 'folder of the sources', RAW_DIR)
  .option(...JSON_FLAG)
  .action(async (names: string[], options: Json & { raw: string }) => {
    const warnings = await checkStudyTables(options.raw, names);
    const checked = names.length === 0 ? studySources(options.raw) : names;
    const lines = warnings.map((fault) => `Check: ${faultText(fault)}`);
    const count = `${checked.join(', ')}: no faults, ${warnings.length} figures to check`;
    print(options, { checked, warnings }, [...lines, count].join('\n'));
  });

program
  .command('remove')
  .description('remove a study that was imported by this command')
  .argument('<name>', 'name of the source')
  .option('--raw <folder>', 'folder of the sources', RAW_DIR)
  .option(...JSON_FLAG)
  .action(async (name: string, options: Json & { raw: string }) => {
    const removed = await removeStudy(options.raw, name);
    print(options, { removed }, `${removed}: removed`);
  });

const exitCode = await runProgram(program, [
  ...[StudyRefusal, StudyFaults, SourceError, ImportRefusal],
]);
process.exitCode = isRefused ? 1 : exitCode;
