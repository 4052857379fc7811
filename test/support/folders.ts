import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders = new Set<string>();
process.on('exit', () => {
  for (const folder of folders) removeFolder(folder);
});

/** Creates an empty folder. It is removed when this process ends, if not before. */
export function newFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `vitruvia-${name}-`));
  folders.add(folder);
  return folder;
}

/** Removes a folder that `newFolder` created. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  folders.delete(folder);
}

/** URL of a new SQLite database, which does not exist yet. */
export const newSqliteUrl = (): string => `file:${join(newFolder('database'), 'db.sqlite')}`;
