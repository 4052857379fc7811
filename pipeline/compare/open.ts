import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { ArtifactError } from '../../src/lookup/errors.js';
import { FILES } from '../../src/lookup/format.js';
import { listVersions, openArtifact, verifyVersion } from '../../src/lookup/open-artifact.js';
import type { ArtifactViews } from '../../src/lookup/reader.js';
import { CompareRefusal } from './comparison.js';

/**
 * Opens a version to compare with, in the way in which the service reads it.
 *
 * @param wanted name of the version in the artifacts folder, or path of its folder
 * @throws CompareRefusal if there is no such version, or if this program cannot read it
 */
export function openToCompare(artifactsDir: string, wanted: string): ArtifactViews {
  try {
    if (listVersions(artifactsDir).includes(wanted)) return openArtifact(artifactsDir, wanted);
    const folder = resolve(wanted);
    if (existsSync(join(folder, FILES.manifest))) return verifyVersion(folder);
  } catch (error) {
    if (!(error instanceof ArtifactError)) throw error;
    const message = `${basename(wanted)} cannot be compared with: ${error.message}.`;
    throw new CompareRefusal(message);
  }
  const known = listVersions(artifactsDir).join(', ') || 'none';
  const message = `--compare ${wanted}: neither a version in ${artifactsDir} nor the folder of one. Versions: ${known}. npx vitruvia artifacts install adds a version from its archive.`;
  throw new CompareRefusal(message);
}
