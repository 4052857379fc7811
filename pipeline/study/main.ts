import { join } from 'node:path';
import { Command } from 'commander';
import { projectDir } from '../../src/core/project-dir.js';
import { typedCommand } from '../../src/core/typed-command.js';
import { ImportRefusal } from '../import/importer.js';
import { studySources } from '../raw-tables/studies.js';
import { faultText, StudyFaults } from '../raw-tables/study-faults.js';
import { DATE_OPTION, runProgram } from '../run-program.js';
import { SourceError } from '../sources.js';
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
                  the rows with this name out. Names of docs/measurements.md need no entry.
  "samples"       for tables with a column for each group of people: a list, each with its own columns and values

Fields:
${Object.entries(FIELDS)
  .map(([field, meaning]) => `  ${field.padEnd(14)}${meaning}`)
  .join('\n')}
`;

interface Json {
  readonly json?: true;
}

function print({ json }: Json, document: object, text: string): void {
  process.stdout.write(json ? `${JSON.stringify(document)}\n` : `${text}\n`);
}

const program = new Command(TYPED)
  .description('Adds a survey with printed figures to the tables, without programming.')
  .addHelpText(
    'after',
    `
Exit codes: 0 done, 1 refused, 2 wrong usage. docs/retraining.md shows all steps on a published table.

Examples:
  ${TYPED} new navy-1988
  ${TYPED} import navy-1988/study.csv
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

program
  .command('import')
  .description('check a table of printed figures and put it among the sources')
  .argument('<file>', 'CSV file; SOURCE.md is beside it')
  .option('--map <file>', 'column map (default: columns.json beside the file)')
  .option('--name <name>', "name of the source (default: that of the file's folder)")
  .option('--raw <folder>', 'folder of the sources', RAW_DIR)
  .option(...DATE_OPTION)
  .option(...JSON_FLAG)
  .addHelpText('after', MAP_NOTES)
  .action(
    async (
      file: string,
      options: Json & { raw: string; date: string; map?: string; name?: string },
    ) => {
      const { raw: rawDir, name, map, date } = options;
      const done = await importStudy(file, { rawDir, name, map, date });
      const text = [
        ...done.leftOut,
        ...done.warnings.map((fault) => `Check: ${faultText(fault)}`),
        ...Object.entries(done.rows).map(
          ([table, rows]) => `${done.folder}/${table}: ${rows} rows`,
        ),
      ];
      print(options, done, text.join('\n'));
    },
  );

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

process.exitCode = await runProgram(program, [
  ...[StudyRefusal, StudyFaults, SourceError, ImportRefusal],
]);
