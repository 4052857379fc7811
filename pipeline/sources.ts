import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ManifestSource } from '../src/lookup/format.js';

/** A source of survey tables: its entry in the manifest, and the day of its import. */
export interface Source extends ManifestSource {
  /** Day of the import: midnight UTC, in seconds since the epoch. */
  readonly importedEpoch: number;
}

/** A source that is missing or has no description; the message names it and its folder. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}

function field(text: string, name: string): string {
  const line = text.split('\n').find((entry) => entry.startsWith(`- ${name}: `));
  return line?.slice(name.length + 4) ?? '';
}

/**
 * Reads the SOURCE.md of a source and the checksum of its tables.
 *
 * @throws SourceError when the source has no SOURCE.md, or one without citation, licence or date
 */
export function readSource(rawDir: string, name: string): Source {
  const folder = join(rawDir, name);
  let text: string;
  try {
    text = readFileSync(join(folder, 'SOURCE.md'), 'utf8');
  } catch {
    const message = `The source ${name} is missing: no SOURCE.md in ${folder}.`;
    throw new SourceError(`${message} Import it with npx vitruvia import.`);
  }
  const [citation, licence] = [field(text, 'Citation'), field(text, 'Licence')];
  const day = /^\d{4}-\d{2}-\d{2}/.exec(field(text, 'Imported'))?.[0];
  if (citation === '' || licence === '' || day === undefined) {
    throw new SourceError(`${name}/SOURCE.md must give Citation, Licence and Imported (a date).`);
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
