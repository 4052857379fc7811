import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CURRENT_POINTER,
  DATA_FILES,
  FILES,
  FORMAT_VERSION,
  type Manifest,
  OPTIONAL_DATA_FILES,
} from './format.js';

/**
 * Valid names of versions. A version is a folder, and its name appears in messages and logs. The name of the pointer
 * file is not valid in upper or lower case, because some file systems ignore case.
 */
export const VERSION_NAME = new RegExp(`^(?!${CURRENT_POINTER}$)\\w[\\w.-]*$`, 'i');

/** Names that builds give to versions: the reference year and the start of a hash of the content. */
export const CONTENT_NAME = /^\d{4}\.[0-9a-f]{12}$/;

/**
 * Derives the name of a version from its content, so that equal content has an equal name. The hash covers the manifest
 * without its name and format. The manifest contains the checksums of all data files.
 */
export function contentName(manifest: Omit<Manifest, 'formatVersion' | 'artifactVersion'>): string {
  const { formatVersion: _, artifactVersion: __, ...content } = manifest as Manifest;
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return `${manifest.referenceYear}.${hash.slice(0, 12)}`;
}

/**
 * The stamp says that these files were verified in full, so that the start does not have to read them. It is valid as
 * long as every file keeps its size, inode and both times. An edit can restore the modification time, but not the time
 * of the last change (ctime). A copy is verified again.
 */
interface Stamp {
  readonly verifiedBy: string;
  readonly files: FileIdentities;
}

/** Size, modification time, change time and inode of each file of a version. */
export type FileIdentities = Readonly<Record<string, string>>;

/** Must be changed whenever verification gets a new check. Old stamps are invalid then. */
const VERIFIED_BY = `format ${FORMAT_VERSION.major}.${FORMAT_VERSION.minor}, checks 2`;

/** The current identities of a folder's files, or undefined if a file is missing. */
export function fileIdentities(folder: string): FileIdentities | undefined {
  try {
    return identities(folder);
  } catch {
    return undefined;
  }
}

function identities(folder: string): FileIdentities {
  const identity = (file: string): string => {
    const stat = statSync(join(folder, file), { bigint: true });
    return `${stat.size} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.ino}`;
  };
  const present = OPTIONAL_DATA_FILES.filter((file) => existsSync(join(folder, file)));
  const names = [FILES.manifest, ...DATA_FILES, ...present];
  return Object.fromEntries(names.map((name) => [name, identity(name)]));
}

/** Whether the files are the same and unchanged; false if a file is missing. */
export function sameFiles(
  now: FileIdentities | undefined,
  before: FileIdentities | undefined,
): boolean {
  if (now === undefined || before === undefined) return false;
  const names = Object.keys({ ...now, ...before });
  return names.every((name) => before[name] === now[name]);
}

/** Whether the folder's stamp exists and matches the current files. */
export function stampHolds(folder: string): boolean {
  try {
    const stamp = JSON.parse(readFileSync(join(folder, FILES.stamp), 'utf8')) as Stamp;
    const now = identities(folder);
    return stamp.verifiedBy === VERIFIED_BY && sameFiles(now, stamp.files);
  } catch {
    return false;
  }
}

/**
 * Stamps a folder after its verification. If the folder is not writable, it is verified again at the next start.
 *
 * @param files identities of the files when the verification began
 */
export function writeStamp(folder: string, files: FileIdentities): void {
  const stamp: Stamp = { verifiedBy: VERIFIED_BY, files };
  const path = join(folder, FILES.stamp);
  const fresh = `${path}.${process.pid}`;
  try {
    writeFileSync(fresh, `${JSON.stringify(stamp, null, 2)}\n`);
    renameSync(fresh, path);
  } catch {
    // Read-only artifacts work without a stamp, but are verified in full at each start.
  }
}
