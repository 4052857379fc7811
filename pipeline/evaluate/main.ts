import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { evaluate } from './evaluation.js';
import { plots } from './plots.js';
import { reportJson, reportMarkdown } from './report.js';
import { summariseAccuracy } from './summary.js';

const projectDir = join(dirname(fileURLToPath(import.meta.url)), '../..');

const command = new Command('evaluate')
  .description('Scores the model on surveys it was not fitted to; writes docs/accuracy.*.')
  .option('--raw <folder>', 'folder of the survey tables', join(projectDir, 'data/raw'))
  .option('--docs <folder>', 'folder for the report', join(projectDir, 'docs'))
  .showHelpAfterError('(--help lists the options)');

const options = command.parse().opts<{ readonly raw: string; readonly docs: string }>();
const evaluation = await evaluate(options.raw, (stage) => {
  process.stderr.write(`evaluate: ${stage}\n`);
});
const folder = join(options.docs, 'accuracy');
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) {
  if (name.endsWith('.svg')) rmSync(join(folder, name));
}
for (const [name, svg] of plots(evaluation)) writeFileSync(join(folder, name), svg);
writeFileSync(join(options.docs, 'accuracy.md'), reportMarkdown(evaluation));
writeFileSync(join(options.docs, 'accuracy.json'), reportJson(evaluation));
process.stdout.write(`${JSON.stringify(summariseAccuracy(evaluation), undefined, 2)}\n`);
