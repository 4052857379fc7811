import {
  closeSync,
  cpSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { ArtifactError } from '../../src/lookup/errors.js';
import { FILES } from '../../src/lookup/format.js';
import { openArtifact } from '../../src/lookup/open-artifact.js';
import { fileIdentities, stampHolds, writeStamp } from '../../src/lookup/version.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';

const DATA_FILES = [FILES.grid, FILES.dimensions, FILES.correlations] as const;
/** A whole second, because `utimes` sets it exactly. */
const LONG_AGO = 1_600_000_000;

let root: string;
let folder: string;

beforeEach(() => {
  root = writeTinyArtifact();
  folder = join(root, 'tiny');
});

/** Changes one byte in place. The inode and the size stay the same. */
function flip(file: string, at: number, mask: number): void {
  const descriptor = openSync(join(folder, file), 'r+');
  const byte = new Uint8Array(1);
  readSync(descriptor, byte, 0, 1, at);
  byte[0] = (byte[0] as number) ^ mask;
  writeSync(descriptor, byte, 0, 1, at);
  closeSync(descriptor);
}

function touch(file: string, seconds: number): void {
  utimesSync(join(folder, file), seconds, seconds);
}

describe('the stamp', () => {
  it('is written by the first opening and valid for the next', () => {
    expect(stampHolds(folder)).toBe(false);
    openArtifact(root);
    expect(stampHolds(folder)).toBe(true);
    expect(openArtifact(root).manifest.artifactVersion).toBe('tiny');
  });

  it('is invalid after an edit that restores the modification time', () => {
    touch(FILES.grid, LONG_AGO);
    openArtifact(root);
    flip(FILES.grid, statSync(join(folder, FILES.grid)).size >> 1, 1);
    touch(FILES.grid, LONG_AGO);
    expect(stampHolds(folder)).toBe(false);
    expect(() => openArtifact(root)).toThrow(ArtifactError);
  });

  it('is invalid for a copy, which is verified and stamped again', () => {
    openArtifact(root);
    const copy = join(root, 'copy');
    cpSync(folder, copy, { recursive: true, preserveTimestamps: true });
    expect(stampHolds(copy)).toBe(false);
    rmSync(folder, { recursive: true });
    renameSync(copy, folder);
    openArtifact(root);
    expect(stampHolds(folder)).toBe(true);
  });

  it('stays valid when the folder is renamed', () => {
    openArtifact(root);
    renameSync(folder, join(root, 'moved'));
    expect(stampHolds(join(root, 'moved'))).toBe(true);
  });

  it.each([...DATA_FILES, FILES.manifest])('is invalid once %s is touched', (file) => {
    openArtifact(root);
    touch(file, LONG_AGO);
    expect(stampHolds(folder)).toBe(false);
    // The content is unchanged, so the service verifies and stamps it again.
    openArtifact(root);
    expect(stampHolds(folder)).toBe(true);
  });

  it.each([
    ['cut off', (text: string) => text.slice(0, 40)],
    ['from other checks', (text: string) => text.replace('checks', 'no checks')],
    ['empty', () => '{}'],
    ['null', () => 'null'],
  ])('is invalid when it is %s', (_, spoil) => {
    openArtifact(root);
    const path = join(folder, FILES.stamp);
    writeFileSync(path, spoil(readFileSync(path, 'utf8')));
    expect(stampHolds(folder)).toBe(false);
    expect(() => openArtifact(root)).not.toThrow();
  });

  it('is invalid for a file that was replaced during the verification', () => {
    const before = fileIdentities(folder);
    touch(FILES.grid, LONG_AGO);
    writeStamp(folder, before ?? {});
    expect(stampHolds(folder)).toBe(false);
  });
});

describe('a single changed byte', () => {
  it('is refused at any place once the stamp is invalid', () => {
    const sizes = DATA_FILES.map((file) => statSync(join(folder, file)).size);
    const place = fc.nat({ max: DATA_FILES.length - 1 }).chain((file) => {
      const size = sizes[file] as number;
      // Half of the changed bytes are in the schema and the footer, which are small parts of the file.
      const edge = fc.oneof(
        fc.nat({ max: 900 }),
        fc.nat({ max: 900 }).map((n) => size - 1 - n),
      );
      const at = fc.oneof(edge, fc.nat({ max: size - 1 }));
      return fc.tuple(
        fc.constant(DATA_FILES[file] as string),
        at,
        fc.integer({ min: 1, max: 255 }),
      );
    });
    fc.assert(
      fc.property(place, ([file, at, mask]) => {
        flip(file, at, mask);
        try {
          expect(() => openArtifact(root)).toThrow(ArtifactError);
          // Refused files get no stamp.
          expect(stampHolds(folder)).toBe(false);
        } finally {
          flip(file, at, mask);
        }
      }),
      { numRuns: 100 },
    );
    expect(() => openArtifact(root)).not.toThrow();
  });
});
