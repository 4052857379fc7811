import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { Header } from 'tar';

/** An entry of a tar that a test makes, valid or malicious. */
export interface TarEntry {
  readonly path: string;
  readonly content?: Buffer | string;
  readonly type?: 'File' | 'Directory' | 'SymbolicLink' | 'Link' | 'CharacterDevice';
  readonly linkpath?: string;
  /** Size in the header, if it differs from the size of the content. */
  readonly size?: number;
}

/** The bytes of a tar with these entries. Nothing is checked. */
export function tarOf(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap(({ path, content = '', type = 'File', linkpath, size }) => {
    const body = Buffer.from(content);
    const block = Buffer.alloc(512);
    const plain = { path, type, mode: 0o644, size: size ?? body.length, mtime: new Date(0) };
    new Header(linkpath === undefined ? plain : { ...plain, linkpath }).encode(block);
    return [block, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

/** Writes a gzipped tar. */
export function writeTar(to: string, entries: readonly TarEntry[]): string {
  writeFileSync(to, gzipSync(tarOf(entries)));
  return to;
}
