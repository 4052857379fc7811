import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Replaces fsync and fdatasync of libc by versions with a delay. */
const SHIM = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
static void wait_us(long us) { struct timespec t = { us / 1000000, us % 1000000 * 1000 }; nanosleep(&t, 0); }
int fsync(int fd) { static int (*real)(int); if (!real) real = dlsym(RTLD_NEXT, "fsync"); wait_us(DELAY_US); return real(fd); }
int fdatasync(int fd) { static int (*real)(int); if (!real) real = dlsym(RTLD_NEXT, "fdatasync"); wait_us(DELAY_US); return real(fd); }
`;

/**
 * Builds a library that slows every fsync by `delayMs`, for LD_PRELOAD.
 *
 * @returns its path; undefined without a C compiler or on another platform than Linux
 */
export function slowFsyncLibrary(delayMs: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'vitruvia-fsync-'));
  const [source, library] = [join(folder, 'slow.c'), join(folder, 'slow.so')];
  writeFileSync(source, SHIM);
  const define = `-DDELAY_US=${Math.round(delayMs * 1000)}`;
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-O1', define, '-o', library, source, '-ldl']);
    return library;
  } catch {
    return undefined;
  }
}
