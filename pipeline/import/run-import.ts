import { basename } from 'node:path';
import { openDuck } from './duck.js';
import { fileLabel, type Importer, ImportRefusal } from './importer.js';
import { digestFile, loadChecked } from './input.js';
import { importMakehuman, MAKEHUMAN } from './makehuman/makehuman.js';
import { renewSource } from './output.js';
import { IMPORTERS } from './surveys/index.js';

export { ImportRefusal } from './importer.js';
export { MAKEHUMAN } from './makehuman/makehuman.js';
export { IMPORTERS } from './surveys/index.js';

/** Output directory, date and progress log of an import. */
export interface ImportOptions {
  /** Directory of the sources, such as `data/raw`. */
  readonly to: string;
  /** Date of import for SOURCE.md, YYYY-MM-DD. */
  readonly date: string;
  readonly log: (line: string) => void;
}

function checkFileCount(importer: Importer, files: readonly string[]): void {
  const wanted = importer.files.length;
  if (files.length === wanted) return;
  const labels = importer.files.map(fileLabel).join(', then ');
  throw new ImportRefusal(
    importer.source,
    `needs ${wanted} file${wanted === 1 ? '' : 's'}, not ${files.length}`,
    `Give ${labels}`,
  );
}

/**
 * Runs one importer: checks every file, computes the tables, and replaces `<to>/<source>`.
 *
 * @throws ImportRefusal if a file does not pass its checks, or SOURCE.md is missing; the old tables then stay
 */
export async function runImporter(
  importer: Importer,
  files: readonly string[],
  options: ImportOptions,
): Promise<void> {
  checkFileCount(importer, files);
  const digests = [];
  for (const file of files) digests.push(await digestFile(file));
  const { connection, close } = await openDuck();
  try {
    const tables: string[] = [];
    for (const [index, spec] of importer.files.entries()) {
      const path = files[index] ?? '';
      options.log(`${importer.source}: checking ${basename(path)}`);
      const table = `input_${index + 1}`;
      await loadChecked(connection, path, table, spec);
      tables.push(table);
    }
    const fileNames = files.map((file) => basename(file));
    const log = (line: string): void => options.log(`${importer.source}: ${line}`);
    const outputs = await importer.build({ connection, tables, fileNames, log });
    await renewSource(options, importer.source, digests, outputs);
    for (const table of outputs) log(`${table.file}: ${table.rows.length} rows`);
  } finally {
    close();
  }
}

/**
 * Imports one survey by its name on the command line.
 *
 * @throws ImportRefusal if the survey is unknown or a file is refused
 */
export async function runImport(
  survey: string,
  files: readonly string[],
  options: ImportOptions,
): Promise<void> {
  if (survey === MAKEHUMAN) {
    const [folder, ...more] = files;
    if (folder === undefined || more.length > 0) {
      throw new ImportRefusal(survey, `needs 1 folder, not ${files.length}`, 'Give the folder');
    }
    await importMakehuman(folder, options);
    return;
  }
  const importer = IMPORTERS.find((candidate) => candidate.source === survey);
  if (importer === undefined) {
    const names = [...IMPORTERS.map(({ source }) => source), MAKEHUMAN].join(', ');
    throw new ImportRefusal(
      survey,
      'is not a survey that can be imported',
      `Choose one of: ${names}`,
    );
  }
  await runImporter(importer, files, options);
}
