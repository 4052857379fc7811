import { formatLength, roundedSafely, type ShownUnit } from '../../../core/lengths.js';
import type { FitData, SizeRange, UncertainShare } from './data-types.js';
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

/** How far a share could be off, such as `92.1–96.8 %`. */
export function uncertaintyText({ low, high }: UncertainShare): string {
  return `${percent(low).replace(' %', '')}–${percent(high)}`;
}

/** What a size must be: `at least 747 mm`, `at most 655 mm`, or both; on the safe side. */
export function rangeText({ leastMm, mostMm }: SizeRange, unit: ShownUnit): string {
  const text = (mm: number, side: 'down' | 'up') =>
    formatLength(roundedSafely(mm, side, unit), unit);
  if (leastMm === undefined) return `at most ${text(mostMm ?? Number.NaN, 'down')}`;
  if (mostMm === undefined) return `at least ${text(leastMm, 'up')}`;
  if (leastMm > mostMm)
    return `no size serves all; ${text(mostMm, 'down')} to ${text(leastMm, 'up')}`;
  return `${text(leastMm, 'up')} to ${text(mostMm, 'down')}`;
}
