import { fdatasync, fdatasyncSync, openSync } from 'node:fs';
import type { Flush } from './durable-replies.js';

/** A flush that takes this long is worth overlapping with other work. */
const SLOW_FLUSH_MS = 0.8;

/**
 * Flushes a database's write-ahead log through a descriptor of its own. SQLite with
 * `synchronous = FULL` does the same inside COMMIT (sqlite.org/pragma.html, synchronous). Done here,
 * a slow disk's flushes overlap with the next batches; a fast disk's are waited for, which is
 * quicker than to be called back. The log file stays the same as long as the writing connection is
 * open.
 */
export class LogDisk {
  readonly #path: string;
  #descriptor: number | undefined;
  #lastMs = 0;

  /** @param path file name of the database */
  constructor(path: string) {
    this.#path = path;
  }

  /** Whether the last flush took long. */
  get slow(): boolean {
    return this.#lastMs >= SLOW_FLUSH_MS;
  }

  /** Flushes what has been written so far. */
  readonly flush: Flush = (done) => {
    this.#descriptor ??= openSync(`${this.#path}-wal`, 'r');
    const begunMs = performance.now();
    const ended = (error: Error | null): void => {
      this.#lastMs = performance.now() - begunMs;
      done(error);
    };
    if (this.slow) fdatasync(this.#descriptor, ended);
    else ended(flushNow(this.#descriptor));
  };
}

function flushNow(descriptor: number): Error | null {
  try {
    fdatasyncSync(descriptor);
    return null;
  } catch (error) {
    return error as Error;
  }
}
