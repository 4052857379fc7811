import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { stringify } from 'csv-stringify/sync';
import { type Described, describedSource } from '../sources.js';
import { ImportRefusal, type OutputTable } from './importer.js';
import type { InputDigest } from './input.js';

const SIGNIFICANT_DIGITS = 7;

/** A number with seven significant digits. */
function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new Error(`not a number to write: ${value}`);
  return String(Number(value.toPrecision(SIGNIFICANT_DIGITS)));
}

/** A table as CSV text with a header row and LF line ends. */
export function csvText({ columns, rows }: Pick<OutputTable, 'columns' | 'rows'>): string {
  return stringify([columns.map(([name]) => name), ...rows], { cast: { number: numberText } });
}

/**
 * Text of SOURCE.md for one source: citation, licence, date, notes, inputs with digests, tables. The importer has the
 * meanings of the columns.
 *
 * @param made day of the import, and the command that made the tables
 * @param inputs empty for a file of which nothing is kept but the tables
 */
export function sourceText(
  about: Described,
  made: { readonly date: string; readonly command: string },
  inputs: readonly InputDigest[],
  tables: readonly OutputTable[],
): string {
  const lines = [
    `# ${about.title}`,
    '',
    `- Citation: ${about.citation}`,
    `- Licence: ${about.licence}`,
    `- Imported: ${made.date}, with \`${made.command}\``,
    '',
    ...about.notes.flatMap((note) => [note, '']),
  ];
  if (inputs.length > 0) lines.push('## Input files', '', ...inputRows(inputs), '');
  lines.push('## Tables', '', '| file | rows |', '|---|---|');
  lines.push(...tables.map(({ file, rows }) => `| ${file} | ${rows.length} |`));
  return `${lines.join('\n').trimEnd()}\n`;
}

/** A folder with more files has one digest for all. */
const LISTED_FILES_MAX = 20;

function inputRows(inputs: readonly InputDigest[]): string[] {
  if (inputs.length <= LISTED_FILES_MAX) {
    const rows = inputs.map(({ name, bytes, sha256 }) => `| ${name} | ${bytes} | \`${sha256}\` |`);
    return ['| file | bytes | sha256 |', '|---|---|---|', ...rows];
  }
  const lines = inputs.map(({ name, sha256 }) => [name, `${sha256}  ${name}\n`] as const);
  const sorted = lines.toSorted(([one], [other]) => (one < other ? -1 : 1));
  const digest = createHash('sha256').update(sorted.map(([, line]) => line).join(''));
  const bytes = inputs.reduce((sum, input) => sum + input.bytes, 0);
  return [
    '| files | bytes | sha256 of what `sha256sum` prints for them, in the order of names |',
    '|---|---|---|',
    `| ${inputs.length} | ${bytes} | \`${digest.digest('hex')}\` |`,
  ];
}

/**
 * Replaces the tables of a source. Tables whose names end with `.gz` are compressed. The title, citation, licence and
 * notes in SOURCE.md stay.
 *
 * @param to directory of the sources
 * @throws ImportRefusal if the source has no SOURCE.md
 */
export async function renewSource(
  { to, date }: { readonly to: string; readonly date: string },
  source: string,
  inputs: readonly InputDigest[],
  tables: readonly OutputTable[],
): Promise<void> {
  const text = await readFile(join(to, source, 'SOURCE.md'), 'utf8').catch(() => {
    const remedy = 'Write its title, citation, licence and notes there first';
    throw new ImportRefusal(`${source}/SOURCE.md`, 'cannot be read', remedy);
  });
  const described = describedSource(text);
  for (const line of ['citation', 'licence'] as const) {
    if (/^(?:<.*)?$/.test(described[line])) {
      throw new ImportRefusal(`${source}/SOURCE.md`, `has no ${line}`, 'Write it there first');
    }
  }
  const made = { date, command: `npm run import -- ${source}` };
  const written = new Map<string, string | Uint8Array>();
  for (const table of tables) {
    const csv = csvText(table);
    written.set(table.file, table.file.endsWith('.gz') ? gzipSync(csv, { level: 9 }) : csv);
  }
  written.set('SOURCE.md', sourceText(described, made, inputs, tables));
  await replaceSource(to, source, written);
}

/**
 * Replaces the directory `<to>/<source>` by the given files. They are first written beside it and then renamed, so that
 * a failure does not change the old directory.
 */
export async function replaceSource(
  to: string,
  source: string,
  files: ReadonlyMap<string, string | Uint8Array>,
): Promise<void> {
  const target = join(to, source);
  const fresh = join(to, `.${source}.new-${process.pid}`);
  const old = join(to, `.${source}.old-${process.pid}`);
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  try {
    for (const [name, content] of files) await writeFile(join(fresh, name), content);
    const hadOld = await rename(target, old).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return false;
        throw error;
      },
    );
    try {
      await rename(fresh, target);
    } catch (error) {
      if (hadOld) await rename(old, target);
      throw error;
    }
  } finally {
    await rm(fresh, { recursive: true, force: true });
    await rm(old, { recursive: true, force: true });
  }
}
