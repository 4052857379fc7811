import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { giveFreedMemoryBack } from '../../src/lookup/allocator.js';
import { residentBytes } from '../support/resident-bytes.js';
import { until } from '../support/until.js';

// Prints by how many MiB the memory grew with large arrays. Memory must fall again when they are freed, although small
// arrays between them stay. allocator.test.ts starts this program: in a process that has run other tests, new arrays
// would use freed memory.
const MIB = 1024 * 1024;

/** An array of this many bytes, all of them written. */
const used = (bytes: number) => new Uint8Array(bytes).fill(1);

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
giveFreedMemoryBack();
// By default, this freed array would raise the size from which memory is given back.
used(30 * MIB);
collect();
const before = residentBytes();
let large = Array.from({ length: 100 }, () => ({ freed: used(MIB), stays: used(MIB / 64) }));
const small = large.map(({ stays }) => stays);
const grown = residentBytes() - before;
large = [];
await until(() => {
  collect();
  return residentBytes() - before < 30 * MIB;
});
const isKept = small.every((bytes) => bytes[0] === 1);
process.stdout.write(JSON.stringify({ grownMib: grown / MIB, isKept }));
