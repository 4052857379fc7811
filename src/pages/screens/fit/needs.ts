import { inWords } from '../shared/labels.js';
import { FIT_PERCENTILES, type FitView, rulesOf } from './address.js';
import type { FitData, FitPopulation } from './data-types.js';
import { BOX_ID, type ProductRule, productById } from './products.js';

/** One end of a design: a size of a product, or an end of a limit of a box. */
export interface Bound {
  /** Unique in the view. */
  readonly id: string;
  readonly label: string;
  readonly valueMm: number;
  readonly minMm: number;
  readonly maxMm: number;
  /** Rules that the size must meet. */
  readonly rules: readonly ProductRule[];
}

/** Ends of the range of a box's limit. */
const BOX_RANGE_MM = { minMm: 1, maxMm: 2800 } as const;

/** The bounds of a view, in the order of its product. */
export function boundsOf(view: FitView): readonly Bound[] {
  if (view.product !== BOX_ID) {
    const rules = rulesOf(view);
    return (productById(view.product)?.sizes ?? []).map((size) => ({
      ...size,
      valueMm: view.sizesMm[size.id] ?? size.defaultMm,
      rules: rules.filter((rule) => rule.size === size.id),
    }));
  }
  return view.limits.flatMap(({ measurement, minMm, maxMm }, index) => {
    const end = (kind: 'reach' | 'room', label: string, valueMm: number | undefined): Bound[] => {
      if (valueMm === undefined) return [];
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
      return [{ id, label: name, valueMm, ...BOX_RANGE_MM, rules: [rule as ProductRule] }];
    };
    return [...end('reach', 'Least', minMm), ...end('room', 'Largest', maxMm)];
  });
}

/** The change of a view that gives a bound another value in mm. */
export function withBound(view: FitView, id: string, valueMm: number): Partial<FitView> {
  if (view.product !== BOX_ID) return { sizesMm: { ...view.sizesMm, [id]: valueMm } };
  const [index, kind] = id.split('-');
  const change = kind === 'reach' ? { minMm: valueMm } : { maxMm: valueMm };
  return {
    limits: view.limits.map((limit, i) => (String(i) === index ? { ...limit, ...change } : limit)),
  };
}

/** What people of a population need of a size by one rule. */
export interface Need {
  readonly rule: ProductRule;
  /** Sizes in mm that people at `FIT_PERCENTILES` need. */
  readonly valuesMm: readonly number[];
}

/** The needs of a population for a bound; empty if the population is refused. */
export function needsOf({ rules }: Bound, { curves = [] }: FitPopulation): readonly Need[] {
  return rules.flatMap((rule) => {
    const curve = curves.find(({ measurement }) => measurement === rule.measurement);
    if (curve === undefined) return [];
    return [{ rule, valuesMm: curve.valuesMm.map((mm) => mm + rule.clearanceMm) }];
  });
}

/** The need at a percentile of `FIT_PERCENTILES`, mm. */
export function needAt({ valuesMm }: Need, percentile: (typeof FIT_PERCENTILES)[number]): number {
  return valuesMm[FIT_PERCENTILES.indexOf(percentile)] ?? Number.NaN;
}

/** Whether a size in mm serves a need in mm by a rule. */
export function serves(rule: ProductRule, sizeMm: number, needMm: number): boolean {
  return rule.kind === 'room' ? sizeMm >= needMm : sizeMm <= needMm;
}

/** The size that serves the wanted share of all populations, by bound. */
export interface Advice {
  readonly label: string;
  /** Least size, for rules that need room. */
  readonly leastMm?: number;
  /** Largest size, for rules that need reach. */
  readonly mostMm?: number;
}

/** What each bound must be for the wanted share of the people, from `design_ranges`. */
export function adviceOf(view: FitView, { ranges }: FitData): readonly Advice[] {
  if (ranges === undefined) return [];
  const rangeOf = (name: string) =>
    ranges.answer.ranges.find(({ measurement }) => measurement === name);
  if (view.product === BOX_ID) {
    return ranges.answer.ranges.map(({ measurement, min, max }) => ({
      label: inWords(measurement),
      ...(min === undefined ? {} : { mostMm: min }),
      ...(max === undefined ? {} : { leastMm: max }),
    }));
  }
  return boundsOf(view).map(({ label, rules }) => {
    const ends = (kind: ProductRule['kind']) =>
      rules
        .filter((rule) => rule.kind === kind)
        .map(({ measurement, clearanceMm }) => {
          const range = rangeOf(measurement);
          return ((kind === 'room' ? range?.max : range?.min) ?? Number.NaN) + clearanceMm;
        });
    const [room, reach] = [ends('room'), ends('reach')];
    return {
      label,
      ...(room.length === 0 ? {} : { leastMm: Math.max(...room) }),
      ...(reach.length === 0 ? {} : { mostMm: Math.min(...reach) }),
    };
  });
}
