import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
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
import { ArchiveError } from './errors.js';

/** What is under way; never taken for versions. */
const UNDER_WAY = /^\.(building|installing|pointing)-/;
/** Builds and installations take minutes: what was begun longer ago is no longer worked on. */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;

/**
 * A new name to prepare something under, beside the versions, so that moving it is one rename. No
 * other process has it: by process ids, containers that share the folder could not be told apart.
 */
export function stagingPath(
  artifactsDir: string,
  work: 'building' | 'installing' | 'pointing',
): string {
  return join(artifactsDir, `.${work}-${randomUUID()}`);
}

/**
 * Moves a verified version into place by one rename and stamps it. A version of that name that is
 * there and sound stays. One that is not is moved aside first: killed between the two renames, there
 * is no version of that name until it is placed again.
 *
 * @param verified the files' identities from before they were verified
 * @returns whether it was moved; false when it was there already
 * @throws ArchiveError `name_taken` where something other than a folder has the name
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
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() === false) {
    throw new ArchiveError('name_taken', `${folder} is not a folder; remove or rename it first.`);
  }
  const unsound = stagingPath(artifactsDir, 'installing');
  if (found !== undefined) renameSync(folder, unsound);
  renameSync(staging, folder);
  flushFolder(artifactsDir);
  rmSync(unsound, { recursive: true, force: true });
  writeStamp(folder, verified);
  return true;
}

/** Points `current` at a version, by one rename. */
export function pointCurrent(artifactsDir: string, version: string): void {
  const fresh = stagingPath(artifactsDir, 'pointing');
  writeFileSync(fresh, `${version}\n`, { flush: true });
  renameSync(fresh, join(artifactsDir, CURRENT_POINTER));
  flushFolder(artifactsDir);
}

/** Removes what processes that were killed left behind, once it is a day old. */
export function removeAbandoned(artifactsDir: string): void {
  const before = Date.now() - ABANDONED_AFTER_MS;
  for (const name of readdirSync(artifactsDir).filter((name) => UNDER_WAY.test(name))) {
    const path = join(artifactsDir, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.mtimeMs >= before) continue;
    rmSync(path, { recursive: true, force: true });
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
