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

/** Colours of series, from the first. People with red-green colour blindness can distinguish them (after Okabe and Ito). */
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

/** Dark colours of `web/styles/tokens.css`, for scenes within the pages. */
export const DARK: Readonly<Record<'ground' | 'ink' | 'rule' | 'accent', string>> = {
  ground: '#14171a',
  ink: '#e9eaec',
  rule: '#353b42',
  accent: '#6cc5cc',
};

/** Dark colours of series, from the first. */
export const DARK_SERIES = [
  '#6cc5cc',
  '#ff9a66',
  '#9db2ff',
  '#e3c44d',
  '#f08fc6',
  '#86d28a',
  '#c3b2ee',
  '#66bdf2',
  '#d9a487',
  '#b4bbc3',
] as const;
/** Colour of the suits of people who belong to no series. */
export const NEUTRAL_SUIT = '#6f7f8a';

/** The colour of a series, counted from 0. */
export function seriesColour(index: number): string {
  return SERIES[index % SERIES.length] ?? COLOUR.ink;
}
