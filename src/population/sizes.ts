import { meanOf, REPETITIONS } from './box-probability.js';
import { latticePeople } from './lattice-people.js';
import type { KeptPeople } from './limits.js';
import type { Profiles } from './people-model.js';
import { SizePlacer } from './place-sizes.js';
import type { PlacedPeople } from './placed-people.js';

/** A measurement of a size chart. */
export interface SizeDimension {
  readonly quantity: number;
  /** Full width of the range that one size serves, in mm, kg/m² or kg. */
  readonly tolerance: number;
}

/** One size: a box around a centre. */
export interface Size {
  /** Centre of the size in each dimension, in mm, kg/m² or kg. */
  readonly centre: readonly number[];
  /** Share of the people whom this size serves best, 0 to 1. */
  readonly share: number;
  /** Share of the people whom this size serves best or, if no size serves them, lies nearest to. They sum to 1. */
  readonly orderShare: number;
}

/** A size chart with the shares of the people that it serves, 0 to 1. */
export interface SizeChart {
  /** In rising order of the first dimension. */
  readonly sizes: readonly Size[];
  readonly shareServed: number;
  /** Half width of the 95 % interval of `shareServed`. */
  readonly error: number;
  /** Share of the people who are inside the overall range of every dimension, but fit no size. */
  readonly betweenSizes: number;
}

/** Number of people for whom the sizes are placed, and the seed of their lattice. */
const [PLACING_PEOPLE, PLACING_SEED] = [4096, 30_011];
/** Number of people in each independent lattice that judges the sizes, and the seed of the first lattice. */
const [JUDGE_PEOPLE, JUDGE_SEED] = [8192, 50_021];

/**
 * The sizes that serve the most people of a population. Their shares are computed among other people than those for
 * whom they were placed. If several sizes serve a person, the person gets the one with the nearest centre, with
 * distances in tolerances. Charts with other numbers of sizes use the same people, who are drawn once.
 */
export class SizeCharts {
  private readonly placer: SizePlacer;
  private readonly judges: readonly PlacedPeople[];
  private readonly groups = new Map<KeptPeople, PlacedPeople>();

  /** @throws Error for a quantity without a model in a cohort */
  constructor(
    people: KeptPeople,
    private readonly dimensions: readonly SizeDimension[],
    private readonly profiles: Profiles,
  ) {
    this.placer = new SizePlacer(this.draw(people, PLACING_PEOPLE, PLACING_SEED));
    this.judges = Array.from({ length: REPETITIONS }, (_, j) =>
      this.draw(people, JUDGE_PEOPLE, JUDGE_SEED + j),
    );
  }

  /** Draws people on a lattice. Each measurement is divided by its tolerance. */
  private draw(people: KeptPeople, wanted: number, seed: number): PlacedPeople {
    const { dimensions, profiles } = this;
    const quantities = dimensions.map(({ quantity }) => quantity);
    const { values, weights } = latticePeople(people, quantities, profiles, wanted, seed);
    const columns = dimensions.map(({ tolerance }, d) =>
      values[d].map((value) => value / tolerance),
    );
    return { columns, weights };
  }

  /** Share of the people of one group whom the sizes of a chart serve, 0 to 1, by one lattice of 8,192 people. */
  shareServed(group: KeptPeople, { sizes }: SizeChart): number {
    const people = this.groups.get(group) ?? this.draw(group, JUDGE_PEOPLE, JUDGE_SEED);
    this.groups.set(group, people);
    return servedOf(people, this.inTolerances(sizes.map(({ centre }) => centre)));
  }

  /** Share of all people whom the sizes of a chart serve if they are larger in each dimension by some lengths, 0 to 1. */
  shareServedOff({ sizes }: SizeChart, larger: readonly number[]): number {
    const centres = this.inTolerances(
      sizes.map(({ centre }) => centre.map((value, d) => value - larger[d])),
    );
    return this.judges.reduce((sum, people) => sum + servedOf(people, centres), 0) / REPETITIONS;
  }

  private inTolerances(centres: readonly (readonly number[])[]): Float64Array {
    return Float64Array.from(
      centres.flatMap((centre) => centre.map((value, d) => value / this.dimensions[d].tolerance)),
    );
  }

  /** The chart with a number of sizes. */
  of(count: number): SizeChart {
    const { dimensions } = this;
    const k = dimensions.length;
    const centres = this.placer.place(count);
    const order = Array.from({ length: count }, (_, s) => s).sort(
      (a, b) => centres[a * k] - centres[b * k],
    );
    const sorted = Float64Array.from(
      order.flatMap((s) => [...centres.subarray(s * k, (s + 1) * k)]),
    );
    const judged = this.judges.map((people) => judge(people, sorted));
    const over = (of: (one: Judgement) => number) => meanOf(Float64Array.from(judged, of));
    const { mean: shareServed, error } = over(({ served }) => served);
    return {
      sizes: order.map((_, s) => ({
        centre: dimensions.map(({ tolerance }, d) => sorted[s * k + d] * tolerance),
        share: over(({ shares }) => shares[s]).mean,
        orderShare: over(({ orders }) => orders[s]).mean,
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
  /** As `shares`, with the people whom no size serves at the nearest size. */
  readonly orders: Float64Array;
  readonly served: number;
  readonly between: number;
}

/**
 * Shares of people in sizes of width 1.
 *
 * @param centres [size][dimension], in ascending order of the first dimension
 */
function judge(people: PlacedPeople, centres: Float64Array): Judgement {
  const { columns, weights } = people;
  const k = columns.length;
  const shares = new Float64Array(centres.length / k);
  const orders = new Float64Array(centres.length / k);
  const [low, high] = [
    new Float64Array(k).fill(Number.POSITIVE_INFINITY),
    new Float64Array(k).fill(Number.NEGATIVE_INFINITY),
  ];
  centres.forEach((centre, i) => {
    low[i % k] = Math.min(low[i % k], centre - 0.5);
    high[i % k] = Math.max(high[i % k], centre + 0.5);
  });
  let served = 0;
  let between = 0;
  for (let i = 0; i < weights.length; i++) {
    const weight = weights[i];
    const size = nearestSize(people, i, centres);
    if (size >= 0) {
      shares[size] += weight;
      served += weight;
    } else if (isWithin(people, i, low, high)) between += weight;
    orders[size >= 0 ? size : nearestCentre(people, i, centres)] += weight;
  }
  return { shares, orders, served, between };
}

/** Share of people whom a size of width 1 serves; `centres` as in `judge`. */
function servedOf(people: PlacedPeople, centres: Float64Array): number {
  return people.weights.reduce(
    (sum, weight, i) => (nearestSize(people, i, centres) >= 0 ? sum + weight : sum),
    0,
  );
}

/** Index of the size with the nearest centre. */
function nearestCentre({ columns }: PlacedPeople, i: number, centres: Float64Array): number {
  const k = columns.length;
  let [nearest, least] = [0, Number.POSITIVE_INFINITY];
  for (let at = 0; at < centres.length; at += k) {
    let square = 0;
    for (let d = 0; d < k; d++) square += (columns[d][i] - centres[at + d]) ** 2;
    if (square < least) [nearest, least] = [at / k, square];
  }
  return nearest;
}

/** Index of the size with the nearest centre among those that serve a person, or −1 if none does. */
function nearestSize({ columns }: PlacedPeople, i: number, centres: Float64Array): number {
  const k = columns.length;
  const place = columns[0][i];
  let nearest = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < centres.length; at += k) {
    const first = place - centres[at];
    if (first > 0.5) continue;
    // The sizes that follow are farther away.
    if (first < -0.5) break;
    let square = first * first;
    for (let d = 1; d < k && square < least; d++) {
      const distance = columns[d][i] - centres[at + d];
      square += Math.abs(distance) > 0.5 ? Number.POSITIVE_INFINITY : distance * distance;
    }
    if (square >= least) continue;
    nearest = at / k;
    least = square;
  }
  return nearest;
}

function isWithin({ columns }: PlacedPeople, i: number, low: Float64Array, high: Float64Array) {
  return columns.every((column, d) => {
    const place = column[i];
    return place >= low[d] && place <= high[d];
  });
}
