import { createHash, type Hash } from 'node:crypto';
import { closeSync, createReadStream, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { Parser, type ReadEntry } from 'tar';
import { VERSION_NAME } from '../lookup/version.js';
import {
  ArchiveError,
  NAME_CHARS_MAX,
  OPTIONAL_FILES,
  RELEASE_FILES,
  REQUIRED_FILES,
  sumLine,
  UNPACKED_BYTES_MAX,
} from './release-format.js';

/** An archive unpacked into a folder. */
export interface Unpacked {
  /** Name of the version, as the archive gives it. */
  readonly version: string;
  /** SHA-256 of the archive itself. */
  readonly sha256: string;
}

const KNOWN_FILES = new Set([...REQUIRED_FILES, ...OPTIONAL_FILES]);
/** Maximum size of the checksums, which are read into memory. */
const SUMS_BYTES_MAX = 64 * 1024;
/** Maximum padding. Programs fill a tar with zeros up to a record of 10 kB; some add more. */
const PADDING_BYTES_MAX = 1024 * 1024;
const GZIP_MAGIC = 0x1f8b;

/**
 * Unpacks an archive of a version into an empty folder and checks its checksums. Only the files of a release are
 * accepted, by exact name and as plain files. The archive is refused if it contains links, other folders, absolute
 * paths, paths with `..` or a file twice. Nothing is written beyond the size limits.
 *
 * @throws ArchiveError; the folder may then contain some of the files
 */
export async function unpackRelease(archive: string, folder: string): Promise<Unpacked> {
  const contents = new Contents(folder);
  const whole = createHash('sha256');
  const source = createReadStream(archive);
  const tar = source.pipe(createGunzip());
  source.on('data', (chunk) => whole.update(chunk)).on('error', (error) => tar.destroy(error));
  try {
    await readTar(tar, contents);
    return { version: contents.check(), sha256: whole.digest('hex') };
  } catch (error) {
    throw explained(error);
  } finally {
    source.destroy();
    tar.destroy();
    contents.close();
  }
}

async function readTar(tar: AsyncIterable<Buffer>, contents: Contents): Promise<void> {
  const faults: unknown[] = [];
  let bytes = 0;
  let endsAt = UNPACKED_BYTES_MAX;
  const parser = new Parser({
    strict: true,
    gzip: false,
    brotli: false,
    zstd: false,
    onReadEntry: (entry: ReadEntry) => contents.take(entry),
  });
  parser.on('ignoredEntry', (entry: ReadEntry) => contents.refuse(entry));
  parser.on('error', (error: unknown) => faults.push(error));
  parser.on('eof', () => {
    endsAt = Math.min(endsAt, bytes + PADDING_BYTES_MAX);
  });
  for await (const chunk of tar) {
    if (bytes === 0 && chunk.length > 1 && chunk.readUInt16BE() === GZIP_MAGIC) {
      throw new ArchiveError('no_release', 'The archive is compressed twice.');
    }
    bytes += chunk.length;
    if (bytes > endsAt) throw tooLarge();
    parser.write(chunk);
    if (faults.length > 0) throw faults[0];
  }
  parser.end();
  if (faults.length > 0) throw faults[0];
}

/** The files of an archive while it is unpacked. */
class Contents {
  readonly #folder: string;
  readonly #sha256 = new Map<string, string>();
  readonly #open = new Set<number>();
  #version: string | undefined;
  #bytes = 0;
  #sums = '';

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** Writes an entry if a release may have it. */
  take(entry: ReadEntry): void {
    const file = this.#fileOf(entry);
    this.#bytes += entry.size;
    if (this.#bytes > UNPACKED_BYTES_MAX) throw tooLarge();
    if (file === RELEASE_FILES.sums && entry.size > SUMS_BYTES_MAX) throw tooLarge();
    const hash: Hash = createHash('sha256');
    // `wx` never overwrites a file. This process created the folder empty, so no file exists yet.
    const descriptor = openSync(join(this.#folder, file), 'wx', 0o644);
    this.#open.add(descriptor);
    entry.on('data', (chunk: Buffer) => {
      hash.update(chunk);
      if (file === RELEASE_FILES.sums) this.#sums += chunk.toString('latin1');
      for (let at = 0; at < chunk.length; ) at += writeSync(descriptor, chunk, at);
    });
    entry.on('end', () => {
      fsyncSync(descriptor);
      closeSync(descriptor);
      this.#open.delete(descriptor);
      this.#sha256.set(file, hash.digest('hex'));
    });
  }

  /** The file of an entry, by its exact name. */
  #fileOf(entry: ReadEntry): string {
    const [version = '', file = '', ...deeper] = String(entry.path).split('/');
    const named = VERSION_NAME.test(version) && version.length <= NAME_CHARS_MAX;
    if (entry.type !== 'File' || !named || !KNOWN_FILES.has(file) || deeper.length > 0) {
      return this.refuse(entry);
    }
    this.#version ??= version;
    if (this.#version !== version) return this.refuse(entry);
    if (this.#sha256.has(file)) return this.refuse(entry);
    return file;
  }

  /** @throws ArchiveError `unsafe` naming the entry */
  refuse({ path, type }: ReadEntry): never {
    const name = JSON.stringify(String(path).slice(0, 200));
    const message = `The archive holds ${name} (${type}), which is not part of a release; nothing was installed.`;
    throw new ArchiveError('unsafe', message);
  }

  /**
   * Checks that all files are present and match `SHA256SUMS`.
   *
   * @returns the version
   */
  check(): string {
    const missing = REQUIRED_FILES.filter((file) => !this.#sha256.has(file));
    if (this.#version === undefined || missing.length > 0) {
      const lacks = missing.join(', ');
      throw new ArchiveError(
        'no_release',
        `The archive is not a complete release: it lacks ${lacks}.`,
      );
    }
    const files = [...this.#sha256].filter(([file]) => file !== RELEASE_FILES.sums);
    const listed = new Set(this.#sums.split(/(?<=\n)/));
    const wrong = files.filter(([file, sha256]) => !listed.has(sumLine(sha256, file)));
    if (wrong.length > 0 || listed.size !== files.length) {
      const names = wrong.map(([file]) => file).join(', ') || RELEASE_FILES.sums;
      const message = `Wrong checksum: ${names} (${RELEASE_FILES.sums}). Fetch the archive again.`;
      throw new ArchiveError('wrong_checksum', message);
    }
    return this.#version;
  }

  /** Closes the files that are still open after a refusal. */
  close(): void {
    for (const descriptor of this.#open) closeSync(descriptor);
    this.#open.clear();
  }
}

function tooLarge(): ArchiveError {
  const limit = `${UNPACKED_BYTES_MAX / 1024 ** 3} GiB`;
  return new ArchiveError('too_large', `The archive unpacks to more than ${limit}.`);
}

function explained(error: unknown): unknown {
  if (error instanceof ArchiveError) return error;
  const { code = '', message, syscall } = error as NodeJS.ErrnoException;
  if (syscall !== undefined) {
    return new ArchiveError('unreadable', `The archive cannot be read or unpacked: ${message}.`);
  }
  if (code.startsWith('Z_') || code.startsWith('TAR_') || /tar|checksum|invalid/i.test(message)) {
    const remedy = 'Fetch it again.';
    return new ArchiveError(
      'no_release',
      `The archive is damaged or not an archive: ${message}. ${remedy}`,
    );
  }
  return error;
}
