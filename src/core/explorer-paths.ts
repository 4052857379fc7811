/** Addresses of the explorer's screens. */
export const EXPLORER_PATHS = {
  body: '/explore',
  fit: '/explore/fit',
  sheet: '/explore/sheet',
  dimension: '/explore/dimension',
} as const;

/** One of the screens. */
export type Screen = keyof typeof EXPLORER_PATHS;
