import { createRequire } from 'node:module';

/** Parameters of mallopt(3) by <malloc.h> of glibc. */
const M_TRIM_THRESHOLD = -1;
const M_MMAP_THRESHOLD = -3;
const M_ARENA_MAX = -8;
/**
 * The initial thresholds of glibc. Unless they are set, glibc raises them to the size of freed blocks, up to 32 MiB.
 */
const THRESHOLD_BYTES = 128 * 1024;
const ARENAS = 2;

/**
 * Makes the system's allocator return freed memory. By default, glibc gives each thread a heap of its own. Large arrays
 * leave holes in a heap that only its thread can use: a third of the memory of a service that draws. From this call on,
 * the effect is that of MALLOC_ARENA_MAX=2 and of 131,072 for MALLOC_MMAP_THRESHOLD_ and MALLOC_TRIM_THRESHOLD_. It
 * makes a drawing slower by a twentieth. The function does nothing on other systems, which have other allocators.
 */
export function giveFreedMemoryBack(): void {
  if (process.platform !== 'linux') return;
  try {
    const koffi = createRequire(import.meta.url)('koffi') as typeof import('koffi');
    const mallopt = koffi.load('libc.so.6').func('int mallopt(int, int)');
    mallopt(M_MMAP_THRESHOLD, THRESHOLD_BYTES);
    mallopt(M_TRIM_THRESHOLD, THRESHOLD_BYTES);
    mallopt(M_ARENA_MAX, ARENAS);
  } catch {
    // The system has no glibc, or there is no prebuilt library for this machine.
  }
}
