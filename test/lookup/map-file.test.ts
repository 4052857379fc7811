import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { mapFile } from '../../src/lookup/map-file.js';
import { newFolder } from '../support/folders.js';
import { residentBytes } from '../support/resident-bytes.js';

const MIB = 1024 * 1024;
const LARGE = 256 * MIB;

/** A sparse file of `size` zeros with a mark at each end. */
function sparseFile(size: number): string {
  const path = join(newFolder('map'), 'sparse');
  const descriptor = openSync(path, 'w');
  ftruncateSync(descriptor, size);
  writeSync(descriptor, 'begin', 0);
  writeSync(descriptor, 'end', size - 3);
  closeSync(descriptor);
  return path;
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

describe('mapping a file', () => {
  // Only Linux shows the resident pages of a process in a file.
  it.runIf(process.platform === 'linux')('uses memory only for the pages that are read', () => {
    mapFile(sparseFile(4096)); // Loads the native library before the measurement.
    const before = residentBytes();
    const bytes = mapFile(sparseFile(LARGE));
    expect(bytes).toHaveLength(LARGE);
    expect(text(bytes.subarray(0, 5))).toBe('begin');
    expect(text(bytes.subarray(LARGE - 3))).toBe('end');
    expect(residentBytes() - before).toBeLessThan(16 * MIB);
  });

  it.runIf(process.platform === 'linux')('lasts exactly as long as a view of it', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const [kept, dropped] = [sparseFile(MIB), sparseFile(MIB)];
    const view = new Float32Array(mapFile(kept).buffer, 8, 100);
    mapFile(dropped);
    const mapped = (path: string) => readFileSync('/proc/self/maps', 'utf8').includes(path);
    expect([mapped(kept), mapped(dropped)]).toEqual([true, true]);
    // The mapping goes away in a later task.
    const dropIsGone = () => {
      collect();
      return !mapped(dropped);
    };
    await expect.poll(dropIsGone, { interval: 5 }).toBe(true);
    expect(mapped(kept)).toBe(true);
    expect(view.at(50)).toBe(0);
  });

  it('gives the bytes of the file', () => {
    const path = sparseFile(10_000);
    expect(Buffer.compare(mapFile(path), readFileSync(path))).toBe(0);
  });

  it('gives no bytes for an empty file, and the error of the system for a missing file', () => {
    expect(mapFile(emptyFile())).toHaveLength(0);
    expect(() => mapFile(join(tmpdir(), 'vitruvia-none', 'none'))).toThrow(/ENOENT/);
  });
});

function emptyFile(): string {
  const path = join(newFolder('map'), 'empty');
  closeSync(openSync(path, 'w'));
  return path;
}
