import { roundedSafely } from '../core/safe-rounding.js';
import type { Unit } from '../core/units.js';
import { type JointShare, type KeptPeople, type Limit, shareWithin } from '../population/limits.js';
import type { Profiles } from '../population/people-model.js';
import { designRanges, type RangeDimension } from '../population/ranges.js';
import type { Coupling, EndRule, ProductSize } from '../products/index.js';

// From the people to the sizes of a product, and back to the share that they fit.

/** A rule for one end of a size, with the index of its measurement. */
export interface DesignRule extends EndRule {
  readonly quantity: number;
}

/** Values of the sizes in mm, by id. */
export type Sizes = Readonly<Record<string, number>>;

/** A range of a measurement or of a size, mm. */
export interface Range {
  readonly atLeast?: number | undefined;
  readonly atMost?: number | undefined;
}

/** Ranges of the measurements, by quantity. */
type Ranges = ReadonlyMap<number, Range>;

/** Maximum number of times that sizes are widened because ranges have a numerical error. */
const WIDENED_MAX = 3;
/** Maximum number of times that the ranges of several groups are narrowed, and the permitted excess of the share. */
const NARROWED_MAX = 5;
const EXCESS = 0.005;
/** Minimum share for which ranges are computed. */
const LEAST_SHARE = 0.5;
/** Largest number of values of one size that are proposed together. */
const SEVERAL_MAX = 10;

/** The choices that decide the sizes of a product. */
export interface DesignParts {
  readonly sizes: readonly ProductSize[];
  readonly rules: readonly DesignRule[];
  readonly couplings: readonly Coupling[];
  /** Sizes that the request gives, mm. */
  readonly given: Sizes;
  readonly unit: Unit;
  readonly profiles: Profiles;
  /** All people, and those of each group that gets the wanted share of its own. */
  readonly people: KeptPeople;
  readonly parts: readonly KeptPeople[];
  /** Share of the people to design for, 0 to 1. */
  readonly share: number;
}

/** The sizes for a share of people. */
export interface Design {
  readonly sizes: Sizes;
  /** The value of each size that serves the wanted share, before rounding. */
  readonly ranges: ReadonlyMap<string, Range>;
  readonly fit: JointShare;
  /** Several values of a size that serve the share together, if one does not. */
  readonly several?: {
    readonly size: string;
    readonly values: readonly number[];
    readonly share: number;
  };
}

/** The sizes of a product for the wanted share; those that the request gives stay. */
export function designOf(parts: DesignParts): Design {
  const ranges = rangesOf(parts);
  const needs = new Map(
    parts.sizes.map(({ id }) => [id, needOf(parts.rules, id, (quantity) => ranges.get(quantity))]),
  );
  let sizes = proposed(parts, needs);
  for (let widened = 0; ; widened++) {
    const fits = parts.parts.map((people) => shareOf(people, parts, sizes));
    const isEnough = fits.every(({ share }) => share >= parts.share);
    if (isEnough || widened === WIDENED_MAX || Object.keys(parts.given).length > 0) {
      const fit = parts.parts.length === 1 ? fits[0] : shareOf(parts.people, parts, sizes);
      const several = isEnough ? undefined : severalValues(parts, ranges, sizes);
      return {
        ...{ sizes, ranges: needs, fit: fit as JointShare },
        ...(several === undefined ? {} : { several }),
      };
    }
    sizes = wider(parts, sizes);
  }
}

/** The sides of each measurement that the rules limit. */
function dimensionsOf({ rules, profiles }: DesignParts): readonly RangeDimension[] {
  const sides = new Map<number, Set<'min' | 'max'>>();
  for (const { quantity, kind } of rules) {
    sides.set(quantity, (sides.get(quantity) ?? new Set()).add(kind === 'room' ? 'max' : 'min'));
  }
  return [...sides].map(([quantity, both]) => ({
    ...{ quantity, profiles },
    side: both.size === 2 ? 'both' : ([...both][0] as 'min' | 'max'),
  }));
}

/**
 * Ranges that serve just the wanted share: of all people, or of each group. The ranges of several groups together are
 * wider than those of each, so each is asked for less until its share in the ranges of all is the wanted one.
 */
function rangesOf(parts: DesignParts): Ranges {
  const dimensions = dimensionsOf(parts);
  const find = (shares: readonly number[]): Ranges => {
    const all = parts.parts.map(
      (people, p) => designRanges(people, dimensions, shares[p] as number).limits,
    );
    return new Map(
      dimensions.map(({ quantity, side }, d) => {
        const limits = all.map((one) => one[d] as Limit);
        return [
          quantity,
          {
            ...(side === 'max' ? {} : { atLeast: Math.min(...limits.map(({ min }) => min)) }),
            ...(side === 'min' ? {} : { atMost: Math.max(...limits.map(({ max }) => max)) }),
          },
        ];
      }),
    );
  };
  const asked = parts.parts.map(() => parts.share);
  let next = find(asked);
  if (parts.parts.length === 1) return next;
  let [best, leastExcess] = [next, Number.POSITIVE_INFINITY];
  for (let step = 0; ; step++) {
    const ranges = next;
    const sizes = proposed(
      { ...parts, given: {} },
      new Map(parts.sizes.map(({ id }) => [id, needOf(parts.rules, id, (one) => ranges.get(one))])),
    );
    const excess = parts.parts.map((people) => shareOf(people, parts, sizes).share - parts.share);
    const most = Math.max(...excess);
    if (Math.min(...excess) >= 0 && most < leastExcess) [best, leastExcess] = [next, most];
    if (leastExcess <= EXCESS || step === NARROWED_MAX) return best;
    for (const [p, more] of excess.entries()) {
      // Most groups reach one end of the ranges only, where half of what is taken off is lost.
      const less = (asked[p] as number) - 1.5 * (more - EXCESS / 2);
      asked[p] = Math.min(parts.share, Math.max(LEAST_SHARE, less));
    }
    next = find(asked);
  }
}

/** The size that its rules require for one person, or for the people inside ranges; before rounding, mm. */
export function needOf(
  rules: readonly DesignRule[],
  size: string,
  rangeOf: (quantity: number) => Range | undefined,
): Range {
  const needs = (kind: EndRule['kind']) =>
    rules
      .filter((rule) => rule.size === size && rule.kind === kind)
      .flatMap(({ quantity, factor, clearanceMm }) => {
        const range = rangeOf(quantity);
        const mm = kind === 'room' ? range?.atMost : range?.atLeast;
        return mm === undefined ? [] : [mm * factor + clearanceMm];
      });
  const [room, reach] = [needs('room'), needs('reach')];
  return {
    ...(room.length === 0 ? {} : { atLeast: Math.max(...room) }),
    ...(reach.length === 0 ? {} : { atMost: Math.min(...reach) }),
  };
}

/** The sizes inside their ranges, rounded to the safe side. */
function proposed(parts: DesignParts, needs: ReadonlyMap<string, Range>): Sizes {
  const { sizes, given, unit } = parts;
  const values: Record<string, number> = {};
  for (const { id, min, max } of sizes) {
    const safe = safeSize(needs.get(id) ?? {}, unit);
    values[id] = given[id] ?? Math.min(max, Math.max(min, safe));
  }
  keepCouplings(parts, values);
  return values;
}

/** A size inside a range. If the range is empty, its middle, which serves fewer people than wanted. */
function safeSize({ atLeast, atMost }: Range, unit: Unit): number {
  if (atLeast === undefined) return roundedSafely(atMost ?? Number.NaN, 'down', unit);
  if (atMost === undefined) return roundedSafely(atLeast, 'up', unit);
  const most = roundedSafely(atMost, 'down', unit);
  return most >= atLeast ? most : roundedSafely((atLeast + atMost) / 2, 'down', unit);
}

/** Enforces couplings: raises a size that may be larger, or sets two conflicting sizes to their middle. */
function keepCouplings(
  { couplings, rules, given, unit }: DesignParts,
  values: Record<string, number>,
): void {
  const onlyRoom = (size: string) =>
    rules.every((rule) => rule.size !== size || rule.kind === 'room');
  for (const { upper, lower, plus } of couplings) {
    const [high, low] = [values[upper] as number, values[lower] as number];
    if (high >= low + plus) continue;
    if (given[upper] !== undefined) values[lower] = roundedSafely(high - plus, 'down', unit);
    else if (given[lower] !== undefined) values[upper] = roundedSafely(low + plus, 'up', unit);
    else if (!onlyRoom(upper)) continue;
    else if (plus > 0 || onlyRoom(lower)) values[upper] = roundedSafely(low + plus, 'up', unit);
    else {
      const middle = roundedSafely((high + low) / 2, 'down', unit);
      values[upper] = Math.max(high, middle);
      values[lower] = values[upper];
    }
  }
}

/** The sizes, each one step further on its safe side. */
function wider({ sizes, rules, unit }: DesignParts, values: Sizes): Sizes {
  return Object.fromEntries(
    sizes.map(({ id, min, max }) => {
      const mm = values[id] as number;
      const kinds = new Set(rules.filter(({ size }) => size === id).map(({ kind }) => kind));
      if (kinds.size > 1) return [id, mm];
      const isRoom = kinds.has('room');
      const next = roundedSafely(isRoom ? mm + 0.01 : mm - 0.01, isRoom ? 'up' : 'down', unit);
      return [id, Math.min(max, Math.max(min, next))];
    }),
  );
}

/** The measurement of a person who just fits a size under a rule, mm. */
export function userOf({ factor, clearanceMm }: EndRule, sizeMm: number): number {
  return (sizeMm - clearanceMm) / factor;
}

/** The limits on measurements that sizes set, each measurement once. */
export function limitsOf(
  { rules, profiles }: Pick<DesignParts, 'rules' | 'profiles'>,
  sizes: Sizes,
): readonly Limit[] {
  const ends = new Map<number, { min: number; max: number }>();
  for (const rule of rules) {
    const limit = ends.get(rule.quantity) ?? { min: 0, max: Number.POSITIVE_INFINITY };
    const mm = userOf(rule, sizes[rule.size] as number);
    if (rule.kind === 'room') limit.max = Math.min(mm, limit.max);
    else limit.min = Math.max(mm, limit.min);
    ends.set(rule.quantity, limit);
  }
  return [...ends].map(([quantity, limit]) => ({ quantity, ...limit, profiles }));
}

/** The share of people who fit sizes. */
export function shareOf(
  people: KeptPeople,
  parts: Pick<DesignParts, 'rules' | 'profiles'>,
  sizes: Sizes,
): JointShare {
  return shareWithin(people, limitsOf(parts, sizes));
}

/**
 * The values of a size with a least and a largest user, such as a seat depth, that serve a range together. Each begins
 * where the one before ends. Undefined if one value is enough.
 */
function severalValues(parts: DesignParts, ranges: Ranges, sizes: Sizes): Design['several'] {
  const { rules, unit } = parts;
  for (const { id } of parts.sizes) {
    const [reach, room] = (['reach', 'room'] as const).map((kind) =>
      rules.find((rule) => rule.size === id && rule.kind === kind),
    );
    if (reach === undefined || room?.quantity !== reach.quantity) continue;
    const { atLeast, atMost } = ranges.get(reach.quantity) ?? {};
    if (atLeast === undefined || atMost === undefined) continue;
    const values: number[] = [];
    let from = atLeast;
    while (from < atMost && values.length < SEVERAL_MAX) {
      const mm = roundedSafely(from * reach.factor + reach.clearanceMm, 'down', unit);
      values.push(mm);
      from = userOf(room, mm);
    }
    if (from < atMost || values.length < 2) continue;
    const limits = limitsOf(parts, sizes).map((limit) =>
      limit.quantity === reach.quantity
        ? { ...limit, min: userOf(reach, values[0] as number), max: from }
        : limit,
    );
    return { size: id, values, share: shareWithin(parts.people, limits).share };
  }
  return undefined;
}
