import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ArtifactError, type ArtifactFault } from '../lookup/errors.js';
import { FILES, type Manifest } from '../lookup/format.js';
import { verifyVersion } from '../lookup/open-artifact.js';
import { CONTENT_NAME, contentName, fileIdentities } from '../lookup/version.js';
import { placeVersion, removeAbandoned, stagingPath } from './place.js';
import { ArchiveError } from './release-format.js';
import { type Unpacked, unpackRelease } from './unpack.js';

/** Result of an installation. */
export interface Installed extends Unpacked {
  /** False if the version was already installed. */
  readonly fresh: boolean;
}

/**
 * Installs a version from an archive. The archive is unpacked into a folder beside the versions. Its checksums, its
 * name and (with the service's own reader) every number are checked. One rename then moves the folder into place. The
 * `current` pointer does not change.
 *
 * A killed installation may leave unfinished folders. An installation at least a day later removes them. If the
 * installation was replacing a damaged version, that version may be missing: install it again.
 *
 * @param sha256 expected SHA-256 of the archive, if known
 * @throws ArchiveError
 */
export async function installArchive(
  archive: string,
  artifactsDir: string,
  sha256?: string,
): Promise<Installed> {
  mkdirSync(artifactsDir, { recursive: true });
  removeAbandoned(artifactsDir);
  const staging = stagingPath(artifactsDir, 'installing');
  try {
    const unpacked = await unpackRelease(archive, staging);
    if (sha256 !== undefined && sha256.toLowerCase() !== unpacked.sha256) {
      const message = `The archive's SHA-256 is ${unpacked.sha256}, not the one given.`;
      throw new ArchiveError('wrong_checksum', message);
    }
    const { version } = unpacked;
    const verified = fileIdentities(staging) ?? {};
    const { manifest } = verifyUnpacked(staging);
    checkName(version, manifest);
    refuseTaken(artifactsDir, version, manifest);
    return { ...unpacked, fresh: placeVersion(artifactsDir, staging, version, verified) };
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

const REMEDIES: Partial<Record<ArtifactFault, string>> = {
  newer_format: 'Update the program.',
  wrong_axes: 'It was built for other lists of names: build one with npx vitruvia pipeline.',
};

function verifyUnpacked(staging: string) {
  try {
    return verifyVersion(staging);
  } catch (error) {
    if (!(error instanceof ArtifactError)) throw error;
    const remedy = REMEDIES[error.fault] ?? 'Fetch the archive again.';
    const message = `The version in the archive is refused: ${error.message}. ${remedy}`;
    throw new ArchiveError('bad_version', message);
  }
}

/**
 * The folder and the manifest must have the same name. If the build derived the name from the content, the content must
 * match it too.
 */
function checkName(version: string, manifest: Manifest): void {
  const { artifactVersion } = manifest;
  const byContent = CONTENT_NAME.test(version) ? contentName(manifest) : version;
  if (artifactVersion === version && byContent === version) return;
  const content = byContent === version ? artifactVersion : byContent;
  const message = `The archive names the version ${version}, but its content belongs to ${content}: do not trust it.`;
  throw new ArchiveError('bad_version', message);
}

/** Refuses the version if its name is in use for other content. */
function refuseTaken(artifactsDir: string, version: string, manifest: Manifest): void {
  const path = join(artifactsDir, version, FILES.manifest);
  if (!existsSync(path) || CONTENT_NAME.test(version)) return;
  if (sameContent(readFileSync(path, 'utf8'), manifest)) return;
  const message = `${artifactsDir} has a version ${version} with other content; remove or rename it first.`;
  throw new ArchiveError('name_taken', message);
}

function sameContent(text: string, manifest: Manifest): boolean {
  try {
    const found = JSON.parse(text) as Manifest;
    return JSON.stringify(found.files) === JSON.stringify(manifest.files);
  } catch {
    return false;
  }
}
