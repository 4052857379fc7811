import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let found: string | undefined;

/**
 * The project's folder: the nearest folder above this file that has a package.json. Sources and `dist` give the same
 * folder.
 */
export function projectDir(): string {
  found ??= search(dirname(fileURLToPath(import.meta.url)));
  return found;
}

function search(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder)
    throw new Error('No package.json above the program: the install is broken.');
  return search(parent);
}
