import { formatLength, roundedSafely, type ShownUnit } from '../../lengths.js';
import { inWords, percent } from '../shared/labels.js';
import { type FitView, rulesOf } from './address.js';
import type { FitData, ShareAnswer, SizeRange, UncertainShare } from './data-types.js';
import type { Bound } from './needs.js';

/** The sizes of a product in words, such as `Sizes: Length 2,000 mm, Width 900 mm.` */
export function sizesText(bounds: readonly Bound[], unit: ShownUnit): string {
  const sizes = bounds.map(({ label, valueMm }) => `${label} ${formatLength(valueMm, unit)}`);
  return `Sizes: ${sizes.join(', ')}.`;
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
  return `${percent(low).replace(/\s%$/, '')}–${percent(high)}`;
}

/** Shares below this are shown as 0.0 %. */
const SHOWN_FROM = 0.0005;

/** People whom a limit excludes at one of its ends. */
export interface Exclusion {
  readonly measurement: string;
  readonly share: number;
  /** The end of the limit, mm. */
  readonly endMm: number;
  /** Who they are, after their share: `need a lower top`, or `have a stature above 1,900 mm`. */
  readonly text: string;
}

/** Who is excluded by the limits of an answer, without shares that are shown as 0.0 %. */
export function exclusionsOf(
  view: FitView,
  limits: ShareAnswer['limits'],
  unit: ShownUnit,
): readonly Exclusion[] {
  const rules = rulesOf(view);
  return limits.flatMap(({ measurement, min, max, below, above }) => {
    const end = (kind: 'reach' | 'room', share: number, endMm: number | null | undefined) => {
      if (share < SHOWN_FROM || endMm == null) return [];
      const rule = rules.find((one) => one.measurement === measurement && one.kind === kind);
      const name = inWords(measurement).replace(/^[A-Z](?![A-Z\d])/, (first) =>
        first.toLowerCase(),
      );
      const have = `have ${/^[AEIOU]/i.test(name) ? 'an' : 'a'} ${name}`;
      const side = kind === 'reach' ? 'under' : 'above';
      const own = `${have} ${side} ${formatLength(endMm, unit)}`;
      return [{ measurement, share, endMm, text: rule === undefined ? own : `need ${rule.need}` }];
    };
    return [...end('reach', below, min), ...end('room', above, max)];
  });
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
