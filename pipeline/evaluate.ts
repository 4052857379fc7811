import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { projectDir } from '../src/core/project-dir.js';
import { openArtifact } from '../src/lookup/open-artifact.js';
import { addedMarkdown, scoreAdded } from './evaluate/added-study.js';
import { anatomyPage } from './evaluate/anatomist.js';
import { evaluate } from './evaluate/evaluation.js';
import { ACCURACY_DIR, keepAccuracy } from './evaluate/known-accuracy.js';
import { accuracyPage } from './evaluate/page.js';
import { accuracyRecord, fullReport, reportText } from './evaluate/report.js';
import { studySources } from './raw-tables/studies.js';
import { withBuilt } from './run.js';

const command = new Command('evaluate')
  .description(
    'Scores the model on surveys it was not fitted to; writes docs/accuracy.md, docs/accuracy-summary.json and docs/anatomy.md.',
  )
  .option('--raw <folder>', 'folder of the survey tables', join(projectDir(), 'data/raw'))
  .option('--docs <folder>', 'folder of the page and its summary', join(projectDir(), 'docs'))
  .option(
    '--added <source...>',
    'only compare the scores of the national studies with and without these sources; writes nothing',
  )
  .showHelpAfterError('(--help lists the options)');

interface Options {
  readonly raw: string;
  readonly docs: string;
  readonly added?: readonly string[];
}

/** Prints the scores with and without the added sources. */
async function compareAdded(rawDir: string, added: readonly string[]): Promise<void> {
  const known = studySources(rawDir);
  const unknown = added.filter((source) => !known.includes(source));
  if (unknown.length > 0) {
    const message = `--added: no national studies in ${unknown.join(', ')}; the sources are ${known.join(', ')}`;
    command.error(`error: ${message}`);
  }
  process.stdout.write(addedMarkdown(await scoreAdded(rawDir, added)));
}

/** Scores the model and writes the report. */
async function writeReport({ raw, docs }: Options): Promise<void> {
  const told = (stage: string) => process.stderr.write(`evaluate: ${stage}\n`);
  told('building the artifact');
  const evaluation = await withBuilt({ rawDir: raw, without: [] }, (folder) =>
    evaluate(raw, openArtifact(folder), told),
  );
  const record = reportText(accuracyRecord(evaluation));
  writeFileSync(join(docs, 'accuracy-summary.json'), record);
  writeFileSync(join(docs, 'accuracy.md'), accuracyPage(JSON.parse(record)));
  writeFileSync(join(docs, 'anatomy.md'), anatomyPage(evaluation.anatomy));
  const file = keepAccuracy(raw, ACCURACY_DIR, fullReport(evaluation));
  process.stderr.write(`evaluate: every figure is in ${file}\n`);
}

const options = command.parse().opts<Options>();
if (options.added === undefined) await writeReport(options);
else await compareAdded(options.raw, options.added);
