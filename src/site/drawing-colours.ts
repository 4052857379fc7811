/**
 * Light colours of `web/styles/tokens.css`, for images. Images are opaque, because few programs say whether their pages
 * are dark.
 */
export const COLOUR = {
  ground: '#f6f4ee',
  surface: '#fdfcf9',
  surfaceSunken: '#ecebe3',
  gridFine: '#e9e6dc',
  ink: '#1c1f23',
  inkSoft: '#565c64',
  rule: '#d8d9d4',
  ruleStrong: '#85898f',
  accent: '#0b5f66',
} as const;

/** Colours of series, from the first. */
export const SERIES = [
  '#0b5f66',
  '#c2410c',
  '#4059ad',
  '#8a6d00',
  '#a12d73',
  '#2f7d32',
  '#6b5b95',
  '#0072b2',
  '#8c4b2f',
  '#5a6168',
] as const;

/** Tints of people at percentiles of one population or of all together. */
export const TINTS = { 5: '#8b959d', 50: '#5c6770', 95: '#20272d' } as const;

/** Colour of the suits of people who belong to no series. */
export const NEUTRAL_SUIT = '#6f7f8a';

/** The colour of a series, counted from 0. */
export function seriesColour(index: number): string {
  return SERIES[index % SERIES.length] ?? COLOUR.ink;
}
