import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { projectDir } from '../../src/core/project-dir.js';
import { typedCommand } from '../../src/core/typed-command.js';
import { DATE_OPTION, runProgram } from '../run-program.js';
import { describedSource } from '../sources.js';
import { fileLabel } from './importer.js';
import { IMPORTERS, ImportRefusal, MAKEHUMAN, runImport } from './run-import.js';

/** Title of a source, if its SOURCE.md is there. */
function titleOf(source: string): string {
  const file = join(projectDir(), 'data', 'raw', source, 'SOURCE.md');
  return existsSync(file) ? describedSource(readFileSync(file, 'utf8')).title : '';
}

/** The surveys and their files, for `--help`. */
function surveysText(): string {
  const folder = 'folder with base.obj, targets, rig.game_engine.json and weights.game_engine.json';
  const surveys = [
    ...IMPORTERS.map(({ source, files }) => [source, ...files.map(fileLabel)]),
    [MAKEHUMAN, folder],
  ];
  const lines = surveys.flatMap(([source = '', ...files]) => [
    `  ${source.padEnd(18)}${titleOf(source)}`,
    ...files.map((file) => `    ${file}`),
  ]);
  return ['\nSurveys and their files, in order:', ...lines].join('\n');
}

const program = new Command(typedCommand('import'))
  .description(
    'Checks the files, computes the survey tables and replaces <to>/<survey>.\nA file that the importer does not expect is refused; the old tables then stay.',
  )
  .argument('<survey>')
  .argument('[files...]', 'files of the survey in the order below')
  .option('--to <folder>', 'folder of the sources', 'data/raw')
  .option(...DATE_OPTION)
  .option('--json', 'print exactly one JSON document; progress goes to stderr')
  .addHelpText('after', surveysText())
  .showHelpAfterError('(--help lists the surveys and their files)')
  .action(
    async (
      survey: string,
      files: string[],
      { to, date, json }: { to: string; date: string; json?: true },
    ) => {
      const progress = json ? process.stderr : process.stdout;
      const log = (line: string) => void progress.write(`${line}\n`);
      await runImport(survey, files, { to, date, log });
      if (json) process.stdout.write(`${JSON.stringify({ survey, to, date })}\n`);
    },
  );

process.exitCode = await runProgram(program, [ImportRefusal]);
