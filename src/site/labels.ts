import { numberText } from '../core/number-text.js';
import type { Reading } from '../core/readings.js';

/** Names whose own words few people know. */
const READABLE: ReadonlyMap<string, string> = new Map([
  ['BackOfHeadToSelion', 'Back of head to bridge of nose'],
  ['DorsomLength', 'Back length, nape to waist'],
]);

/** A measurement's name in words: `SittingHeight` becomes "Sitting height". */
export function inWords(measurement: string): string {
  const readable = READABLE.get(measurement);
  if (readable !== undefined) return readable;
  const words = measurement
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/(\d)([A-Z])/g, '$1 $2')
    .split(' ')
    .map((word, index) => (index === 0 || /\d/.test(word) ? word : word.toLowerCase()));
  return words
    .join(' ')
    .replace(/\bpip\b/, 'PIP')
    .replace('adams apple', 'Adam’s apple');
}

/** Units of the quantities of the whole body that are no lengths. */
export const MASS_UNITS: Readonly<Record<string, string>> = { BodyMass: 'kg', BMI: 'kg/m²' };

/** Percentile marks of pictures: the ends of bands, and the people who are drawn. */
export const [BAND_ENDS, MARKS] = ['P5 to P95', 'P5, P50 and P95'] as const;

/** Labels of the clothing profiles. */
export const CLOTHING_LABELS: Readonly<Record<string, string>> = {
  nude: 'None (nude)',
  light: 'Light clothing',
  shoes: 'Flat shoes only',
  light_shoes: 'Light clothing and flat shoes',
  winter: 'Winter clothing and boots',
  heels: 'Heels only (from 12 years)',
};

/** Text for nude people, in the middle of a sentence. */
export const NO_CLOTHING = 'no clothing';

/** Text for clothing in the middle of a sentence, such as `light clothing and flat shoes`. */
export function clothingText(id = 'nude'): string {
  if (id === 'nude') return NO_CLOTHING;
  return (CLOTHING_LABELS[id] ?? id).replace(/^./, (first) => first.toLowerCase());
}

/** What the people of populations wear, as a sentence: `Clothing: light clothing and flat shoes.` */
export function clothingSentence(ids: readonly (string | undefined)[]): string {
  const texts = [...new Set(ids.map((id) => clothingText(id)))].join(', ');
  return texts === NO_CLOTHING ? 'Without clothing.' : `Clothing: ${texts}.`;
}

/** Labels of the posture profiles. */
export const POSTURE_LABELS: Readonly<Record<string, string>> = {
  standing_erect: 'Standard',
  standing_relaxed: 'Relaxed standing',
  sitting: 'Relaxed sitting',
};

/** Labels that say how directly a dimension was measured. */
export const READING_LABELS: Readonly<Record<Reading, string>> = {
  direct: 'Measured',
  derived: 'Derived',
  ratio: 'Ratio',
  proxy: 'Proxy',
};

/** Countries that a badge names. */
const BADGE_COUNTRIES_MAX = 4;

/** Says how directly a dimension was measured, and where, such as `Measured in JP, KR`. */
export function readingText(reading: Reading, countries: readonly string[]): string {
  const label = READING_LABELS[reading];
  if (reading !== 'direct' || countries.length === 0) return label;
  const more = countries.length - BADGE_COUNTRIES_MAX;
  const named = countries.slice(0, BADGE_COUNTRIES_MAX).join(', ');
  return `${label} in ${named}${more > 0 ? ` and ${more} more` : ''}`;
}

/** A share as text, such as `93.4 %`. It does not wrap. */
export function percent(share: number): string {
  return `${numberText(share * 100, 1, 1)}\u00a0%`;
}

/** A percentile with at most two decimals. */
export function percentileText(percentile: number): string {
  return numberText(percentile, 2);
}
