import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ArtifactError } from './errors.js';
import {
  CURRENT_POINTER,
  DATA_FILES,
  FILES,
  type Manifest,
  OPTIONAL_DATA_FILES,
} from './format.js';
import { checkManifest } from './manifest.js';
import { mapFile } from './map-file.js';
import { type ArtifactViews, readArtifact } from './reader.js';
import { verifyChecksums, verifyViews } from './verify.js';
import {
  type FileIdentities,
  fileIdentities,
  sameFiles,
  stampHolds,
  VERSION_NAME,
  writeStamp,
} from './version.js';

/** Names of the artifact versions in a folder, sorted. Folders with names that no version can have are left out. */
export function listVersions(artifactsDir: string): string[] {
  try {
    return readdirSync(artifactsDir, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && VERSION_NAME.test(entry.name))
      .map((entry) => entry.name)
      .sort();
  } catch {
    return [];
  }
}

/** The version that the `current` pointer names; undefined if there is none. */
export function currentVersion(artifactsDir: string): string | undefined {
  try {
    return readFileSync(join(artifactsDir, CURRENT_POINTER), 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

/**
 * The folder of the named version, or of the `current` one.
 *
 * @throws ArtifactError `missing` if there is no current version or the name is not allowed
 */
export function versionFolder(artifactsDir: string, version?: string): string {
  const name = version ?? currentVersion(artifactsDir);
  if (name === undefined) {
    const message = `no artifacts in ${artifactsDir}; build them with npm run pipeline`;
    throw new ArtifactError('missing', CURRENT_POINTER, message);
  }
  if (!VERSION_NAME.test(name)) {
    throw new ArtifactError('missing', name, 'is not a name of an artifact version');
  }
  return join(artifactsDir, name);
}

/**
 * Opens the named version of the artifacts, or the `current` one, memory-mapped. A version without a valid stamp
 * (copied, touched, or never verified) is first verified in full.
 *
 * @throws ArtifactError with the file and the fault
 */
export function openArtifact(artifactsDir: string, version?: string): ArtifactViews {
  const folder = versionFolder(artifactsDir, version);
  return stampHolds(folder) ? openUnread(folder) : verifyAndStamp(folder);
}

/**
 * Verifies a version in full, as `verifyVersion` does, and stamps it, so that the next opening is fast.
 *
 * @throws ArtifactError with the file and the fault
 */
export function verifyAndStamp(folder: string): ArtifactViews {
  // The identities are read first. A file that is replaced during the verification then gets no stamp.
  const before = fileIdentities(folder);
  const views = verifyVersion(folder);
  if (before !== undefined) writeStamp(folder, before);
  return views;
}

/**
 * Opens a version whose files were verified, perhaps by another process. Only the headers are read.
 *
 * @param verified identities of the files before their verification
 * @throws ArtifactError, also if the files have changed since then
 */
export function openVerified(folder: string, verified: FileIdentities): ArtifactViews {
  if (!sameFiles(fileIdentities(folder), verified)) {
    throw new ArtifactError(
      'unverified',
      FILES.manifest,
      'its files changed while they were verified',
    );
  }
  return openUnread(folder);
}

function openUnread(folder: string): ArtifactViews {
  const { manifest, bytes } = mapVersion(folder);
  return readArtifact(manifest, bytes);
}

/**
 * Verifies a version in full: the checksums, and every number of every file.
 *
 * @throws ArtifactError with the file and the fault
 */
export function verifyVersion(folder: string): ArtifactViews {
  const { manifest, bytes } = mapVersion(folder);
  // The checksums are verified before parsing, because the Arrow library can loop for ever on a damaged footer.
  verifyChecksums(manifest, bytes);
  const views = readArtifact(manifest, bytes);
  verifyViews(views);
  return views;
}

function mapVersion(folder: string) {
  const manifest = readManifest(folder);
  checkManifest(manifest);
  const listed = OPTIONAL_DATA_FILES.filter((file) => manifest.files[file] !== undefined);
  const files = [...DATA_FILES, ...listed];
  const bytes = new Map(files.map((file) => [file, mapData(folder, file, manifest)]));
  return { manifest, bytes };
}

function readManifest(folder: string): Manifest {
  let text: string;
  try {
    text = readFileSync(join(folder, FILES.manifest), 'utf8');
  } catch {
    throw new ArtifactError('missing', FILES.manifest, `not found in ${folder}`);
  }
  try {
    const manifest = JSON.parse(text) as Manifest;
    // Throws for null, whose `typeof` is 'object' too.
    Object.keys(manifest.axes);
    Object.keys(manifest.files);
    return manifest;
  } catch {
    throw new ArtifactError('truncated', FILES.manifest, 'is not a whole manifest');
  }
}

function mapData(folder: string, file: string, manifest: Manifest): Uint8Array {
  const listed = manifest.files[file];
  if (listed === undefined) throw new ArtifactError('missing', file, 'not listed in the manifest');
  let bytes: Uint8Array;
  try {
    bytes = mapFile(join(folder, file));
  } catch {
    throw new ArtifactError('missing', file, `not found in ${folder}`);
  }
  if (bytes.length !== listed.bytes) {
    const message = `has ${bytes.length} bytes, not ${listed.bytes}`;
    throw new ArtifactError('truncated', file, message);
  }
  return bytes;
}
