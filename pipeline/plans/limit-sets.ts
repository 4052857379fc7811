import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { COMPARED_NAMES } from './correlation-plan.js';

/**
 * Quantities that are known in the harder of the two completions. A tape measure and scales are enough for
 * them.
 */
const EIGHT_ANCHORS = [
  ...['Stature', 'BodyMass', 'SittingHeight', 'Span', 'WaistCircumferenceAbdominal'],
  ...['HandLength', 'FootLength', 'HeadGirth'],
] as const;

/** Known quantities from which the other dimensions of a person are completed. */
export const ANCHOR_SETS = {
  eight: EIGHT_ANCHORS,
  two: ['Stature', 'BodyMass'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type AnchorSet = keyof typeof ANCHOR_SETS;

/**
 * Quantities on which persons of both ANSUR surveys are judged: body mass, the dimensions with the same
 * landmarks, and 16 other dimensions that both surveys have.
 */
export const PERSON_NAMES: readonly string[] = [
  'BodyMass',
  ...COMPARED_NAMES,
  ...['AbdominalDepth', 'BackOfElbowToWristLength', 'C7HeightSitting', 'DorsomLength'],
  ...['EarBreadth', 'EarLength', 'EyeScalpDistance', 'FootHeight', 'HorizontalPinchGripReach'],
  ...['KnuckleHeight', 'ShoulderToWristLength', 'SittingShoulderHeight'],
  ...['ThighCircumferenceMidpoint', 'TrunkLength', 'UpperLimbLength', 'VerticalGripReachSitting'],
];

/** The 53 dimensions that are completed; none of them is known. */
export const COMPLETED_NAMES: readonly string[] = PERSON_NAMES.filter(
  (name) => !(EIGHT_ANCHORS as readonly string[]).includes(name),
);

/** Limits on one quantity, as percentiles (0 to 100) of the survey’s own people of a gender. */
export interface PercentileLimit {
  readonly name: string;
  /** undefined for no lower limit. */
  readonly low: number | undefined;
  /** undefined for no upper limit. */
  readonly high: number | undefined;
}

/** Numbers of quantities in a set of limits. */
export const SET_SIZES = [5, 8, 12] as const;
/** Sets of limits of each size. */
export const SETS = 300;
const SET_SEED = 1988;

/** Sides of a range that are limited. */
export type Side = 'both' | 'min' | 'max';

/** Quantities whose ranges are designed, with the sides that are limited. */
export type RangeDesign = readonly { readonly name: string; readonly side: Side }[];

/** Designs of ranges. */
export const DESIGNS = 100;
const DESIGN_SEED = 2012;
const MOST_IN_DESIGN = 12;

/** Seeded random numbers (xoroshiro128+ of pure-rand), the same in every run. */
function seeded(seed: number) {
  const generator = xoroshiro128plus(seed);
  return {
    /** A uniform number, 0 included, 1 excluded. */
    uniform: () => uniformFloat64(generator),
    /** Different names of `PERSON_NAMES`, in random order. */
    names: (count: number) =>
      shuffled(PERSON_NAMES, count, (i, last) => uniformInt(generator, i, last)),
  };
}

/** Uniform random numbers from a seed, 0 included, 1 excluded. */
export const uniformNumbers = (seed: number): (() => number) => seeded(seed).uniform;

/** The first names of a list in random order (Fisher and Yates). `indexFrom` draws an index up to `last`. */
function shuffled(
  names: readonly string[],
  count: number,
  indexFrom: (i: number, last: number) => number,
): string[] {
  const drawn = [...names];
  for (let i = 0; i < count; i++) {
    const j = indexFrom(i, drawn.length - 1);
    [drawn[i], drawn[j]] = [drawn[j] as string, drawn[i] as string];
  }
  return drawn.slice(0, count);
}

/**
 * `count` different names of a list, in random order.
 *
 * @param random uniform random numbers, 0 included, 1 excluded
 */
export const drawNames = (names: readonly string[], count: number, random: () => number) =>
  shuffled(names, count, (i, last) => i + Math.floor(random() * (last + 1 - i)));

/**
 * The random sets of limits of one size. A quantity has a lower limit between P1 and P10 with probability
 * 1/2, and an upper limit between P90 and P99 with probability 0.7. Every run has the same sets.
 *
 * @returns `SETS` sets of `size` quantities each
 */
export function limitSets(size: (typeof SET_SIZES)[number]): PercentileLimit[][] {
  const random = seeded(SET_SEED * size);
  const limit = (name: string): PercentileLimit => {
    const low = random.uniform() < 0.5 ? 1 + 9 * random.uniform() : undefined;
    const high = random.uniform() < 0.7 ? 90 + 9 * random.uniform() : undefined;
    return { name, low, high };
  };
  return Array.from({ length: SETS }, () => random.names(size).map(limit));
}

/** Random designs of ranges with 2 to 12 quantities each. Every run has the same designs. */
export function rangeDesigns(): RangeDesign[] {
  const sides: readonly Side[] = ['both', 'min', 'max'];
  const random = seeded(DESIGN_SEED);
  return Array.from({ length: DESIGNS }, (_, design) =>
    random.names(2 + (design % (MOST_IN_DESIGN - 1))).map((name) => ({
      name,
      side: sides[Math.floor(3 * random.uniform())] as Side,
    })),
  );
}
