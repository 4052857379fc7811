import type { Dress } from './bodies.js';
import { type LatticeSource, latticePeople } from './lattice-people.js';
import { placeSizes } from './place-sizes.js';

/** A measurement of a size chart. */
export interface SizeDimension {
  readonly quantity: number;
  /** Full width that one size serves, in mm, kg/m² or kg. */
  readonly tolerance: number;
}

/** One size: a box around a centre. */
export interface Size {
  /** Centre in each dimension, in mm, kg/m² or kg. */
  readonly centre: readonly number[];
  /** Share of the people whom this size serves best, 0 to 1. */
  readonly share: number;
}

/** A size chart with its shares of the people, 0 to 1. */
export interface SizeChart {
  /** In rising order of the first dimension. */
  readonly sizes: readonly Size[];
  readonly shareServed: number;
  /** Half width of the 95 % interval of `shareServed`. */
  readonly error: number;
  /** Share of the people who are inside the overall range of every dimension, but in no size. */
  readonly betweenSizes: number;
}

/** People for whom the sizes are placed, and the seed of their lattice. */
const [PLACING_PEOPLE, PLACING_SEED] = [4096, 30_011];
/** Independent lattices that judge the sizes, and people of each. */
const [JUDGES, JUDGE_PEOPLE] = [8, 8192];
const JUDGE_SEED = 50_021;
/** 97.5th percentile of Student's t with 7 degrees of freedom (Abramowitz and Stegun 1964, 26.7). */
const T_QUANTILE = 2.365;

/**
 * Sizes that serve most people of a population, and their shares among people other than those for whom
 * they were placed. A person whom several sizes serve has the one with the nearest centre, distances
 * being measured in tolerances.
 *
 * @throws Error for a quantity without a model in a cohort
 */
export function sizeChart(
  source: LatticeSource,
  dimensions: readonly SizeDimension[],
  dress: Dress,
  count: number,
): SizeChart {
  const quantities = dimensions.map(({ quantity }) => quantity);
  /** People of a lattice, measured in tolerances; [person][dimension]. */
  const draw = (wanted: number, seed: number): Float64Array => {
    const people = latticePeople(source, quantities, dress, wanted, seed);
    const k = dimensions.length;
    const rows = new Float64Array(people.count * k);
    dimensions.forEach(({ tolerance }, d) => {
      const column = people.values[d] as Float64Array;
      for (let i = 0; i < column.length; i++) rows[i * k + d] = (column[i] as number) / tolerance;
    });
    return rows;
  };
  const centres = placeSizes(draw(PLACING_PEOPLE, PLACING_SEED), dimensions.length, count);
  const order = Array.from({ length: count }, (_, s) => s).sort((a, b) => {
    return (centres[a * dimensions.length] as number) - (centres[b * dimensions.length] as number);
  });
  const sorted = Float64Array.from(
    order.flatMap((s) => [...centres.subarray(s * dimensions.length, (s + 1) * dimensions.length)]),
  );
  const judged = Array.from({ length: JUDGES }, (_, j) =>
    judge(draw(JUDGE_PEOPLE, JUDGE_SEED + j), sorted, dimensions.length),
  );
  const mean = (of: (one: Judgement) => number): number =>
    judged.reduce((sum, one) => sum + of(one), 0) / JUDGES;
  const shareServed = mean(({ served }) => served);
  const variance =
    judged.reduce((sum, { served }) => sum + (served - shareServed) ** 2, 0) / (JUDGES - 1);
  return {
    sizes: order.map((_, s) => ({
      centre: dimensions.map(
        ({ tolerance }, d) => (sorted[s * dimensions.length + d] as number) * tolerance,
      ),
      share: mean(({ shares }) => shares[s] as number),
    })),
    shareServed,
    error: T_QUANTILE * Math.sqrt(variance / JUDGES),
    betweenSizes: mean(({ between }) => between),
  };
}

/** Shares of the people of one lattice. */
interface Judgement {
  readonly shares: Float64Array;
  readonly served: number;
  readonly between: number;
}

/**
 * Shares of people in sizes of width 1.
 *
 * @param people [person][dimension]
 * @param centres [size][dimension]
 */
function judge(people: Float64Array, centres: Float64Array, k: number): Judgement {
  const count = people.length / k;
  const shares = new Float64Array(centres.length / k);
  const [low, high] = [
    new Float64Array(k).fill(Number.POSITIVE_INFINITY),
    new Float64Array(k).fill(Number.NEGATIVE_INFINITY),
  ];
  centres.forEach((centre, i) => {
    low[i % k] = Math.min(low[i % k] as number, centre - 0.5);
    high[i % k] = Math.max(high[i % k] as number, centre + 0.5);
  });
  let [served, between] = [0, 0];
  for (let i = 0; i < count; i++) {
    const person = people.subarray(i * k, (i + 1) * k);
    const size = nearestSize(person, centres);
    if (size >= 0) {
      shares[size] = (shares[size] as number) + 1 / count;
      served++;
    } else if (person.every((at, d) => at >= (low[d] as number) && at <= (high[d] as number))) {
      between++;
    }
  }
  return { shares, served: served / count, between: between / count };
}

/** Index of the size with the nearest centre among those that serve a person; −1 if none does. */
function nearestSize(person: Float64Array, centres: Float64Array): number {
  const k = person.length;
  let [nearest, least] = [-1, Number.POSITIVE_INFINITY];
  for (let s = 0; s * k < centres.length; s++) {
    let [square, inside] = [0, true];
    for (let d = 0; d < k && inside; d++) {
      const distance = (person[d] as number) - (centres[s * k + d] as number);
      inside = Math.abs(distance) <= 0.5;
      square += distance * distance;
    }
    if (inside && square < least) [nearest, least] = [s, square];
  }
  return nearest;
}
