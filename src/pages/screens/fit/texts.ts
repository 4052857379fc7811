import { formatLength, type ShownUnit } from '../../../core/lengths.js';
import type { FitData } from './data-types.js';
import type { Bound } from './needs.js';

/** The sizes of a product in words, such as `Sizes: Length 2,000 mm, Width 900 mm.` */
export function sizesText(bounds: readonly Bound[], unit: ShownUnit): string {
  const sizes = bounds.map(({ label, valueMm }) => `${label} ${formatLength(valueMm, unit)}`);
  return `Sizes: ${sizes.join(', ')}.`;
}

/** A share as text, such as `93.4 %`. */
export function percent(share: number): string {
  return `${(share * 100).toLocaleString('en', { maximumFractionDigits: 1, minimumFractionDigits: 1 })} %`;
}

/** A number of people to three digits, such as `21,400,000`. */
export function roundedCount(count: number): string {
  return Number(count.toPrecision(3)).toLocaleString('en');
}

/** The share of all people that fit, in one sentence; empty if it is unknown. */
export function shareText({ overall, populations }: FitData): string {
  if (overall === undefined) return '';
  const { share, people } = overall.answer;
  const who = populations.length > 1 ? 'all of them' : populations[0]?.label;
  return `${percent(share)} of ${who} fit: ${roundedCount(share * people)} of ${roundedCount(people)} people.`;
}
