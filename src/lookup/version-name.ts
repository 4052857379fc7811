import { createHash } from 'node:crypto';
import { CURRENT_POINTER, type Manifest } from './format.js';

/**
 * Valid names of versions. A version is a folder, and its name appears in messages and logs. The name
 * of the pointer file is not valid in any case, because some file systems ignore case.
 */
export const VERSION_NAME = new RegExp(`^(?!${CURRENT_POINTER}$)\\w[\\w.-]*$`, 'i');

/** Names that a build gives to versions: the reference year and the start of a hash of the content. */
export const CONTENT_NAME = /^\d{4}\.[0-9a-f]{12}$/;

/**
 * The name of a version from its content, so that equal content has an equal name. The hash covers the
 * manifest without its name and format, and therefore the checksums of all data files.
 */
export function contentName(manifest: Omit<Manifest, 'formatVersion' | 'artifactVersion'>): string {
  const { formatVersion: _, artifactVersion: __, ...content } = manifest as Manifest;
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return `${manifest.referenceYear}.${hash.slice(0, 12)}`;
}
