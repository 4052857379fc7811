import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { projectDir } from '../../src/core/project-dir.js';
import { checkTables } from '../fit/fit-model.js';
import { openDuck, queryRows, quoteText } from '../import/duck.js';
import { digestFile } from '../import/input.js';
import { csvText, replaceSource, sourceText } from '../import/output.js';
import { RawTables } from '../raw-tables/raw-tables.js';
import { studySources } from '../raw-tables/studies.js';
import { type StudyFault, StudyFaults } from '../raw-tables/study-faults.js';
import { describedSource, readSource, SOURCE_LINES, SourceError } from '../sources.js';
import { FIELDS, PLAIN_MAP, readStudyMap, StudyRefusal } from './study-map.js';
import { type PrintedTable, type StudyTables, studyTables } from './study-tables.js';

/** The three files of a new study. */
export const FILES = { table: 'study.csv', source: 'SOURCE.md', map: 'columns.json' } as const;
/** The command in the SOURCE.md of its sources. */
export const COMMAND = 'npx vitruvia study import';
/** A name of a source. */
const NAME = /^[a-z0-9][a-z0-9-]*$/;

/** @throws StudyRefusal for a name that no folder of a source can have */
export function checkName(name: string): void {
  if (NAME.test(name)) return;
  throw new StudyRefusal(`"${name}" cannot name a study. Use small letters, digits and hyphens.`);
}

/**
 * Writes the template of a study: a table with one row for each dimension, a column map, and SOURCE.md.
 *
 * @param folder must not exist
 * @throws StudyRefusal
 */
export async function newStudy(folder: string): Promise<string[]> {
  const name = basename(resolve(folder));
  checkName(name);
  if (existsSync(folder)) {
    throw new StudyRefusal(`${folder} exists. Choose another name, or remove it.`);
  }
  const { Citation, Licence } = SOURCE_LINES;
  const source = [
    `# ${name}`,
    '',
    Citation,
    Licence,
    '',
    '<Who was measured, where and how; which definitions differ; what was left out.>',
    '',
  ];
  const rows = ['Stature', 'BodyMass', 'SittingHeight'].map((measurement) =>
    Object.keys(FIELDS)
      .map((field) => (field === 'measurement' ? measurement : ''))
      .join(),
  );
  const texts = {
    [FILES.source]: source.join('\n'),
    [FILES.table]: `${[Object.keys(FIELDS).join(), ...rows].join('\n')}\n`,
    [FILES.map]: `${JSON.stringify(PLAIN_MAP, undefined, 2)}\n`,
  };
  await mkdir(folder, { recursive: true });
  for (const [file, text] of Object.entries(texts)) await writeFile(join(folder, file), text);
  return Object.keys(texts).map((file) => join(folder, file));
}

/** Options of an import. */
export interface StudyImportOptions {
  /** Folder of the sources that the study is compared with. The study is put there, too. */
  readonly rawDir: string;
  /** Name of the source; by default the name of the table's folder. */
  readonly name?: string | undefined;
  /** Column map; by default `columns.json` beside the table, if this file exists. */
  readonly map?: string | undefined;
  /** Day for SOURCE.md, YYYY-MM-DD. */
  readonly date: string;
}

/** Result of an import. */
export interface ImportedStudy {
  readonly folder: string;
  readonly rows: Readonly<Record<string, number>>;
  readonly leftOut: readonly string[];
  readonly warnings: readonly StudyFault[];
}

/**
 * Imports a printed table. It makes the tables of a source from it, checks them as a build does, and replaces
 * `<rawDir>/<name>`.
 *
 * @throws StudyRefusal, StudyFaults, ImportRefusal; the old tables then stay
 */
export async function importStudy(
  file: string,
  { rawDir, name: given, map: mapFile, date }: StudyImportOptions,
): Promise<ImportedStudy> {
  const folder = dirname(resolve(file));
  const name = given ?? basename(folder);
  checkName(name);
  const digest = await digestFile(file);
  const mapPath = mapFile ?? join(folder, FILES.map);
  const isMapped = mapFile !== undefined || existsSync(mapPath);
  const mapText = isMapped ? await textOf(mapPath) : JSON.stringify(PLAIN_MAP);
  const map = readStudyMap(mapText, mapPath);
  const { described, fault } = await describedIn(folder);
  return withFault(fault, async () => {
    const terms = { name, citation: described.citation };
    const made = studyTables(await readPrinted(file), map, terms);
    const written = new Map(made.tables.map((table) => [table.file, csvText(table)]));
    const by = { date, command: COMMAND };
    written.set(FILES.source, sourceText(described, by, [digest], made.tables));
    const warnings = await checkBeside(rawDir, name, written, file, made.lines);
    if (fault !== undefined) return undefined as never;
    await replaceSource(rawDir, name, written);
    const rows = Object.fromEntries(made.tables.map((table) => [table.file, table.rows.length]));
    return { folder: join(rawDir, name), rows, leftOut: made.leftOut, warnings };
  });
}

/** Placeholder for a SOURCE.md with a fault, so that the other faults can be found. */
const UNKNOWN = { title: 'unknown', citation: 'unknown', licence: 'unknown', notes: [] };

/** The author's SOURCE.md in a folder, or what is wrong with it. */
export async function describedIn(folder: string) {
  const path = join(folder, FILES.source);
  try {
    return { described: describe(await textOf(path), path), fault: undefined };
  } catch (error) {
    if (!(error instanceof StudyRefusal)) throw error;
    return { described: UNKNOWN, fault: error.message };
  }
}

/**
 * Does the rest of the work although SOURCE.md has a fault, and reports that fault with the others.
 *
 * @throws StudyRefusal with the fault, if there is one
 */
export async function withFault<T>(fault: string | undefined, work: () => Promise<T>): Promise<T> {
  if (fault === undefined) return work();
  let others = '';
  try {
    await work();
  } catch (error) {
    const isOfStudy = error instanceof StudyRefusal || error instanceof StudyFaults;
    others = isOfStudy ? error.message : '';
  }
  throw new StudyRefusal([fault, others].filter((text) => text !== '').join('\n'));
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StudyRefusal(
      `${path} cannot be read (${code}). npx vitruvia study new <name> writes a folder with it.`,
    );
  }
}

/** Reads the author's SOURCE.md. Reports all faults at once. */
function describe(text: string, path: string) {
  const described = describedSource(text);
  const { citation, licence, notes } = described;
  const missing = Object.entries({ Citation: citation, Licence: licence }).flatMap(
    ([line, value]) =>
      value === '' || value.startsWith('<') ? SOURCE_LINES[line as keyof typeof SOURCE_LINES] : [],
  );
  if (missing.length > 0) {
    throw new StudyRefusal(`${path}: fill in\n${missing.map((line) => `  ${line}`).join('\n')}`);
  }
  if (notes.some((note) => /^<Who was measured/m.test(note))) {
    throw new StudyRefusal(
      `${path}: describe the people and the definitions in place of <Who was measured …>.`,
    );
  }
  return described;
}

async function readPrinted(path: string): Promise<PrintedTable> {
  const { connection, close } = await openDuck();
  try {
    const rows = await queryRows(
      connection,
      `SELECT * FROM read_csv(${quoteText(path)}, header = false, all_varchar = true, null_padding = true)`,
    );
    const cells = rows.map((row) => row.map((cell) => String(cell ?? '').trim()));
    const [headings = [], ...body] = cells;
    return { file: path, headings, rows: body };
  } catch (error) {
    const [first] = (error as Error).message.split('\n');
    throw new StudyRefusal(`${path} is no readable CSV file: ${first}`);
  } finally {
    close();
  }
}

/** @throws StudyRefusal for a folder without the sources that a study is compared with */
function checkSources(rawDir: string): void {
  if (existsSync(join(rawDir, 'ansur2')) && studySources(rawDir).length > 0) return;
  const copy = `cp -r ${join(projectDir(), 'data', 'raw')} ${rawDir}`;
  throw new StudyRefusal(
    `${rawDir} has no sources to compare the study with. Copy them first (${copy}), or leave out --raw.`,
  );
}

/**
 * Checks new tables of a source together with all others, before the new tables are put in place.
 *
 * @param files undefined checks the others alone
 */
export async function checkBeside(
  rawDir: string,
  name: string,
  files: ReadonlyMap<string, string> | undefined,
  printed = '',
  lines?: StudyTables['lines'],
): Promise<StudyFault[]> {
  checkSources(rawDir);
  const beside = mkdtempSync(join(tmpdir(), 'vitruvia-study-'));
  const own = join(beside, name);
  // The reader reports paths and lines of the new tables. The author knows only the printed file.
  const place = (fault: StudyFault): StudyFault => {
    if (dirname(fault.file) !== own) return fault;
    const line = lines?.[basename(fault.file) as keyof StudyTables['lines']]?.[fault.line - 2];
    return { ...fault, file: printed, line: line ?? 1 };
  };
  try {
    for (const other of readdirSync(rawDir)) {
      if (other !== name) symlinkSync(resolve(rawDir, other), join(beside, other));
    }
    if (files === undefined) return await checkStudyTables(beside, []);
    mkdirSync(own);
    for (const [file, text] of files) await writeFile(join(own, file), text);
    return (await checkStudyTables(beside, [name])).map(place);
  } catch (error) {
    throw error instanceof StudyFaults ? new StudyFaults(error.faults.map(place)) : error;
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
}

/**
 * Checks the sources of national studies as a build does: their SOURCE.md, each row, the agreement of their files, and
 * each figure against the model.
 *
 * @param names sources to report on; all if empty
 * @returns doubtful figures
 * @throws SourceError, StudyFaults
 */
export async function checkStudyTables(
  rawDir: string,
  names: readonly string[],
): Promise<StudyFault[]> {
  checkSources(rawDir);
  const known = studySources(rawDir);
  for (const name of names) {
    if (known.includes(name)) continue;
    throw new StudyRefusal(`${rawDir} has no study ${name}. It has ${known.join(', ')}.`);
  }
  const asked = names.length === 0 ? known : names;
  const fault = asked.map((name) => sourceFault(rawDir, name)).find((one) => one !== undefined);
  return withFault(fault, async () => {
    const tables = await RawTables.open(rawDir, []);
    try {
      const doubts = await checkTables(tables);
      return doubts.filter(({ file }) => {
        return asked.some((name) => dirname(file) === join(rawDir, name));
      });
    } finally {
      tables.close();
    }
  });
}

function sourceFault(rawDir: string, name: string): string | undefined {
  try {
    readSource(rawDir, name);
    return undefined;
  } catch (error) {
    if (error instanceof SourceError) return error.message;
    throw error;
  }
}

/**
 * Removes a source that `importStudy` made.
 *
 * @throws StudyRefusal for other sources; StudyFaults if another study names its samples
 */
export async function removeStudy(rawDir: string, name: string): Promise<string> {
  checkSources(rawDir);
  const folder = join(rawDir, name);
  const known = studySources(rawDir);
  if (!known.includes(name)) {
    throw new StudyRefusal(`${rawDir} has no study ${name}. It has ${known.join(', ')}.`);
  }
  const source = await textOf(join(folder, FILES.source)).catch(() => '');
  if (!source.includes(`with \`${COMMAND}\``)) {
    throw new StudyRefusal(
      `${folder} was not made by ${COMMAND}, so it is not removed. Delete the folder yourself if you mean it.`,
    );
  }
  await checkBeside(rawDir, name, undefined);
  rmSync(folder, { recursive: true });
  return folder;
}
