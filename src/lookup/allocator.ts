import { createRequire } from 'node:module';

/** Parameters of mallopt(3) by <malloc.h> of glibc. */
const M_TRIM_THRESHOLD = -1;
const M_MMAP_THRESHOLD = -3;
const M_ARENA_MAX = -8;
/** The thresholds with which glibc begins. Unless they are set, it raises them up to 32 MiB, to the size of what was freed. */
const THRESHOLD_BYTES = 128 * 1024;
const ARENAS = 2;

/**
 * Makes the allocator of the system give freed memory back. By default glibc gives each thread a heap of its own, in
 * which large arrays leave holes that only this thread can use: a third of the memory of a service that draws. This has
 * the effect of MALLOC_ARENA_MAX=2, MALLOC_MMAP_THRESHOLD_ and MALLOC_TRIM_THRESHOLD_ of 131,072 from here on. It costs a
 * twentieth of the time of a drawing. Other systems have other allocators, and stay as they are.
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
    // Without glibc, or without a prebuilt library for this machine.
  }
}
