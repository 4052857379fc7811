import type { Coupling, EndRule, ProductSize } from '../../products/index.js';
import { type AmountUnit, amountSafely, isMass, unitIn } from '../../site/amounts.js';
import { inWords } from '../../site/labels.js';
import type { ShownUnit } from '../../site/lengths.js';
import { type BoxLimit, FIT_PERCENTILES, type FitView, limitRange, rulesOf } from './address.js';
import type { Design, FitData, FitPopulation, OwnRange, SizeRange } from './data-types.js';
import { OWN_ID, productById } from './products.js';

/** A dimension that own limits limit, in the form of `design_ranges`. */
export interface RangeDimension {
  readonly measurement: string;
  readonly side: 'min' | 'max' | 'both';
}

/** The dimensions that own limits limit, each once. */
export function dimensionsOf({ limits }: FitView): readonly RangeDimension[] {
  return limits.flatMap(({ measurement, min, max, proposed }) => {
    const [least, most] = [
      min !== undefined || proposed === 'min' || proposed === 'both',
      max !== undefined || proposed === 'max' || proposed === 'both',
    ];
    return least || most
      ? [{ measurement, side: least && most ? 'both' : least ? 'min' : 'max' }]
      : [];
  });
}

/** Own limits one step further on their safe side. */
export function widenedLimits(
  view: FitView,
  limits: readonly BoxLimit[],
  unit: ShownUnit,
): readonly BoxLimit[] {
  return limits.map(({ measurement, min, max }) => {
    const own = limitUnit(view, measurement, unit);
    return {
      measurement,
      ...(min === undefined ? {} : { min: amountSafely(min - 0.01, 'down', own) }),
      ...(max === undefined ? {} : { max: amountSafely(max + 0.01, 'up', own) }),
    };
  });
}

/** The unit of a limit: that of the lengths, or the one of its mass. */
function limitUnit(view: FitView, measurement: string, unit: ShownUnit): AmountUnit {
  return isMass(measurement) ? unitIn(view, measurement) : unit;
}

/** The own limits for the people inside the ranges, rounded to the safe side. */
export function proposedLimits(
  view: FitView,
  ranges: readonly OwnRange[],
  unit: ShownUnit,
): readonly BoxLimit[] {
  return ranges.map(({ measurement, min, max }) => {
    const own = limitUnit(view, measurement, unit);
    return {
      measurement,
      ...(min === undefined ? {} : { min: amountSafely(min, 'down', own) }),
      ...(max === undefined ? {} : { max: amountSafely(max, 'up', own) }),
    };
  });
}

/** The view with the sizes and limits of a design where it has none of its own. */
export function withDesign(view: FitView, design: Design | undefined): FitView {
  if (view.product !== OWN_ID) {
    return { ...view, sizesMm: { ...design?.sizesMm, ...view.sizesMm } };
  }
  const limits = view.limits.map(({ measurement, min, max, proposed }) => {
    const found = design?.limits.find((one) => one.measurement === measurement);
    const isFound = found !== undefined;
    return {
      measurement,
      min: min ?? (proposed === 'min' || proposed === 'both' ? found?.min : undefined),
      max: max ?? (proposed === 'max' || proposed === 'both' ? found?.max : undefined),
      ...(isFound || proposed === undefined ? {} : { proposed }),
    };
  });
  return { ...view, limits };
}

/** The people to whom a design must suit, with the sizes that each needs; null for one whom nobody can describe. */
type Suited = readonly (Pick<NonNullable<FitData['known'][number]>, 'sizes'> | null)[];

/** The range of a size that suits all of these people. No size does if its least value is above its largest. */
export function suitsAll(people: Suited, size: string): SizeRange {
  const ranges = people.flatMap((one) => one?.sizes.find(({ id }) => id === size) ?? []);
  const least = ranges.flatMap(({ leastMm }) => leastMm ?? []);
  const most = ranges.flatMap(({ mostMm }) => mostMm ?? []);
  return {
    leastMm: least.length === 0 ? undefined : Math.max(...least),
    mostMm: most.length === 0 ? undefined : Math.min(...most),
  };
}

/**
 * The view with the sizes that its picture shows. Where the visitor has set none, they are those that suit all known
 * people, or their compromise, because the answer for these people stands first.
 */
export function drawnView(
  view: FitView,
  { design, known }: { readonly design?: Design | undefined; readonly known: Suited },
): FitView {
  const full = withDesign(view, design);
  if (productById(view.product) === undefined || !isProposed(view)) return full;
  const suited = Object.entries(full.sizesMm).map(([id, mm]) => {
    const { leastMm = 0, mostMm = Number.POSITIVE_INFINITY } = suitsAll(known, id);
    const inside = Math.max(leastMm, Math.min(mm, mostMm));
    const best = leastMm > mostMm ? (leastMm + mostMm) / 2 : inside;
    return [id, amountSafely(best, best === leastMm ? 'up' : 'down', unitIn(view, ''))];
  });
  return { ...full, sizesMm: Object.fromEntries(suited) };
}

/** Whether the view leaves all its sizes or limits to the proposal. */
export function isProposed(view: FitView): boolean {
  return productById(view.product) === undefined
    ? view.limits.every(({ min, max }) => min === undefined && max === undefined)
    : Object.keys(view.sizesMm).length === 0;
}

/** The change of a view that leaves all its sizes or limits to the proposal. */
export function asProposed(view: FitView): Partial<FitView> {
  if (productById(view.product) !== undefined) return { sizesMm: {} };
  return {
    limits: view.limits.map(({ measurement, min, max, proposed }) => ({
      measurement,
      proposed:
        proposed ?? (min === undefined ? 'max' : max === undefined ? 'min' : ('both' as const)),
    })),
  };
}

/** Sentences about sizes that no such product can have, by size. */
export function sizeFaults(
  view: FitView,
  text: (valueMm: number) => string,
): ReadonlyMap<string, string> {
  const faults = new Map<string, string>();
  const product = productById(view.product);
  const labelOf = (id: string) => product?.sizes.find((one) => one.id === id)?.label ?? id;
  for (const { id, label, min, max } of product?.sizes ?? []) {
    const mm = view.sizesMm[id];
    if (mm === undefined || (mm >= min && mm <= max)) continue;
    faults.set(id, `${label} must be from ${text(min)} to ${text(max)}.`);
  }
  for (const { upper, lower, plus, why } of product?.couplings ?? []) {
    const [high, low] = [view.sizesMm[upper], view.sizesMm[lower]];
    // A size outside its own range has that fault alone.
    if (faults.has(lower) || high === undefined || low === undefined || high >= low + plus) {
      continue;
    }
    const more = plus === 0 ? '' : ` less ${text(plus)}`;
    const upperText = `${labelOf(upper).toLowerCase()} (${text(high)})`;
    faults.set(lower, `${labelOf(lower)} must be at most the ${upperText}${more}: ${why}.`);
  }
  return faults;
}

/** One end of a design: a size of a product in mm, or an end of a limit in the unit of `BoxLimit`. */
export interface Bound {
  /** Unique in the view. */
  readonly id: string;
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  /** The unit in which the page shows the value. */
  readonly unit: AmountUnit;
  /** Rules that the size must meet. */
  readonly rules: readonly EndRule[];
}

/** The bounds of a view, in the order of its product. A size that nobody knows yet is none. */
export function boundsOf(view: FitView): readonly Bound[] {
  if (view.product !== OWN_ID) {
    const rules = rulesOf(view);
    const product = productById(view.product);
    return (product?.sizes ?? []).flatMap((size) => {
      const value = view.sizesMm[size.id];
      if (value === undefined) return [];
      return [
        {
          ...{ ...size, ...endsOf(size, product?.couplings ?? [], view), value },
          unit: unitIn(view, ''),
          rules: rules.filter((rule) => rule.size === size.id),
        },
      ];
    });
  }
  return view.limits.flatMap(({ measurement, min, max }, index) => {
    const end = (kind: 'reach' | 'room', label: string, value: number | undefined): Bound[] => {
      if (value === undefined) return [];
      const rule = {
        size: `${index}-${kind}`,
        kind,
        measurement,
        clearanceMm: 0,
        words: '',
        basis: '',
      };
      const id = `${index}-${kind}`;
      const name = `${label} ${inWords(measurement).toLowerCase()}`;
      const range = { ...limitRange(measurement), unit: unitIn(view, measurement) };
      return [{ id, label: name, value, ...range, rules: [rule as EndRule] }];
    };
    return [...end('reach', 'Least', min), ...end('room', 'Largest', max)];
  });
}

/** The range of a size that remains when the other sizes of the product are given. */
function endsOf(
  { id, min: least, max: most }: ProductSize,
  couplings: readonly Coupling[],
  { sizesMm }: FitView,
): Pick<Bound, 'min' | 'max'> {
  const below = couplings
    .filter(({ upper }) => upper === id)
    .map(({ lower, plus }) => (sizesMm[lower] ?? least) + plus);
  const above = couplings
    .filter(({ lower }) => lower === id)
    .map(({ upper, plus }) => (sizesMm[upper] ?? most) - plus);
  return { min: Math.max(least, ...below), max: Math.min(most, ...above) };
}

/** The change of a view that sets a bound to a value. */
export function withBound(view: FitView, id: string, value: number): Partial<FitView> {
  if (view.product !== OWN_ID) return { sizesMm: { ...view.sizesMm, [id]: value } };
  const [index, kind] = id.split('-');
  const change = kind === 'reach' ? { min: value } : { max: value };
  return {
    limits: view.limits.map((limit, i) => (String(i) === index ? { ...limit, ...change } : limit)),
  };
}

/** The size that people of a population need by one rule. */
interface Need {
  readonly rule: EndRule;
  /** Sizes in mm that people at `FIT_PERCENTILES` need. */
  readonly valuesMm: readonly number[];
}

/** The needs of a population for a bound; empty if the API refuses the population. */
export function needsOf({ rules }: Bound, { curves = [] }: FitPopulation): readonly Need[] {
  return rules.flatMap((rule) => {
    const curve = curves.find(({ measurement }) => measurement === rule.measurement);
    if (curve === undefined) return [];
    return [
      { rule, valuesMm: curve.valuesMm.map((mm) => mm * (rule.factor ?? 1) + rule.clearanceMm) },
    ];
  });
}

/** The need at a percentile of `FIT_PERCENTILES`, mm. */
export function needAt({ valuesMm }: Need, percentile: (typeof FIT_PERCENTILES)[number]): number {
  return valuesMm[FIT_PERCENTILES.indexOf(percentile)] ?? Number.NaN;
}

/** Whether a size satisfies a need under a rule. Both are in mm. */
export function serves(rule: EndRule, sizeMm: number, needMm: number): boolean {
  return rule.kind === 'room' ? sizeMm >= needMm : sizeMm <= needMm;
}
