import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ManifestSource } from '../src/lookup/format.js';

/** A source of survey tables: its entry in the manifest, and the day of its import. */
export interface Source extends ManifestSource {
  /** Day of the import: midnight UTC, in seconds since the epoch. */
  readonly importedEpoch: number;
}

/**
 * Thrown for a source that is missing or has no description. The message names the source and its folder.
 */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}

/** The lines that every SOURCE.md has. */
export const SOURCE_LINES = {
  Citation: '- Citation: <authors, year, title, publisher>',
  Licence: '- Licence: <terms of the data>',
  Imported: '- Imported: <YYYY-MM-DD>',
} as const;

/** Returns the text of a line of SOURCE.md, or an empty text if the line is missing. */
function sourceLine(text: string, name: keyof typeof SOURCE_LINES): string {
  const line = text.split('\n').find((entry) => entry.startsWith(`- ${name}: `));
  return line?.slice(name.length + 4) ?? '';
}

/** What the author of a source says about it in SOURCE.md. */
export interface Described {
  readonly title: string;
  readonly citation: string;
  readonly licence: string;
  /** Paragraphs on definitions, exclusions and limits. */
  readonly notes: readonly string[];
}

/** Reads what the author says in the text of SOURCE.md: all but the import, the input files and the tables. */
export function describedSource(text: string): Described {
  const [about = ''] = text.split(/^## (?:Input files|Tables)$/m);
  const [title = '', ...lines] = about.split('\n');
  const isHeader = (line: string) => /^- (Citation|Licence|Imported): /.test(line);
  const notes = lines
    .filter((line) => !isHeader(line))
    .join('\n')
    .trim();
  return {
    title: title.replace(/^#\s*/, ''),
    citation: sourceLine(text, 'Citation'),
    licence: sourceLine(text, 'Licence'),
    notes: notes === '' ? [] : notes.split(/\n{2,}/),
  };
}

/**
 * Reads the SOURCE.md of a source and the checksum of its tables.
 *
 * @throws SourceError when SOURCE.md is missing, or lacks the citation, the licence or the date
 */
export function readSource(rawDir: string, name: string): Source {
  const folder = join(rawDir, name);
  let text: string;
  try {
    text = readFileSync(join(folder, 'SOURCE.md'), 'utf8');
  } catch {
    const message = `The source ${name} is missing: no SOURCE.md in ${folder}.`;
    const lines = Object.values(SOURCE_LINES).join('\n');
    throw new SourceError(
      `${message} Import it with npx vitruvia import, or write the file with these lines:\n${lines}`,
    );
  }
  const [citation, licence] = [sourceLine(text, 'Citation'), sourceLine(text, 'Licence')];
  const day = /^\d{4}-\d{2}-\d{2}/.exec(sourceLine(text, 'Imported'))?.[0];
  if (citation === '' || licence === '' || day === undefined) {
    const given = {
      Citation: citation !== '',
      Licence: licence !== '',
      Imported: day !== undefined,
    };
    const missing = Object.entries(SOURCE_LINES).flatMap(([line, text]) =>
      given[line as keyof typeof given] ? [] : text,
    );
    const path = join(folder, 'SOURCE.md');
    throw new SourceError(
      `${path} needs ${missing.length === 1 ? 'this line' : 'these lines'}:\n${missing.join('\n')}`,
    );
  }
  const hash = createHash('sha256');
  for (const file of readdirSync(folder).sort()) {
    hash.update(`${file}\n`).update(readFileSync(join(folder, file)));
  }
  return {
    name,
    citation,
    licence,
    sha256: hash.digest('hex'),
    importedEpoch: Date.parse(day) / 1000,
  };
}
