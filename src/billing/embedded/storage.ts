import { statSync } from 'node:fs';
import { isDiskError } from '../../database/errors.js';
import { asOpenError, freeBytes } from '../../database/sqlite.js';

/** Why nothing can be committed at the moment. */
export interface Blockage {
  /** The file that is gone, was replaced or cannot be written. */
  readonly file: string;
  /** The fault, and the remedy. */
  readonly text: string;
}

/** Minimum free space for commits after the disk was full. The next charges then fit as well. */
const ROOM_MIN_BYTES = 1024 * 1024;

/**
 * Knows whether the writer can commit. Commits are blocked if a file is gone or the disk refuses to
 * write. `check` finds out when commits are possible again, without waiting for a customer's
 * request.
 */
export class Storage {
  readonly #path: string;
  readonly #files: DatabaseFiles;
  readonly #probe: () => void;
  #lost: string | null = null;
  #refusal: string | null = null;

  /**
   * @param path file name of a database that has just been opened
   * @param probe commits a change without effect; throws the error of SQLite
   */
  constructor(path: string, probe: () => void) {
    this.#path = path;
    this.#files = new DatabaseFiles(path);
    this.#probe = probe;
  }

  /** Why nothing can be committed; null while commits are possible. */
  get blockage(): Blockage | null {
    if (this.#lost !== null) {
      return { file: this.#lost, text: `${this.#lost} is gone or was replaced. Put it back.` };
    }
    if (this.#refusal === null) return null;
    return { file: this.#path, text: `${this.#refusal} Make room on its disk or repair it.` };
  }

  /** Takes note of a failed commit. Only an error of the disk blocks commits. */
  failed(error: unknown): void {
    if (!isDiskError(error)) return;
    const known = asOpenError(this.#path, error);
    this.#refusal = known instanceof Error ? known.message : String(known);
  }

  /** Looks for the files, and commits a probe if the last commit failed. */
  check(): void {
    this.#lost = this.#files.lost();
    if (this.#lost !== null || this.#refusal === null) return;
    // The free space is NaN if the system does not report it. Then only the probe finds a full disk.
    if (!(freeBytes(this.#path) < ROOM_MIN_BYTES)) this.tryCommit();
  }

  /** Commits a probe, and notes whether that succeeded. */
  tryCommit(): void {
    try {
      this.#probe();
      this.#refusal = null;
    } catch (error) {
      this.failed(error);
    }
  }
}

/**
 * Watches the files of an open database: the database, its log and the index of the log. If a file
 * is removed or replaced, SQLite goes on writing to the unlinked file, and these writes are lost.
 * SQLite itself keeps the three files while a connection is open.
 */
class DatabaseFiles {
  readonly #paths: readonly string[];
  /** Device and inode of each file when it was first seen. */
  readonly #opened = new Map<string, string>();

  /** @param path file name of a database that has just been opened */
  constructor(path: string) {
    this.#paths = [path, `${path}-wal`, `${path}-shm`];
    this.lost();
  }

  /** The first file that is gone or was replaced; null if there is none. */
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
