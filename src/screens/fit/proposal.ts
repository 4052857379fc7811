import type { Coupling, EndRule, ProductSize } from '../../products/index.js';
import { type AmountUnit, amountSafely, isMass, unitIn } from '../../site/amounts.js';
import { inWords } from '../../site/labels.js';
import { roundedSafely, type ShownUnit } from '../../site/lengths.js';
import { type BoxLimit, FIT_PERCENTILES, type FitView, limitRange, rulesOf } from './address.js';
import type { Design, ExactRanges, FitData, FitPopulation, SizeRange } from './data-types.js';
import { type FitProduct, OWN_ID, productById } from './products.js';

/** A dimension that a view limits, in the form of `design_ranges`. */
export interface RangeDimension {
  readonly measurement: string;
  readonly side: 'min' | 'max' | 'both';
}

/** The dimensions that the view limits, each once. */
export function dimensionsOf(view: FitView): readonly RangeDimension[] {
  const sides = new Map<string, Set<'min' | 'max'>>();
  const add = (measurement: string, side: 'min' | 'max') =>
    sides.set(measurement, (sides.get(measurement) ?? new Set()).add(side));
  for (const { measurement, kind } of rulesOf(view))
    add(measurement, kind === 'room' ? 'max' : 'min');
  if (productById(view.product) === undefined) {
    for (const { measurement, min, max, proposed } of view.limits) {
      if (min !== undefined || proposed === 'min' || proposed === 'both') add(measurement, 'min');
      if (max !== undefined || proposed === 'max' || proposed === 'both') add(measurement, 'max');
    }
  }
  return [...sides].map(([measurement, both]) => ({
    measurement,
    side: both.size === 2 ? 'both' : ([...both][0] as 'min' | 'max'),
  }));
}

/** The range of a size for the people inside the ranges, before rounding. */
export function sizeRange(
  rules: readonly EndRule[],
  ranges: ExactRanges['answer']['ranges'],
): SizeRange {
  const ends = (kind: EndRule['kind']) =>
    rules
      .filter((rule) => rule.kind === kind)
      .flatMap(({ measurement, clearanceMm, factor = 1 }) => {
        const range = ranges.find((one) => one.measurement === measurement);
        const mm = kind === 'room' ? range?.max : range?.min;
        return mm === undefined ? [] : [mm * factor + clearanceMm];
      });
  const [room, reach] = [ends('room'), ends('reach')];
  return {
    ...(room.length === 0 ? {} : { leastMm: Math.max(...room) }),
    ...(reach.length === 0 ? {} : { mostMm: Math.min(...reach) }),
  };
}

/** The sizes or limits for the people inside the ranges, rounded to the safe side. */
export function proposedDesign(
  view: FitView,
  ranges: ExactRanges['answer']['ranges'],
  unit: ShownUnit,
): Design {
  const product = productById(view.product);
  if (product === undefined) return { sizesMm: {}, limits: proposedLimits(view, ranges, unit) };
  const rules = rulesOf(view);
  const sizesMm: Record<string, number> = {};
  for (const size of product.sizes) {
    const range = sizeRange(
      rules.filter((rule) => rule.size === size.id),
      ranges,
    );
    sizesMm[size.id] = Math.min(size.max, Math.max(size.min, safeSize(range, unit)));
  }
  keepCouplings(product, rules, sizesMm, unit);
  return { sizesMm, limits: [] };
}

/** A size inside a range. If the range is empty, its middle, which serves fewer people than wanted. */
function safeSize({ leastMm, mostMm }: SizeRange, unit: ShownUnit): number {
  if (leastMm === undefined) return roundedSafely(mostMm ?? Number.NaN, 'down', unit);
  if (mostMm === undefined) return roundedSafely(leastMm, 'up', unit);
  const most = roundedSafely(mostMm, 'down', unit);
  return most >= leastMm ? most : roundedSafely((leastMm + mostMm) / 2, 'down', unit);
}

/** Enforces couplings: raises a size that may be larger, or sets two conflicting sizes to their middle. */
function keepCouplings(
  { couplings = [] }: FitProduct,
  rules: readonly EndRule[],
  sizesMm: Record<string, number>,
  unit: ShownUnit,
): void {
  const onlyRoom = (size: string) =>
    rules.every((rule) => rule.size !== size || rule.kind === 'room');
  for (const { upper, lower, plus } of couplings) {
    const [high, low] = [sizesMm[upper] as number, sizesMm[lower] as number];
    if (high >= low + plus || !onlyRoom(upper)) continue;
    if (plus > 0 || onlyRoom(lower)) {
      sizesMm[upper] = roundedSafely(low + plus, 'up', unit);
    } else {
      const middle = roundedSafely((high + low) / 2, 'down', unit);
      sizesMm[upper] = Math.max(high, middle);
      sizesMm[lower] = sizesMm[upper];
    }
  }
}

/** The design with every size one step further on its safe side. */
export function widenedDesign(view: FitView, design: Design, unit: ShownUnit): Design {
  const product = productById(view.product);
  if (product === undefined) {
    const limits = design.limits.map(({ measurement, min, max }) => {
      const own = limitUnit(view, measurement, unit);
      return {
        measurement,
        ...(min === undefined ? {} : { min: amountSafely(min - 0.01, 'down', own) }),
        ...(max === undefined ? {} : { max: amountSafely(max + 0.01, 'up', own) }),
      };
    });
    return { ...design, limits };
  }
  const wider = (mm: number, side: 'down' | 'up') =>
    roundedSafely(side === 'up' ? mm + 0.01 : mm - 0.01, side, unit);
  const rules = rulesOf(view);
  const sizesMm = Object.fromEntries(
    product.sizes.map(({ id }) => {
      const mm = design.sizesMm[id] as number;
      const kinds = new Set(rules.filter(({ size }) => size === id).map(({ kind }) => kind));
      if (kinds.size > 1) return [id, mm];
      return [id, wider(mm, kinds.has('room') ? 'up' : 'down')];
    }),
  );
  return { ...design, sizesMm };
}

/** Largest number of sizes that is proposed. */
const SEVERAL_MAX = 10;

/** Several values of one size of a product. */
export interface SeveralSizes {
  /** Label of the size. */
  readonly label: string;
  readonly valuesMm: readonly number[];
  /** The people whom the values serve together. */
  readonly limit: BoxLimit;
}

/**
 * The values of a size with a least and a largest user, such as a seat depth, that serve a range together. Each begins
 * where the one before ends. Undefined if one value is enough.
 */
export function severalSizes(
  view: FitView,
  ranges: ExactRanges['answer']['ranges'],
  unit: ShownUnit,
): SeveralSizes | undefined {
  const rules = rulesOf(view);
  for (const { id, label } of productById(view.product)?.sizes ?? []) {
    const reach = rules.find(({ size, kind }) => size === id && kind === 'reach');
    const room = rules.find(({ size, kind }) => size === id && kind === 'room');
    const range = ranges.find(({ measurement }) => measurement === reach?.measurement);
    if (reach === undefined || room?.measurement !== reach.measurement) continue;
    if (range?.min === undefined || range.max === undefined) continue;
    const userOf = (mm: number, rule: EndRule) => (mm - rule.clearanceMm) / (rule.factor ?? 1);
    const valuesMm: number[] = [];
    let from = range.min;
    while (from < range.max && valuesMm.length < SEVERAL_MAX) {
      const mm = roundedSafely(from * (reach.factor ?? 1) + reach.clearanceMm, 'down', unit);
      valuesMm.push(mm);
      from = userOf(mm, room);
    }
    if (from < range.max || valuesMm.length < 2) continue;
    const min = userOf(valuesMm[0] as number, reach);
    return { label, valuesMm, limit: { measurement: reach.measurement, min, max: from } };
  }
  return undefined;
}

/** The unit of a limit: that of the lengths, or the one of its mass. */
function limitUnit(view: FitView, measurement: string, unit: ShownUnit): AmountUnit {
  return isMass(measurement) ? unitIn(view, measurement) : unit;
}

function proposedLimits(
  view: FitView,
  ranges: ExactRanges['answer']['ranges'],
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

/** The view with all sizes and limits. The proposal supplies those that the view lacks. */
export function withDesign(view: FitView, design: Design | undefined): FitView {
  const product = productById(view.product);
  if (product !== undefined) {
    const sizesMm = Object.fromEntries(
      product.sizes.map(({ id, usual }) => [id, view.sizesMm[id] ?? design?.sizesMm[id] ?? usual]),
    );
    return { ...view, sizesMm };
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

/** The bounds of a view, in the order of its product. */
export function boundsOf(view: FitView): readonly Bound[] {
  if (view.product !== OWN_ID) {
    const rules = rulesOf(view);
    const product = productById(view.product);
    return (product?.sizes ?? []).map((size) => ({
      ...size,
      ...endsOf(size, product?.couplings ?? [], view),
      value: view.sizesMm[size.id] ?? size.usual,
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

/** The range of a bound for the wanted share of the people, from `design_ranges`, before rounding. */
interface Advice extends SizeRange {
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
function ownRange(rules: readonly EndRule[], { answer }: ExactRanges): SizeRange {
  const range = answer.ranges.find(({ measurement }) => measurement === rules[0]?.measurement);
  return rules[0]?.kind === 'room' ? { leastMm: range?.max } : { mostMm: range?.min };
}
