import { statSync } from 'node:fs';

/**
 * Watches the files of an open database: the database, its log and the index of the log. If one is
 * removed or replaced, SQLite goes on writing to the unlinked file, and everything written is lost.
 * SQLite itself keeps the three files while a connection is open.
 */
export class DatabaseFiles {
  readonly #paths: readonly string[];
  /** Device and inode of each file when it was first seen. */
  readonly #opened = new Map<string, string>();

  /** @param path file name of a database that has just been opened */
  constructor(path: string) {
    this.#paths = [path, `${path}-wal`, `${path}-shm`];
    this.lost();
  }

  /** The first file that is gone or is not the opened one any more; null if there is none. */
  lost(): string | null {
    for (const path of this.#paths) {
      const now = identityOf(path);
      const opened = this.#opened.get(path);
      if (opened !== undefined && now !== opened) return path;
      if (now !== undefined) this.#opened.set(path, now);
    }
    return null;
  }
}

function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return undefined; // Also when its folder cannot be read.
  }
}
