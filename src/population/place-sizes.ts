/** Rounds of improvement at most; a few suffice. */
const ROUNDS_MAX = 40;
/** People whose places are tried as centres by the greedy choice. */
const CANDIDATES = 1024;
/** Rounds of Lloyd's algorithm. */
const LLOYD_ROUNDS = 30;
/** A row without gaps is taken where it serves at least this share of the people of the best places. */
const ROW_SHARE = 0.995;
/** Common moves of all sizes that are tried, in widths. */
const COMMON_MOVES = [0.5, -0.5, 0.25, -0.25, 0.125, -0.125, 0.0625, -0.0625];
/** Rounding of sums of weights, which must not count as more people. */
const ROUNDING = 1e-12;

/** People for whom sizes are placed. */
export interface PlacedPeople {
  /** Places in widths of a box, [person][dimension]. */
  readonly places: Float64Array;
  /** Number of dimensions. */
  readonly k: number;
  /** Share of the people whom each stands for; the sum is 1. */
  readonly weights: Float64Array;
}

/**
 * Places boxes of width 1 so that most people are in a box (maximum coverage; Church and ReVelle 1974,
 * Papers of the Regional Science Association 32:101). Two starts are improved, and the better is taken:
 * the greedy choice, which is near the best (Nemhauser, Wolsey and Fisher 1978, Math. Programming
 * 14:265), and cluster centres (Lloyd 1982, IEEE Trans. Inf. Theory 28:129). In one dimension, boxes side
 * by side are preferred to boxes with gaps that serve hardly more.
 *
 * The time grows with people × boxes × dimensions. It does not depend on how many people fit a box. What
 * does not depend on the number of boxes is computed once.
 */
export class SizePlacer {
  private readonly order: readonly Int32Array[];
  private readonly greedy: GreedyChoice;

  constructor(private readonly people: PlacedPeople) {
    this.order = ordersOf(people);
    this.greedy = new GreedyChoice(people);
  }

  /**
   * @param count number of boxes
   * @returns centres, [box][dimension]
   */
  place(count: number): Float64Array {
    const { people, order } = this;
    let best: Float64Array = new Float64Array(0);
    let most = -1;
    for (const start of [clusterCentres(people, order, count), this.greedy.centres(count)]) {
      const boxes = new Boxes(people, order, start);
      const served = boxes.improve();
      if (served > most + ROUNDING) [best, most] = [boxes.centres, served];
    }
    if (people.k > 1 || most > 1 - ROUNDING) return best;
    const row = rowCentres(people, order[0] as Int32Array, count);
    return new Boxes(people, order, row).served() >= ROW_SHARE * most ? row : best;
  }
}

/** The people in rising order of their places, for each dimension. */
function ordersOf({ places, k, weights }: PlacedPeople): readonly Int32Array[] {
  return Array.from({ length: k }, (_, d) =>
    Int32Array.from(weights.keys()).sort(
      (a, b) => (places[a * k + d] as number) - (places[b * k + d] as number),
    ),
  );
}

/** The window of a width over sorted places that holds most: its first and last place. */
function fullestWindow(
  sorted: ArrayLike<number>,
  weights: ArrayLike<number>,
  width: number,
): { most: number; from: number; to: number } {
  let fullest = { most: 0, from: 0, to: 0 };
  let [first, inside] = [0, 0];
  for (let last = 0; last < sorted.length; last++) {
    const place = sorted[last] as number;
    inside += weights[last] as number;
    while (place - (sorted[first] as number) > width) inside -= weights[first++] as number;
    if (inside <= fullest.most + ROUNDING) continue;
    fullest = { most: inside, from: sorted[first] as number, to: place };
  }
  return fullest;
}

/** Boxes side by side in one dimension, where they serve most people. */
function rowCentres({ places, weights }: PlacedPeople, order: Int32Array, count: number) {
  const sorted = Float64Array.from(order, (i) => places[i] as number);
  const { from, to } = fullestWindow(
    sorted,
    Float64Array.from(order, (i) => weights[i] as number),
    count,
  );
  return Float64Array.from({ length: count }, (_, s) => (from + to - count) / 2 + s + 0.5);
}

/** Takes the box that serves most of those not yet served, again and again. */
class GreedyChoice {
  private readonly step: number;
  private readonly candidates: number;
  /** Whether the box around a candidate holds a person, [person][candidate]. */
  private readonly holds: Uint8Array;
  /** Share of the people not yet served whom the box around a candidate would serve. */
  private readonly gains: Float64Array;
  private readonly served: Uint8Array;
  /** Centres of the boxes taken so far, [box × dimension]. */
  private readonly taken: number[] = [];

  constructor(private readonly people: PlacedPeople) {
    const { places, k, weights } = people;
    const n = weights.length;
    this.step = Math.max(1, Math.floor(n / CANDIDATES));
    const candidates = Math.ceil(n / this.step);
    this.candidates = candidates;
    this.holds = new Uint8Array(n * candidates);
    this.gains = new Float64Array(candidates);
    this.served = new Uint8Array(n);
    for (let i = 0; i < n; i++) {
      for (let c = 0; c < candidates; c++) {
        let d = 0;
        while (d < k && Math.abs(at(places, k, i, d) - at(places, k, c * this.step, d)) <= 0.5) d++;
        if (d < k) continue;
        this.holds[i * candidates + c] = 1;
        this.gains[c] = (this.gains[c] as number) + (weights[i] as number);
      }
    }
  }

  /** Centres of the first boxes, [box][dimension]. */
  centres(count: number): Float64Array {
    const { k } = this.people;
    while (this.taken.length < count * k) this.take();
    return Float64Array.from(this.taken.slice(0, count * k));
  }

  /** Takes one more box. */
  private take(): void {
    const { people, step, candidates, holds, gains, served, taken } = this;
    const { places, k, weights } = people;
    let [best, most] = [(taken.length / k) % candidates, ROUNDING];
    gains.forEach((gain, c) => {
      if (gain > most + ROUNDING) [best, most] = [c, gain];
    });
    taken.push(...places.subarray(best * step * k, (best * step + 1) * k));
    for (let i = 0; i < weights.length; i++) {
      if (served[i] === 1 || holds[i * candidates + best] === 0) continue;
      served[i] = 1;
      for (let c = 0; c < candidates; c++) {
        if (holds[i * candidates + c] === 1) {
          gains[c] = (gains[c] as number) - (weights[i] as number);
        }
      }
    }
  }
}

function at(places: Float64Array, k: number, i: number, d: number): number {
  return places[i * k + d] as number;
}

/** Means of clusters of people; each cluster is nearest to its mean. */
function clusterCentres(
  { places, k, weights }: PlacedPeople,
  [order]: readonly Int32Array[],
  count: number,
): Float64Array {
  const n = weights.length;
  // The first centres are people at even steps of the first dimension.
  const centres = new Float64Array(count * k);
  for (let s = 0; s < count; s++) {
    const i = order?.[Math.floor(((s + 0.5) / count) * n)] ?? 0;
    centres.set(places.subarray(i * k, (i + 1) * k), s * k);
  }
  for (let round = 0; round < LLOYD_ROUNDS; round++) {
    const [sums, sizes] = [new Float64Array(count * k), new Float64Array(count)];
    for (let i = 0; i < n; i++) {
      const s = nearestCentre(places, i, centres, k);
      const weight = weights[i] as number;
      sizes[s] = (sizes[s] as number) + weight;
      for (let d = 0; d < k; d++) {
        sums[s * k + d] = (sums[s * k + d] as number) + weight * at(places, k, i, d);
      }
    }
    for (let s = 0; s < count; s++) {
      if (sizes[s] === 0) continue;
      for (let d = 0; d < k; d++) {
        centres[s * k + d] = (sums[s * k + d] as number) / (sizes[s] as number);
      }
    }
  }
  return centres;
}

function nearestCentre(places: Float64Array, i: number, centres: Float64Array, k: number): number {
  let [nearest, least] = [0, Number.POSITIVE_INFINITY];
  for (let s = 0; s * k < centres.length; s++) {
    let square = 0;
    for (let d = 0; d < k; d++) square += (at(places, k, i, d) - at(centres, k, s, d)) ** 2;
    if (square < least) [nearest, least] = [s, square];
  }
  return nearest;
}

/** Boxes that are moved, with what must be known of each person at each move. */
class Boxes {
  private readonly n: number;
  private readonly count: number;
  /** Number of dimensions in which a person is outside a box, [box][person]. */
  private readonly outside: Uint8Array;
  /** Number of boxes around each person. */
  private readonly covers: Uint8Array;

  /** @param centres they are moved in place */
  constructor(
    private readonly people: PlacedPeople,
    private readonly order: readonly Int32Array[],
    readonly centres: Float64Array,
  ) {
    this.n = people.weights.length;
    this.count = centres.length / people.k;
    this.outside = new Uint8Array(this.count * this.n);
    this.covers = new Uint8Array(this.n);
    this.look();
  }

  /** Share of the people who are in a box. */
  served(): number {
    return this.people.weights.reduce((sum, weight, i) => {
      return this.covers[i] === 0 ? sum : sum + weight;
    }, 0);
  }

  /**
   * Moves centres while more people are served: each box in each dimension to the best place given the
   * others, and all boxes together along each dimension.
   *
   * @returns share of the people served
   */
  improve(): number {
    let served = this.served();
    for (let round = 0; round < ROUNDS_MAX; round++) {
      for (let s = 0; s < this.count; s++) {
        for (let d = 0; d < this.people.k; d++) this.slide(s, d);
      }
      for (let d = 0; d < this.people.k; d++) this.moveAll(d);
      const now = this.served();
      if (now <= served + ROUNDING) return now;
      served = now;
    }
    return served;
  }

  /** Finds who is where. */
  private look(): void {
    const { places, k } = this.people;
    this.covers.fill(0);
    for (let s = 0; s < this.count; s++) {
      for (let i = 0; i < this.n; i++) {
        let dimensions = 0;
        for (let d = 0; d < k; d++) {
          if (Math.abs(at(places, k, i, d) - at(this.centres, k, s, d)) > 0.5) dimensions++;
        }
        this.outside[s * this.n + i] = dimensions;
        if (dimensions === 0) this.covers[i] = (this.covers[i] as number) + 1;
      }
    }
  }

  /**
   * Slides one box along one dimension to where it serves most of the people whom no other box serves.
   * The box stays where no place is better.
   */
  private slide(s: number, d: number): void {
    const { people, n, outside, covers } = this;
    const { places, k, weights } = people;
    const before = at(this.centres, k, s, d);
    // The people whom this box alone could serve, in the order of the dimension.
    const [sorted, shares] = [FREE_PLACES, FREE_WEIGHTS];
    sorted.length = 0;
    shares.length = 0;
    let now = 0;
    for (const i of this.order[d] as Int32Array) {
      const place = at(places, k, i, d);
      const isNear = Math.abs(place - before) <= 0.5;
      if (outside[s * n + i] !== (isNear ? 0 : 1) || covers[i] !== (isNear ? 1 : 0)) continue;
      sorted.push(place);
      shares.push(weights[i] as number);
      if (isNear) now += weights[i] as number;
    }
    const { most, from, to } = fullestWindow(sorted, shares, 1);
    if (most > now + ROUNDING) this.moveTo(s, d, (from + to) / 2);
  }

  /** Moves a box to a place along one dimension. */
  private moveTo(s: number, d: number, to: number): void {
    const { people, n, outside, covers } = this;
    const { places, k } = people;
    const before = at(this.centres, k, s, d);
    this.centres[s * k + d] = to;
    for (let i = 0; i < n; i++) {
      const place = at(places, k, i, d);
      const was = Math.abs(place - before) <= 0.5;
      const is = Math.abs(place - to) <= 0.5;
      if (was === is) continue;
      const dimensions = (outside[s * n + i] as number) + (is ? -1 : 1);
      outside[s * n + i] = dimensions;
      if (is && dimensions === 0) covers[i] = (covers[i] as number) + 1;
      if (was && dimensions === 1) covers[i] = (covers[i] as number) - 1;
    }
  }

  /** Moves all boxes together along one dimension while more people are served. */
  private moveAll(d: number): void {
    const { people, n, outside, centres } = this;
    const { places, k } = people;
    // People and boxes that they are inside of in all other dimensions; a move changes only this one.
    const [persons, distances] = [FREE_PLACES, FREE_WEIGHTS];
    persons.length = 0;
    distances.length = 0;
    for (let s = 0; s < this.count; s++) {
      for (let i = 0; i < n; i++) {
        const dimensions = outside[s * n + i] as number;
        if (dimensions > 1) continue;
        const distance = at(places, k, i, d) - at(centres, k, s, d);
        if (dimensions === 1 && Math.abs(distance) <= 0.5) continue;
        persons.push(i);
        distances.push(distance);
      }
    }
    let served = this.served();
    let moved = 0;
    for (const by of COMMON_MOVES) {
      const there = this.servedAt(persons, distances, moved + by);
      if (there <= served + ROUNDING) continue;
      served = there;
      moved += by;
    }
    if (moved === 0) return;
    for (let s = 0; s < this.count; s++) this.moveTo(s, d, at(centres, k, s, d) + moved);
  }

  /** Share of the people who would be served if all boxes moved along one dimension. */
  private servedAt(
    persons: readonly number[],
    distances: readonly number[],
    moved: number,
  ): number {
    const { weights } = this.people;
    const counted = new Uint8Array(this.n);
    let sum = 0;
    for (let j = 0; j < persons.length; j++) {
      const i = persons[j] as number;
      if (counted[i] === 1 || Math.abs((distances[j] as number) - moved) > 0.5) continue;
      counted[i] = 1;
      sum += weights[i] as number;
    }
    return sum;
  }
}

/** Memory of the boxes while one of them moves. */
const [FREE_PLACES, FREE_WEIGHTS]: [number[], number[]] = [[], []];
