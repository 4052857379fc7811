/** Addresses of the explorer's screens. */
export const EXPLORER_PATHS = {
  body: '/explore',
  fit: '/explore/fit',
  sheet: '/explore/sheet',
  dimension: '/explore/dimension',
} as const;

/** One of the screens. */
export type Screen = keyof typeof EXPLORER_PATHS;

/** Address of the share image of a page: a picture of its view, for the same query. */
export function shareImagePath(path: string): string {
  return `${path === '/' ? '' : path}/share.png`;
}
