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
import { type FileIdentities, writeStamp } from '../lookup/version.js';
import { ArchiveError } from './release-format.js';

/** Names of unfinished work, which are never versions. */
const UNDER_WAY = /^\.(building|installing|pointing)-/;
/** Builds and installations take minutes; older work is abandoned. */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;

/**
 * Returns a new path for unfinished work beside the versions. One rename can move the finished folder into place. The
 * name is random, because process ids are not unique among containers that share the folder.
 */
export function stagingPath(
  artifactsDir: string,
  work: 'building' | 'installing' | 'pointing',
): string {
  return join(artifactsDir, `.${work}-${randomUUID()}`);
}

/**
 * Moves a verified version into place by one rename and stamps it. An existing valid version of that name stays. A
 * damaged version is moved aside first. If the process is killed between the two renames, the version is missing until
 * it is placed again.
 *
 * @param verified identities of the files before their verification
 * @returns whether the version was moved; false if it already existed
 * @throws ArchiveError `name_taken` if something other than a folder has the name
 */
export function placeVersion(
  artifactsDir: string,
  staging: string,
  version: string,
  verified: FileIdentities,
): boolean {
  const folder = join(artifactsDir, version);
  // The name is derived from the content. A folder of the same name has the same bytes, and processes may have mapped
  // them.
  if (existsSync(folder) && intact(artifactsDir, version)) {
    rmSync(staging, { recursive: true, force: true });
    return false;
  }
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() === false) {
    throw new ArchiveError('name_taken', `${folder} is not a folder; remove or rename it first.`);
  }
  const damaged = stagingPath(artifactsDir, 'installing');
  if (found !== undefined) renameSync(folder, damaged);
  renameSync(staging, folder);
  flushFolder(artifactsDir);
  rmSync(damaged, { recursive: true, force: true });
  writeStamp(folder, verified);
  return true;
}

/** Points `current` to a version by one rename. */
export function pointCurrent(artifactsDir: string, version: string): void {
  const fresh = stagingPath(artifactsDir, 'pointing');
  writeFileSync(fresh, `${version}\n`, { flush: true });
  renameSync(fresh, join(artifactsDir, CURRENT_POINTER));
  flushFolder(artifactsDir);
}

/** Removes the unfinished work of killed processes when it is a day old. */
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

/** Makes renames in a folder durable, on systems that can flush folders. */
function flushFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // On other systems the renames become durable later.
  }
}
