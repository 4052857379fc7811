import { type AmountUnit, unitIn } from '../../site/amounts.js';
import { inWords } from '../../site/labels.js';
import { FIT_PERCENTILES, type FitView, limitRange, rulesOf } from './address.js';
import type { ExactRanges, FitData, FitPopulation, SizeRange } from './data-types.js';
import {
  type Coupling,
  OWN_ID,
  type ProductRule,
  type ProductSize,
  productById,
} from './products.js';
import { sizeRange } from './proposal.js';

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
  readonly rules: readonly ProductRule[];
}

/** The bounds of a view, in the order of its product. */
export function boundsOf(view: FitView): readonly Bound[] {
  if (view.product !== OWN_ID) {
    const rules = rulesOf(view);
    const product = productById(view.product);
    return (product?.sizes ?? []).map((size) => ({
      ...size,
      ...endsOf(size, product?.couplings ?? [], view),
      value: view.sizesMm[size.id] ?? size.defaultMm,
      unit: unitIn(view, ''),
      rules: rules.filter((rule) => rule.size === size.id),
    }));
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
      return [{ id, label: name, value, ...range, rules: [rule as ProductRule] }];
    };
    return [...end('reach', 'Least', min), ...end('room', 'Largest', max)];
  });
}

/** The range of a size that remains when the other sizes of the product are given. */
function endsOf(
  { id, minMm, maxMm }: ProductSize,
  couplings: readonly Coupling[],
  { sizesMm }: FitView,
): Pick<Bound, 'min' | 'max'> {
  const below = couplings
    .filter(({ upper }) => upper === id)
    .map(({ lower, plusMm }) => (sizesMm[lower] ?? minMm) + plusMm);
  const above = couplings
    .filter(({ lower }) => lower === id)
    .map(({ upper, plusMm }) => (sizesMm[upper] ?? maxMm) - plusMm);
  return { min: Math.max(minMm, ...below), max: Math.min(maxMm, ...above) };
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
export interface Need {
  readonly rule: ProductRule;
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
export function serves(rule: ProductRule, sizeMm: number, needMm: number): boolean {
  return rule.kind === 'room' ? sizeMm >= needMm : sizeMm <= needMm;
}

/** The range of a bound for the wanted share of the people, from `design_ranges`, before rounding. */
export interface Advice extends SizeRange {
  readonly id: string;
  readonly label: string;
}

/** The ranges of all bounds for the wanted share of the people. */
export function adviceOf(view: FitView, { ranges }: Pick<FitData, 'ranges'>): readonly Advice[] {
  if (ranges === undefined) return [];
  return boundsOf(view).map(({ id, label, rules }) => ({
    ...{ id, label },
    ...(view.product === OWN_ID ? ownRange(rules, ranges) : sizeRange(rules, ranges.answer.ranges)),
  }));
}

/** Own limits exclude people below the minimum and above the maximum. The ranges do the same. */
function ownRange(rules: readonly ProductRule[], { answer }: ExactRanges): SizeRange {
  const range = answer.ranges.find(({ measurement }) => measurement === rules[0]?.measurement);
  return rules[0]?.kind === 'room' ? { leastMm: range?.max } : { mostMm: range?.min };
}
