import { shareImagePath } from '../core/explorer-paths.js';

/**
 * Path and query of the share image of a view. It contains the version of the data, so that new data
 * has a new address. A page without data has no image.
 */
export function imageOf(
  path: string,
  query: string,
  first: { readonly data: { readonly artifactVersion: string } } | { readonly problem: unknown },
): string | undefined {
  if (!('data' in first)) return undefined;
  const version = `v=${encodeURIComponent(first.data.artifactVersion)}`;
  return `${shareImagePath(path)}?${query === '' ? version : `${query}&${version}`}`;
}
