import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** What an archive file contains: CSV (RFC 4180) with a header, before compression. */
export interface ArchiveContent {
  /** Lower-case hex. */
  readonly sha256: string;
  /** Rows without the header. */
  readonly entries: number;
}

const QUOTE = 0x22;
const LINE_END = 0x0a;

/** Writes CSV to a compressed file and flushes it to the disk; replaces a file of that name. */
export async function writeArchive(csv: Readable, path: string): Promise<ArchiveContent> {
  const measure = new Measure();
  await pipeline(csv, measure, createGzip({ level: 6 }), createWriteStream(path));
  const handle = await open(path);
  await handle.sync();
  await handle.close();
  await syncFolder(dirname(path));
  return measure.content();
}

/** Flushes the names of the files in a folder to the disk. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync();
  await handle.close();
}

/**
 * Reads a file that `writeArchive` wrote.
 *
 * @throws the system's error, or that of zlib when the file is damaged
 */
export async function readArchive(path: string): Promise<ArchiveContent> {
  const measure = new Measure();
  measure.resume();
  await pipeline(createReadStream(path), createGunzip(), measure);
  return measure.content();
}

/** Counts and hashes what passes through. */
class Measure extends Transform {
  readonly #hash = createHash('sha256');
  #lines = 0;
  #quoted = false;

  override _transform(chunk: Buffer, _: string, done: (error: null, data: Buffer) => void): void {
    this.#hash.update(chunk);
    for (const byte of chunk) {
      // A line end within quotes belongs to a field.
      if (byte === QUOTE) this.#quoted = !this.#quoted;
      else if (byte === LINE_END && !this.#quoted) this.#lines++;
    }
    done(null, chunk);
  }

  content(): ArchiveContent {
    return { sha256: this.#hash.digest('hex'), entries: this.#lines - 1 };
  }
}
