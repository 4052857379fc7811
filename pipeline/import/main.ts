import { parseArgs } from 'node:util';
import { typedCommand } from '../../src/core/typed-command.js';
import { fileLabel } from './importer.js';
import { IMPORTERS, ImportRefusal, MAKEHUMAN, runImport } from './run-import.js';

function helpText(): string {
  const lines = [
    `Usage: ${typedCommand('import')} <survey> <files…> [--to data/raw] [--date YYYY-MM-DD] [--json]`,
    '',
    'Checks the files, computes the survey tables and replaces <to>/<survey>.',
    'A file that the importer does not expect is refused; the old tables then stay.',
    '',
    'Surveys and their files, in order:',
  ];
  for (const importer of IMPORTERS) {
    lines.push(`  ${importer.source.padEnd(18)}${importer.title}`);
    for (const file of importer.files) lines.push(`    ${fileLabel(file)}`);
  }
  lines.push(`  ${MAKEHUMAN.source.padEnd(18)}${MAKEHUMAN.title}`);
  lines.push(
    '    folder with base.obj, targets, rig.game_engine.json and weights.game_engine.json',
  );
  return `${lines.join('\n')}\n`;
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** With `--json`, stdout has one JSON document, and progress goes to stderr. */
const json = process.argv.includes('--json');

function fail(code: string, message: string): void {
  if (json) process.stdout.write(`${JSON.stringify({ code, message })}\n`);
  else process.stderr.write(`${message}\n`);
}

/** Runs the command line. Returns the exit code: 0 done, 1 refused, 2 wrong usage. */
async function main(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      to: { type: 'string', default: 'data/raw' },
      date: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const [survey, ...files] = positionals;
  if (values.help) {
    process.stdout.write(helpText());
    return 0;
  }
  if (survey === undefined) {
    if (json) fail('wrong_usage', 'A survey is needed; --help lists them.');
    else process.stdout.write(helpText());
    return 2;
  }
  const { to, date = today() } = values;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) {
    fail('wrong_usage', `--date ${date} is not a date like 2026-11-21`);
    return 2;
  }
  const progress = json ? process.stderr : process.stdout;
  await runImport(survey, files, { to, date, log: (line) => void progress.write(`${line}\n`) });
  if (json) process.stdout.write(`${JSON.stringify({ survey, to, date })}\n`);
  return 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const usage =
    error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  if (error instanceof ImportRefusal) {
    fail('refused', `refused: ${error.message}`);
    process.exitCode = 1;
  } else if (usage) {
    fail('wrong_usage', error.message);
    process.exitCode = 2;
  } else {
    throw error;
  }
}
