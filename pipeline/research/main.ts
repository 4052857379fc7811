import { join } from 'node:path';
import { Argument, Command } from 'commander';
import { projectDir } from '../../src/core/project-dir.js';
import { fitModel } from '../fit/fit-model.js';
import { RawTables } from '../raw-tables/raw-tables.js';
import { MODEL_STUDIES, type ModelStudy } from './studies.js';

const names = Object.keys(MODEL_STUDIES);
const width = Math.max(...names.map((name) => name.length));
const list = Object.entries(MODEL_STUDIES).map(
  ([name, { question }]) => `  ${name.padEnd(width)}  ${question}`,
);

const command = new Command('research')
  .description('Does one study of the fitted model and prints it as Markdown.')
  .addArgument(new Argument('<study>', 'name of the study').choices(names))
  .option('--raw <folder>', 'folder of the survey tables', join(projectDir(), 'data/raw'))
  .addHelpText('after', `\nStudies:\n${list.join('\n')}`)
  .showHelpAfterError('(--help lists the studies)')
  .parse();

const study = MODEL_STUDIES[command.args[0] as string] as ModelStudy;
const tables = await RawTables.open(command.opts<{ raw: string }>().raw, []);
try {
  process.stdout.write(`${await study.run(await fitModel(tables), tables)}\n`);
} finally {
  tables.close();
}
