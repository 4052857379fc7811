import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ArtifactError } from './errors.js';
import { CURRENT_POINTER, FILES, type Manifest } from './format.js';
import { mapFile } from './map-file.js';
import { type ArtifactViews, checkManifest, readArtifact } from './reader.js';
import { type FileIdentities, fileIdentities, sameFiles, stampHolds, writeStamp } from './stamp.js';
import { verifyChecksums, verifyViews } from './verify.js';

/**
 * What a version may be called: it is a folder's name and goes into messages and logs. The pointer's
 * name is taken, in capitals too: some file systems take them for the same.
 */
export const VERSION_NAME = new RegExp(`^(?!${CURRENT_POINTER}$)\\w[\\w.-]*$`, 'i');

/** Names of the artifact versions in a folder, sorted. */
export function listVersions(artifactsDir: string): string[] {
  try {
    return readdirSync(artifactsDir, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map((entry) => entry.name)
      .sort();
  } catch {
    return [];
  }
}

/** The version the `current` pointer names, or undefined where there is none. */
export function currentVersion(artifactsDir: string): string | undefined {
  try {
    return readFileSync(join(artifactsDir, CURRENT_POINTER), 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

/**
 * The folder of a version: of the one named, else of the `current` one.
 *
 * @throws ArtifactError `missing` where there is no current version or the name is none
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
 * Opens a version of the artifacts, memory-mapped: the one named, else the `current` one. A
 * version whose stamp no longer holds (copied, touched, never verified) is verified in full first.
 *
 * @throws ArtifactError naming the file and the fault
 */
export function openArtifact(artifactsDir: string, version?: string): ArtifactViews {
  const folder = versionFolder(artifactsDir, version);
  return stampHolds(folder) ? openUnread(folder) : verifyAndStamp(folder);
}

/**
 * Verifies a version in full, as `verifyVersion`, and stamps it, so that the next opening need not.
 *
 * @throws ArtifactError naming the file and the fault
 */
export function verifyAndStamp(folder: string): ArtifactViews {
  // Taken first: a file replaced while it is verified must not be stamped unseen.
  const before = fileIdentities(folder);
  const views = verifyVersion(folder);
  if (before !== undefined) writeStamp(folder, before);
  return views;
}

/**
 * Opens a version whose files were verified, by another process perhaps, reading headers only.
 *
 * @param verified the files' identities from before they were verified
 * @throws ArtifactError, also when the files are no longer those
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
 * Verifies a version in full: checksums, and every number of every file.
 *
 * @throws ArtifactError naming the file and the fault
 */
export function verifyVersion(folder: string): ArtifactViews {
  const { manifest, bytes } = mapVersion(folder);
  // Before anything is parsed: on a damaged footer the Arrow library can loop without end.
  verifyChecksums(manifest, bytes);
  const views = readArtifact(manifest, bytes);
  verifyViews(views);
  return views;
}

function mapVersion(folder: string) {
  const manifest = readManifest(folder);
  checkManifest(manifest);
  const bytes = {
    grid: mapData(folder, FILES.grid, manifest),
    dimensions: mapData(folder, FILES.dimensions, manifest),
    correlations: mapData(folder, FILES.correlations, manifest),
  };
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
    // null is an object to `typeof`; a key of it is not.
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
