import type { Dress } from './bodies.js';
import { meanOf, REPETITIONS } from './box-probability.js';
import { latticePeople } from './lattice-people.js';
import type { KeptPeople } from './limits.js';
import { type PlacedPeople, SizePlacer } from './place-sizes.js';

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
/** People of each of the independent lattices that judge the sizes, and the seed of the first. */
const [JUDGE_PEOPLE, JUDGE_SEED] = [8192, 50_021];

/**
 * Sizes that serve most people of a population, and their shares among people other than those for whom
 * they were placed. A person whom several sizes serve has the one with the nearest centre, distances
 * being measured in tolerances. Charts with other numbers of sizes use the same people, who are drawn
 * once.
 */
export class SizeCharts {
  private readonly placer: SizePlacer;
  private readonly judges: readonly PlacedPeople[];

  /** @throws Error for a quantity without a model in a cohort */
  constructor(
    people: KeptPeople,
    private readonly dimensions: readonly SizeDimension[],
    dress: Dress,
  ) {
    const k = dimensions.length;
    const quantities = dimensions.map(({ quantity }) => quantity);
    /** People of a lattice, measured in tolerances. */
    const draw = (wanted: number, seed: number): PlacedPeople => {
      const { values, weights } = latticePeople(people, quantities, dress, wanted, seed);
      const places = new Float64Array(wanted * k);
      dimensions.forEach(({ tolerance }, d) => {
        const column = values[d] as Float64Array;
        for (let i = 0; i < wanted; i++) places[i * k + d] = (column[i] as number) / tolerance;
      });
      return { places, k, weights };
    };
    this.placer = new SizePlacer(draw(PLACING_PEOPLE, PLACING_SEED));
    this.judges = Array.from({ length: REPETITIONS }, (_, j) => draw(JUDGE_PEOPLE, JUDGE_SEED + j));
  }

  /** The chart with a number of sizes. */
  of(count: number): SizeChart {
    const { dimensions } = this;
    const k = dimensions.length;
    const centres = this.placer.place(count);
    const order = Array.from({ length: count }, (_, s) => s).sort(
      (a, b) => (centres[a * k] as number) - (centres[b * k] as number),
    );
    const sorted = Float64Array.from(
      order.flatMap((s) => [...centres.subarray(s * k, (s + 1) * k)]),
    );
    const judged = this.judges.map((people) => judge(people, sorted));
    const over = (of: (one: Judgement) => number) => meanOf(Float64Array.from(judged, of));
    const { mean: shareServed, error } = over(({ served }) => served);
    return {
      sizes: order.map((_, s) => ({
        centre: dimensions.map(({ tolerance }, d) => (sorted[s * k + d] as number) * tolerance),
        share: over(({ shares }) => shares[s] as number).mean,
      })),
      shareServed,
      error,
      betweenSizes: over(({ between }) => between).mean,
    };
  }
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
 * @param centres [size][dimension]
 */
function judge({ places, k, weights }: PlacedPeople, centres: Float64Array): Judgement {
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
  weights.forEach((weight, i) => {
    const person = places.subarray(i * k, (i + 1) * k);
    const size = nearestSize(person, centres);
    if (size >= 0) {
      shares[size] = (shares[size] as number) + weight;
      served += weight;
    } else if (person.every((at, d) => at >= (low[d] as number) && at <= (high[d] as number))) {
      between += weight;
    }
  });
  return { shares, served, between };
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
