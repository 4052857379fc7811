import { parseArgs } from 'node:util';
import { IMPORTERS, ImportRefusal, runImport } from './run-import.js';

function helpText(): string {
  const lines = [
    'Usage: npm run import -- <survey> <files…> [--to data/raw] [--date YYYY-MM-DD]',
    '',
    'Checks the files, computes the survey tables and replaces <to>/<survey>.',
    'A file that is not what the importer expects is refused; the old tables then stay.',
    '',
    'Surveys and the files each wants, in order:',
  ];
  for (const importer of IMPORTERS) {
    lines.push(`  ${importer.source.padEnd(18)}${importer.title}`);
    for (const file of importer.files) lines.push(`    ${file.label}`);
  }
  return `${lines.join('\n')}\n`;
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** Runs the command line; returns the exit code (0 done, 1 refused, 2 wrong usage). */
async function main(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      to: { type: 'string', default: 'data/raw' },
      date: { type: 'string' },
    },
  });
  const [survey, ...files] = positionals;
  if (values.help || survey === undefined) {
    process.stdout.write(helpText());
    return values.help ? 0 : 2;
  }
  const date = values.date ?? today();
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) {
    process.stderr.write(`--date ${date} is not a date like 2026-11-21\n`);
    return 2;
  }
  const log = (line: string): void => void process.stdout.write(`${line}\n`);
  await runImport(survey, files, { to: values.to, date, log });
  return 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const usage =
    error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  if (error instanceof ImportRefusal) {
    process.stderr.write(`refused: ${error.message}\n`);
    process.exitCode = 1;
  } else if (usage) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  } else {
    throw error;
  }
}
