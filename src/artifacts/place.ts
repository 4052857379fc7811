import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { CURRENT_POINTER } from '../lookup/format.js';
import { openArtifact } from '../lookup/open-artifact.js';
import { type FileIdentities, writeStamp } from '../lookup/stamp.js';

/** Folders under way, with the process that works on them; never taken for versions. */
const UNDER_WAY = /^\.(building|installing)-(\d+)/;

let staged = 0;

/**
 * A new folder's name to prepare a version in, beside the versions, so that moving it is one rename.
 * It bears this process's id, by which others see whether it is still worked on.
 */
export function stagingFolder(artifactsDir: string, work: 'building' | 'installing'): string {
  staged += 1;
  return join(artifactsDir, `.${work}-${process.pid}-${staged}`);
}

/**
 * Moves a verified version into place by one rename and stamps it. A version of that name that is
 * there and sound stays; one that is not is replaced.
 *
 * @param verified the files' identities from before they were verified
 * @returns whether it was moved; false when it was there already
 */
export function placeVersion(
  artifactsDir: string,
  staging: string,
  version: string,
  verified: FileIdentities,
): boolean {
  const folder = join(artifactsDir, version);
  // A version is named by its content: the same name is the same bytes, perhaps mapped right now.
  if (existsSync(folder) && intact(artifactsDir, version)) {
    rmSync(staging, { recursive: true, force: true });
    return false;
  }
  const unsound = stagingFolder(artifactsDir, 'installing');
  if (existsSync(folder)) renameSync(folder, unsound);
  renameSync(staging, folder);
  flushFolder(artifactsDir);
  rmSync(unsound, { recursive: true, force: true });
  writeStamp(folder, verified);
  return true;
}

/** Points `current` at a version, by one rename. */
export function pointCurrent(artifactsDir: string, version: string): void {
  const pointer = join(artifactsDir, CURRENT_POINTER);
  const fresh = `${pointer}.${process.pid}`;
  writeFileSync(fresh, `${version}\n`, { flush: true });
  renameSync(fresh, pointer);
  flushFolder(artifactsDir);
}

/** Removes what processes that were killed left behind. */
export function removeAbandoned(artifactsDir: string): void {
  for (const name of readdirSync(artifactsDir)) {
    const pid = Number(UNDER_WAY.exec(name)?.[2] ?? Number.NaN);
    if (!Number.isNaN(pid) && isGone(pid)) {
      rmSync(join(artifactsDir, name), { recursive: true, force: true });
    }
  }
}

function intact(artifactsDir: string, version: string): boolean {
  try {
    openArtifact(artifactsDir, version);
    return true;
  } catch {
    return false;
  }
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // Another user's process runs but may not be signalled; only a process gone abandons its work.
    return (error as NodeJS.ErrnoException).code !== 'EPERM';
  }
}

/** Makes renames in a folder last, where the system lets folders be flushed. */
function flushFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // A folder that cannot be flushed is flushed by the system in its own time.
  }
}
