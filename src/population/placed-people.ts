/** Rounding error of sums of weights. A smaller difference does not count as more people. */
export const ROUNDING = 1e-12;

/** People for whom sizes are placed. */
export interface PlacedPeople {
  /** Positions in widths of a box. Each dimension has an array with one number for each person. */
  readonly columns: readonly Float64Array[];
  /** Share of the population that each person represents. The shares sum to 1. */
  readonly weights: Float64Array;
}

/** One dimension, with the people in ascending order of their positions. */
export interface Ranking {
  /** Person of each rank. */
  readonly order: Int32Array;
  /** Rank of each person. */
  readonly ranks: Int32Array;
  /** Place at each rank. */
  readonly places: Float64Array;
}

/** People for whom sizes are placed, in order along each dimension. */
export interface RankedPeople extends PlacedPeople {
  readonly rankings: readonly Ranking[];
  /** The weight of each person, if all weights are equal. */
  readonly each?: number;
}

/** Sorts people along each dimension. */
export function rankedPeople({ columns, weights }: PlacedPeople): RankedPeople {
  const rankings = columns.map((column): Ranking => {
    const order = Int32Array.from(column.keys()).sort((a, b) => column[a] - column[b]);
    const ranks = new Int32Array(order.length);
    order.forEach((person, rank) => {
      ranks[person] = rank;
    });
    return { order, ranks, places: Float64Array.from(order, (i) => column[i]) };
  });
  const [each] = weights;
  const areAlike = weights.every((weight) => weight === each);
  return { columns, weights, rankings, ...(areAlike && each !== undefined ? { each } : {}) };
}

/** A set of people as bits. */
export function noPeople({ weights }: PlacedPeople): Int32Array {
  return new Int32Array(Math.ceil(weights.length / WORD_BITS));
}

/**
 * Adds or subtracts the weights of the people in a set, one after the other. A fixed order is needed because a sum of
 * floating-point numbers depends on it.
 *
 * @param order person of each bit; by default, person i has bit i
 */
export function withWeights(
  start: number,
  sign: 1 | -1,
  { weights, each }: RankedPeople,
  set: Int32Array,
  order?: Int32Array,
): number {
  let sum = start;
  if (each !== undefined) {
    let count = 0;
    for (let word = 0; word < set.length; word++) count += bitCount(set[word]);
    return sum + sign * count * each;
  }
  for (let word = 0; word < set.length; word++) {
    for (let bits = set[word]; bits !== 0; bits &= bits - 1) {
      const bit = WORD_BITS * word + lowestBit(bits);
      sum += sign * weights[order === undefined ? bit : order[bit]];
    }
  }
  return sum;
}

/**
 * The window of a given width over the first sorted positions that contains the most weight: its first and last
 * position.
 */
export function fullestWindow(
  places: Float64Array,
  weights: Float64Array,
  length: number,
  width: number,
): { most: number; from: number; to: number } {
  let most = 0;
  let from = 0;
  let to = 0;
  let first = 0;
  let inside = 0;
  for (let last = 0; last < length; last++) {
    const place = places[last];
    inside += weights[last];
    while (place - places[first] > width) inside -= weights[first++];
    if (inside <= most + ROUNDING) continue;
    most = inside;
    from = places[first];
    to = place;
  }
  return { most, from, to };
}

/** Bits of a number in a set of bits. */
export const WORD_BITS = 32;

/** Number of bits that are set (Warren 2013, Hacker's Delight, figure 5-2). */
function bitCount(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Position of the lowest bit that is set, 0 to 31. */
export function lowestBit(word: number): number {
  return WORD_BITS - 1 - Math.clz32(word & -word);
}
