import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../../../src/core/project-dir.js';
import { newFolder } from '../../support/folders.js';

/** Folder of the project's sources. */
export const RAW = join(projectDir(), 'data/raw');

/** A copy of the project's sources. A test may add a source. */
export function sources(): string {
  const rawDir = newFolder('study-test');
  for (const name of readdirSync(RAW)) symlinkSync(join(RAW, name), join(rawDir, name));
  return rawDir;
}
