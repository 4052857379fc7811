import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, readFileSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Header } from 'tar';
import { DATA_FILES, FILES, type Manifest, OPTIONAL_DATA_FILES } from '../lookup/format.js';
import { RELEASE_FILES, sumLine } from './release-format.js';

const BLOCK_BYTES = 512;
/** Two empty blocks end a tar. */
const END = Buffer.alloc(2 * BLOCK_BYTES);

/** Content of a file of the archive: a file on disk, or text. */
type Content = { readonly path: string } | { readonly text: string };

/** Result of packing. */
export interface Packed {
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * Packs a version and its texts into a gzipped tar. All files are in one folder with the version's name. They have a
 * fixed order and no owner, and their time is the day of the build. The same version and texts give the same tar; on
 * the same version of Node, they also give the same bytes of the archive.
 *
 * @param folder folder of a verified version
 * @param texts further files, by name
 * @param to path of the archive; it appears complete or not at all
 */
export async function packRelease(
  folder: string,
  texts: Readonly<Record<string, string>>,
  to: string,
): Promise<Packed> {
  const manifest = JSON.parse(readFileSync(join(folder, FILES.manifest), 'utf8')) as Manifest;
  const contents = new Map<string, Content>();
  // Small files come first, so that a reader of the stream gets the manifest early. The grid comes last.
  const small = [
    ...DATA_FILES.filter((file) => file !== FILES.grid),
    ...OPTIONAL_DATA_FILES.filter((file) => manifest.files[file] !== undefined),
  ];
  for (const file of [FILES.manifest, ...small, FILES.grid]) {
    contents.set(file, { path: join(folder, file) });
  }
  for (const file of Object.keys(texts).sort()) contents.set(file, { text: texts[file] ?? '' });
  const sums: string[] = [];
  for (const [file, content] of contents) sums.push(sumLine(await sha256Of(content), file));
  contents.set(RELEASE_FILES.sums, { text: sums.join('') });
  const fresh = `${to}.${process.pid}`;
  const hash = createHash('sha256');
  try {
    const tar = Readable.from(tarBytes(manifest, contents));
    await pipeline(tar, createGzip({ level: 9 }), createWriteStream(fresh));
    for await (const chunk of createReadStream(fresh)) hash.update(chunk as Buffer);
    await rename(fresh, to);
  } finally {
    await rm(fresh, { force: true });
  }
  return { sha256: hash.digest('hex'), bytes: statSync(to).size };
}

async function* tarBytes(manifest: Manifest, contents: ReadonlyMap<string, Content>) {
  for (const [file, content] of contents) {
    const size = 'text' in content ? Buffer.byteLength(content.text) : statSync(content.path).size;
    const header = new Header({
      path: `${manifest.artifactVersion}/${file}`,
      type: 'File',
      mode: 0o644,
      uid: 0,
      gid: 0,
      size,
      mtime: new Date(manifest.buildEpoch * 1000),
    });
    const block = Buffer.alloc(BLOCK_BYTES);
    if (header.encode(block)) throw new Error(`${file} does not fit a tar header`);
    yield block;
    if ('text' in content) yield Buffer.from(content.text);
    else yield* createReadStream(content.path);
    yield Buffer.alloc((BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES);
  }
  yield END;
}

async function sha256Of(content: Content): Promise<string> {
  const hash = createHash('sha256');
  if ('text' in content) return hash.update(content.text).digest('hex');
  for await (const chunk of createReadStream(content.path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
