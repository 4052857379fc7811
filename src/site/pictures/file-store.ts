import { createHash, randomUUID } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** Where files are kept, and how many bytes of them. */
export interface StoreOptions {
  readonly folder: string;
  readonly bytesMax: number;
}

/** Bytes of the checksum (SHA-256) before the content of a file. */
const CHECKSUM_BYTES = 32;
/** Files are counted again when this part of the bound was written since the last count. */
const COUNT_AFTER_PART = 1 / 16;
/** How long a thread waits for another one, ms. No person takes as long to fit. */
const LOCK_MS = 10_000;
const WAIT_MS = 20;
/** Names of files of a store: contents, locks and drafts. Other files in the folder are never removed. */
const OWN = /^([0-9a-f]{64}(\.lock)?|[0-9a-f-]{36}\.draft)$/;

/**
 * Keeps results on disk for all threads and processes of a machine. A file is written whole or not at all; a damaged
 * file is removed and counts as missing; a disk that is full or cannot be written only keeps nothing. The files that
 * were used longest ago go first.
 */
export class FileStore {
  /** The stores of this thread by folder. */
  static readonly #stores = new Map<string, FileStore>();

  readonly #folder: string;
  readonly #bytesMax: number;
  /** Bytes that this thread wrote since it counted the files. The first write counts them. */
  #written = Infinity;

  private constructor({ folder, bytesMax }: StoreOptions) {
    this.#folder = folder;
    this.#bytesMax = bytesMax;
  }

  /** The store of a folder. */
  static at(options: StoreOptions): FileStore {
    const store = FileStore.#stores.get(options.folder) ?? new FileStore(options);
    FileStore.#stores.set(options.folder, store);
    return store;
  }

  /** The content that was kept under a key. */
  get(key: string): Buffer | undefined {
    const path = this.#pathOf(key);
    const bytes = unlessFault(() => readFileSync(path));
    if (bytes === undefined) return undefined;
    const content = bytes.subarray(CHECKSUM_BYTES);
    if (!checksum(content).equals(bytes.subarray(0, CHECKSUM_BYTES))) {
      unlessFault(() => rmSync(path));
      return undefined;
    }
    const now = new Date();
    unlessFault(() => utimesSync(path, now, now));
    return content;
  }

  /** Keeps a content. */
  set(key: string, content: Uint8Array): void {
    const draft = join(this.#folder, `${randomUUID()}.draft`);
    try {
      this.#makeFolder();
      writeFileSync(draft, Buffer.concat([checksum(content), content]), { mode: 0o600 });
      renameSync(draft, this.#pathOf(key));
      this.#written += CHECKSUM_BYTES + content.length;
      if (this.#written > COUNT_AFTER_PART * this.#bytesMax) this.#shrink();
    } catch {
      unlessFault(() => rmSync(draft, { force: true }));
    }
  }

  /**
   * The content of a key. It is made if it is missing. While another thread makes it, this one waits.
   *
   * @param read makes the value from what was kept
   */
  valueOf<Value>(
    key: string,
    make: () => Value,
    write: (value: Value) => Uint8Array,
    read: (content: Buffer) => Value,
  ): Value {
    const found = this.get(key);
    if (found !== undefined) return read(found);
    const lock = `${this.#pathOf(key)}.lock`;
    this.#lock(lock);
    try {
      const meanwhile = this.get(key);
      if (meanwhile !== undefined) return read(meanwhile);
      const value = make();
      this.set(key, write(value));
      return value;
    } finally {
      unlessFault(() => rmSync(lock, { force: true }));
    }
  }

  /** Takes a lock. Goes on without it if the folder cannot be written, or if a thread that ended has left it. */
  #lock(lock: string): void {
    const untilMs = Date.now() + LOCK_MS;
    unlessFault(() => this.#makeFolder());
    while (Date.now() < untilMs) {
      try {
        writeFileSync(lock, '', { flag: 'wx', mode: 0o600 });
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return;
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
    }
  }

  /** Removes files until the rest is below the bound by as much as may be written before the next count. */
  #shrink(): void {
    const names = readdirSync(this.#folder).filter((name) => OWN.test(name));
    const files = names.flatMap((name) => {
      const path = join(this.#folder, name);
      const stat = unlessFault(() => statSync(path));
      return stat === undefined ? [] : [{ path, bytes: stat.size, usedMs: stat.mtimeMs }];
    });
    let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    for (const file of files.sort((one, other) => one.usedMs - other.usedMs)) {
      if (bytes <= (1 - COUNT_AFTER_PART) * this.#bytesMax) break;
      unlessFault(() => rmSync(file.path, { force: true }));
      bytes -= file.bytes;
    }
    this.#written = 0;
  }

  #makeFolder(): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
  }

  #pathOf(key: string): string {
    return join(this.#folder, createHash('sha256').update(key).digest('hex'));
  }
}

function checksum(content: Uint8Array): Buffer {
  return createHash('sha256').update(content).digest();
}

function unlessFault<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
