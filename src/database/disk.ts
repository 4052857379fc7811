import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Free bytes of the file system of a file or folder, as far as users without special rights may use
 * them. If the file does not exist, its next folder that exists counts.
 *
 * @returns NaN when the system does not tell
 */
export function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(existingPart(path));
    return bavail * bsize;
  } catch {
    return Number.NaN;
  }
}

function existingPart(path: string): string {
  const folder = dirname(path);
  return existsSync(path) || folder === path ? path : existingPart(folder);
}
