import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from './folders.js';

/** A place for files that a test can fill up. */
export interface SmallDisk {
  readonly folder: string;
  /** Leaves no space: for any file, or for the given file of the given process. */
  fill(file: string, pid: number): void;
  /** Makes room again. */
  free(pid: number): void;
  /** Words to put before a command, so that the command finds the disk full, too. */
  readonly under: readonly string[];
  remove?(): void;
}

/** A disk on which a process cannot make a file longer. The system refuses with EFBIG, so every user can test it. */
export function limitedFiles(): SmallDisk {
  const folder = newFolder('disk');
  const limit = (pid: number, bytes: number | 'unlimited') =>
    execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]);
  let under: string[] = [];
  return {
    folder,
    fill(file, pid) {
      const { size } = statSync(file);
      under = ['prlimit', `--fsize=${size}:`];
      limit(pid, size);
    },
    free: (pid) => void limit(pid, 'unlimited'),
    get under() {
      return under;
    },
  };
}

/** A file system of 8 MB in memory. Undefined if this user may not mount one. */
export function smallFileSystem(): SmallDisk | undefined {
  const folder = newFolder('disk');
  try {
    const mount = ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder];
    execFileSync('mount', mount, { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    fill() {
      const file = openSync(filler, 'w');
      try {
        for (;;) writeSync(file, Buffer.alloc(4096));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler),
    under: [],
    remove: () => void execFileSync('umount', ['--lazy', folder]),
  };
}
