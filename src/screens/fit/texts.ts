import type { Gender } from '../../core/genders.js';
import { numberText } from '../../core/number-text.js';
import codes from '../../products/codes.json' with { type: 'json' };
import { type AmountUnit, amountSafely, formatAmount, isMass, unitIn } from '../../site/amounts.js';
import { inSentence } from '../../site/in-sentence.js';
import { clothingText, inWords, NO_CLOTHING, percent, percentileText } from '../../site/labels.js';
import { formatLength, type ShownUnit } from '../../site/lengths.js';
import { SHOWN_FROM } from '../shared/prediction-error.js';
import { type FitView, gendersOf, rulesOf } from './address.js';
import type { FitData, ShareAnswer, SizeRange } from './data-types.js';
import type { KnownPerson } from './known-people.js';
import { productById } from './products.js';
import type { Bound } from './proposal.js';

/** The sizes of a product in words, such as `Sizes: Length 2,000 mm, Width 900 mm.` */
export function sizesText(bounds: readonly Bound[]): string {
  const sizes = bounds.map(({ label, value, unit }) => `${label} ${formatAmount(value, unit)}`);
  return `Sizes: ${sizes.join(', ')}.`;
}

/** What codes have, by product and size; `low/high` is the space between two sizes. The bases of the rules have it, too. */
export const CODES: Readonly<Record<string, Readonly<Record<string, string>>>> = codes;

/** A size for the people beside what codes have, such as `People: 820 mm. ADA 505.4: 865 to 965 mm.` */
export function codeTexts(product: string, size: string, bounds: readonly Bound[]): string[] {
  const mmOf = (id: string) => bounds.find((one) => one.id === id)?.value;
  return Object.entries(CODES[product] ?? {}).flatMap(([key, code]) => {
    const [id = '', upper] = key.split('/');
    const [own, other] = [mmOf(id), upper === undefined ? 0 : mmOf(upper)];
    if (id !== size || own === undefined || other === undefined) return [];
    const mm = Math.abs(own - other);
    const who = upper === undefined ? 'People' : 'Space between, for people';
    return `${who}: ${formatAmount(mm, bounds[0]?.unit ?? 'mm')}. ${code}`;
  });
}

/** Says what people wear in whose population no clothing is chosen; undefined if there are none. */
export function clothingNote({ product, populations }: FitView): string | undefined {
  if (populations.every(({ clothing }) => clothing !== undefined)) return undefined;
  const usersWear = clothingText(productById(product)?.clothing);
  const worn = usersWear === NO_CLOTHING ? 'Without clothing' : `In ${usersWear}`;
  return `${worn}, as is usual for this product.`;
}

/** The genders that the picture of a view can be limited to, with their names; empty if all people have one gender. */
export function genderChoices(view: FitView): readonly (readonly [Gender, string])[] {
  const genders = gendersOf(view);
  const areYoung = view.populations.every(({ ageMax }) => ageMax < 18);
  const names = areYoung ? YOUNG_NAMES : GROWN_NAMES;
  return genders.length < 2 ? [] : genders.map((gender) => [gender, names[gender]]);
}

const YOUNG_NAMES = { Female: 'Girls', Male: 'Boys' } as const;
const GROWN_NAMES = { Female: 'Women', Male: 'Men' } as const;

/** A number of people to three digits, such as `21,400,000`. */
export function roundedCount(count: number): string {
  return numberText(Number(count.toPrecision(3)));
}

/** A sentence with the share of all people that fit; empty if the share is unknown. */
export function shareText({ overall, populations }: FitData): string {
  if (overall === undefined) return '';
  const { share, people } = overall;
  const who = populations.length > 1 ? 'these people' : populations[0]?.label;
  return `${percent(share)} of ${who} fit: ${roundedCount(share * people)} of ${roundedCount(people)} people.`;
}

/** Says that one set of sizes does not fit the wanted share, and which share the best one fits; undefined if it does. */
export function missedText(view: FitView, { proposal }: FitData): string | undefined {
  const [wanted, share] = [view.targetPercent, proposal?.share ?? 1];
  if (share >= wanted / 100 - SHOWN_FROM) return undefined;
  const { strictest } = proposal ?? {};
  const part = strictest === undefined ? '' : `. ${strictest} is the main cause`;
  return `For ${percentileText(wanted)} % one size is not enough; the best fits ${percent(share)}${part}`;
}

/** The people whom a limit excludes at one of its ends. */
export interface Exclusion {
  readonly measurement: string;
  readonly share: number;
  /** The end of the limit, mm, kg or kg/m². */
  readonly endMm: number;
  /** Text after the share, such as `need a lower top` or `have a stature above 1,900 mm`. */
  readonly text: string;
}

/** The people whom the limits of an answer exclude. Shares that would be shown as 0.0 % are left out. */
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
      const name = inSentence(inWords(measurement));
      const have = `have ${/^[AEIOU]/i.test(name) ? 'an' : 'a'} ${name}`;
      const side = kind === 'reach' ? 'under' : 'above';
      const own = `${have} ${side} ${formatAmount(endMm, isMass(measurement) ? unitIn(view, measurement) : unit)}`;
      return [{ measurement, share, endMm, text: rule === undefined ? own : `need ${rule.need}` }];
    };
    return [...end('reach', below, min), ...end('room', above, max)];
  });
}

/** Name of a known person, or the stature. */
export function knownName({ name, statureMm }: KnownPerson, unit: ShownUnit): string {
  return name ?? formatLength(statureMm, unit);
}

/** The choice of all people who decide a size of a picture. */
export const BOTH = 'Both';

/** The names of known people: all different, and none is `BOTH`. */
export function knownNames(known: readonly KnownPerson[], unit: ShownUnit): readonly string[] {
  const used = new Set<string>([BOTH]);
  return known.map((one) => {
    const name = knownName(one, unit);
    let shown = name;
    for (let number = 2; used.has(shown); number++) shown = `${name} (${number})`;
    used.add(shown);
    return shown;
  });
}

/** A range of a size, rounded to the safe side: `at least 747 mm`, `at most 655 mm`, or both. */
export function rangeText({ leastMm, mostMm }: SizeRange, unit: AmountUnit): string {
  const text = (mm: number, side: 'down' | 'up') =>
    formatAmount(amountSafely(mm, side, unit), unit);
  if (leastMm === undefined)
    return mostMm === undefined ? 'any' : `at most ${text(mostMm, 'down')}`;
  if (mostMm === undefined) return `at least ${text(leastMm, 'up')}`;
  if (leastMm > mostMm)
    return `no size serves all; ${text(mostMm, 'down')} to ${text(leastMm, 'up')}`;
  return `${text(leastMm, 'up')} to ${text(mostMm, 'down')}`;
}
