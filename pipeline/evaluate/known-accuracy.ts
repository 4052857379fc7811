import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../../src/core/project-dir.js';

/** Where full reports of evaluations are kept. */
export const ACCURACY_DIR = join(projectDir(), 'data/evaluations');

/** Folders and files of the project on which an evaluation depends, besides the survey tables. */
const PROGRAM = ['pipeline', 'src/core', 'src/lookup', 'src/population', 'package-lock.json'];

/** Adds the paths and contents of all files below a folder to the hash. */
function addFiles(hash: ReturnType<typeof createHash>, base: string, path: string): void {
  const whole = join(base, path);
  if (!existsSync(whole)) return;
  const entries = readdirSync(whole, { withFileTypes: true, recursive: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) {
    hash.update(`${file.slice(base.length)}\n`).update(readFileSync(file));
  }
}

/** Path of the file with the report on these tables by the present program. */
function fileOf(rawDir: string, folder: string): string {
  const hash = createHash('sha256');
  for (const path of PROGRAM) {
    if (path.endsWith('.json')) hash.update(readFileSync(join(projectDir(), path)));
    else addFiles(hash, projectDir(), path);
  }
  addFiles(hash, rawDir, '');
  return join(folder, `${hash.digest('hex').slice(0, 16)}.json`);
}

/** The report of an earlier evaluation, if the same program has evaluated the same tables. */
export function knownAccuracy(rawDir: string, folder: string): string | undefined {
  const file = fileOf(rawDir, folder);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** Writes the report of an evaluation for `knownAccuracy`. Returns the path of its file. */
export function keepAccuracy(rawDir: string, folder: string, report: string): string {
  const file = fileOf(rawDir, folder);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${file}.part`, report);
  renameSync(`${file}.part`, file);
  return file;
}
