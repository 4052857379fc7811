import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { giveFreedMemoryBack } from '../../src/lookup/allocator.js';
import { residentBytes } from '../support/resident-bytes.js';
import { until } from '../support/until.js';

const MIB = 1024 * 1024;

/** Bytes of so many MiB, all of them used. */
const used = (bytes: number) => new Uint8Array(bytes).fill(1);

describe('the allocator', () => {
  it.runIf(process.platform === 'linux')('gives freed arrays back between others', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    giveFreedMemoryBack();
    // By default, what was freed raises the size from which memory is given back.
    const before = residentBytes();
    used(30 * MIB);
    collect();
    let large = Array.from({ length: 100 }, () => ({ freed: used(MIB), stays: used(MIB / 64) }));
    const small = large.map(({ stays }) => stays);
    expect(residentBytes() - before).toBeGreaterThan(90 * MIB);
    large = [];
    await until(() => {
      collect();
      return residentBytes() - before < 30 * MIB;
    });
    expect(small.every((bytes) => bytes[0] === 1)).toBe(true);
  });
});
