const HOUR_MS = 3600 * 1000;

/** For how long a rotated key may go on, as people choose it. */
export const OVERLAPS = {
  now: { label: 'at once', ms: 0 },
  '1h': { label: 'after 1 hour', ms: HOUR_MS },
  '24h': { label: 'after 24 hours', ms: 24 * HOUR_MS },
  '7d': { label: 'after 7 days', ms: 7 * 24 * HOUR_MS },
} as const;

/** One of them. */
export type Overlap = keyof typeof OVERLAPS;

/** All of them, the shortest first. */
export const OVERLAP_NAMES = Object.keys(OVERLAPS) as readonly Overlap[];
