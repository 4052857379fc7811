import { fdatasync, fdatasyncSync, openSync } from 'node:fs';

/** Flushes the log to the disk; calls back with an error when it could not. */
export type Flush = (done: (error: Error | null) => void) => void;

/** Most flushes under way at once: libuv has so many threads for file operations by default. */
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
