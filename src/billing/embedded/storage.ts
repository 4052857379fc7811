import { fdatasync, fdatasyncSync, openSync, statSync } from 'node:fs';
import { isDiskError } from '../../database/errors.js';
import { asOpenError, freeBytes } from '../../database/sqlite.js';

/** Why nothing can be committed at the moment. */
export interface Blockage {
  /** The file that is gone, was replaced or cannot be written. */
  readonly file: string;
  /** What is wrong and what to do about it. */
  readonly text: string;
}

/** After a full disk, commits go on once this much is free, so that the next charges fit as well. */
const ROOM_MIN_BYTES = 1024 * 1024;

/**
 * Knows whether the writer can commit. A file that is gone or a disk that refuses to write blocks
 * it; `check` finds out by itself when it can commit again, without waiting for a customer's request.
 */
export class Storage {
  readonly #path: string;
  readonly #files: DatabaseFiles;
  readonly #probe: () => void;
  #lost: string | null = null;
  #refusal: string | null = null;

  /**
   * @param path file name of a database that has just been opened
   * @param probe commits a change of no consequence; throws what SQLite reports
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

  /** Takes note of a commit that failed. An error of another cause than the disk blocks nothing. */
  failed(error: unknown): void {
    if (!isDiskError(error)) return;
    const known = asOpenError(this.#path, error);
    this.#refusal = known instanceof Error ? known.message : String(known);
  }

  /** Looks for the files, and commits a probe if the last commit failed. */
  check(): void {
    this.#lost = this.#files.lost();
    if (this.#lost !== null || this.#refusal === null) return;
    // The free space is NaN when the system does not tell it; then only the probe can find out.
    if (!(freeBytes(this.#path) < ROOM_MIN_BYTES)) this.tryCommit();
  }

  /** Commits a probe, and notes whether the disk let it. */
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
 * Watches the files of an open database: the database, its log and the index of the log. If one is
 * removed or replaced, SQLite goes on writing to the unlinked file, and everything written is lost.
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

/** Flushes the log to the disk; calls back with an error when it could not. */
export type Flush = (done: (error: Error | null) => void) => void;

/** Maximum number of flushes under way: libuv has so many threads for file operations by default. */
const FLUSHES_MAX = 4;

interface Held<Reply> {
  readonly reply: Reply;
  /** The reply may be sent once this many writes are on the disk. */
  readonly writes: number;
}

/**
 * Holds replies back until the writes they report are on the disk, and sends them in the order they
 * came. A flush covers every write made before it began. Up to four flushes overlap, so a slow
 * disk delays replies without delaying the commits behind them; further writes share a flush.
 */
export class DurableReplies<Reply> {
  readonly #flush: Flush;
  readonly #send: (reply: Reply) => void;
  readonly #fail: (error: Error) => void;
  readonly #held: Held<Reply>[] = [];
  #writes = 0;
  #covered = 0;
  #durable = 0;
  #flushing = 0;
  #failed = false;

  /**
   * @param send sends a reply
   * @param fail called once when a flush fails. No reply may be sent after that, because it is
   *   unknown which writes will survive.
   */
  constructor(flush: Flush, send: (reply: Reply) => void, fail: (error: Error) => void) {
    this.#flush = flush;
    this.#send = send;
    this.#fail = fail;
  }

  /** Sends a reply once it is durable; a reply that reports no write only waits for its turn. */
  add(reply: Reply, wrote: boolean): void {
    if (wrote) this.#writes += 1;
    this.#held.push({ reply, writes: this.#writes });
    if (wrote) this.#start();
    else this.#release();
  }

  /** True when nothing is held back. */
  get idle(): boolean {
    return this.#held.length === 0;
  }

  #start(): void {
    if (this.#covered === this.#writes || this.#flushing >= FLUSHES_MAX || this.#failed) return;
    const covered = this.#writes;
    this.#covered = covered;
    this.#flushing += 1;
    this.#flush((error) => {
      this.#flushing -= 1;
      if (this.#failed) return;
      if (error !== null) {
        this.#failed = true;
        this.#fail(error);
        return;
      }
      this.#durable = Math.max(this.#durable, covered);
      this.#release();
      this.#start();
    });
  }

  #release(): void {
    if (this.#failed) return;
    let count = 0;
    for (const { reply, writes } of this.#held) {
      if (writes > this.#durable) break;
      count += 1;
      this.#send(reply);
    }
    this.#held.splice(0, count);
  }
}

/**
 * A flush that takes at least this long is overlapped with other work. The writer needs about 0.25 ms
 * for a batch, and a callback from the thread pool costs 0.02 to 0.05 ms.
 */
const SLOW_FLUSH_MS = 0.15;

/**
 * Flushes the write-ahead log of a database through its own file descriptor. SQLite does the same
 * inside COMMIT with `synchronous = FULL` (sqlite.org/pragma.html, synchronous). Here, the flushes
 * of a slow disk overlap with the next batches. The flush of a fast disk is awaited synchronously,
 * which takes less time than a callback. The log file stays the same while the writing connection
 * is open.
 */
export class LogDisk {
  readonly #path: string;
  #descriptor: number | undefined;
  #lastMs = 0;

  /** @param path file name of the database */
  constructor(path: string) {
    this.#path = path;
  }

  /** How long the last flush took. */
  get lastMs(): number {
    return this.#lastMs;
  }

  /** Whether the last flush was slow. */
  get slow(): boolean {
    return this.#lastMs >= SLOW_FLUSH_MS;
  }

  /** Flushes everything written so far and waits for it; returns the error, or null. */
  flushNow(): Error | null {
    return flushNow(this.#open());
  }

  /** Flushes everything written so far. */
  readonly flush: Flush = (done) => {
    const descriptor = this.#open();
    const begunMs = performance.now();
    const ended = (error: Error | null): void => {
      this.#lastMs = performance.now() - begunMs;
      done(error);
    };
    if (this.slow) fdatasync(descriptor, ended);
    else ended(flushNow(descriptor));
  };

  #open(): number {
    this.#descriptor ??= openSync(`${this.#path}-wal`, 'r');
    return this.#descriptor;
  }
}

function flushNow(descriptor: number): Error | null {
  try {
    fdatasyncSync(descriptor);
    return null;
  } catch (error) {
    return error as Error;
  }
}
