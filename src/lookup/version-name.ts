import { createHash } from 'node:crypto';
import type { Manifest } from './format.js';

/** What a build names a version: reference year and the start of a hash of its content. */
export const CONTENT_NAME = /^\d{4}\.[0-9a-f]{12}$/;

/**
 * The name that the content of a version gives it: equal content, equal name. The hash is over the
 * manifest without its own name and format, and so over the checksums of all data files.
 */
export function contentName(manifest: Omit<Manifest, 'formatVersion' | 'artifactVersion'>): string {
  const { formatVersion: _, artifactVersion: __, ...content } = manifest as Manifest;
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return `${manifest.referenceYear}.${hash.slice(0, 12)}`;
}
