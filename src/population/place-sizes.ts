import { Boxes } from './boxes.js';
import {
  fullestWindow,
  noPeople,
  type PlacedPeople,
  type RankedPeople,
  type Ranking,
  ROUNDING,
  rankedPeople,
  withWeights,
} from './placed-people.js';

/** A row without gaps is preferred if it serves at least this share of the people whom the best places serve. */
const ROW_SHARE = 0.995;

/**
 * Places boxes of width 1 so that as many people as possible are in a box (maximum coverage; Church and ReVelle 1974,
 * Papers of the Regional Science Association 32:101). Two starts are improved, and the better result is taken. One is
 * the greedy choice, which is near the best (Nemhauser, Wolsey and Fisher 1978, Math. Programming 14:265). The other is
 * cluster centres (Lloyd 1982, IEEE Trans. Inf. Theory 28:129). In one dimension, boxes side by side are preferred to
 * boxes with gaps that serve hardly more people.
 *
 * The time grows with people × boxes × dimensions. It does not depend on how many people fit a box. Data that do not
 * depend on the number of boxes are computed once.
 */
export class SizePlacer {
  private readonly people: RankedPeople;
  private readonly greedy: GreedyChoice;

  constructor(people: PlacedPeople) {
    this.people = rankedPeople(people);
    this.greedy = new GreedyChoice(this.people);
  }

  /**
   * @param count number of boxes
   * @returns centres, [box][dimension]
   */
  place(count: number): Float64Array {
    const { people } = this;
    let best: Float64Array = new Float64Array(0);
    let most = -1;
    for (const start of [clusterCentres(people, count), this.greedy.centres(count)]) {
      const boxes = new Boxes(people, start);
      const served = boxes.improve();
      if (served > most + ROUNDING) [best, most] = [boxes.centres, served];
    }
    if (people.columns.length > 1 || most > 1 - ROUNDING) return best;
    const row = rowCentres(people, count);
    return new Boxes(people, row).served() >= ROW_SHARE * most ? row : best;
  }
}

/**
 * Boxes side by side in one dimension, at the place where they serve the most people. No box is centred where there are
 * no people.
 */
function rowCentres({ rankings, weights }: RankedPeople, count: number): Float64Array {
  const [{ order, places }] = rankings as readonly [Ranking];
  const shares = Float64Array.from(order, (i) => weights[i]);
  const { from, to } = fullestWindow(places, shares, order.length, count);
  return Float64Array.from({ length: count }, (_, s) =>
    Math.min(to, Math.max(from, (from + to - count) / 2 + s + 0.5)),
  );
}

/** People whose places are tried as centres. */
const CANDIDATES = 1024;

/**
 * Repeatedly takes the box of width 1 that serves the most people who are not served yet. The candidates are boxes
 * around some of the people. The members of a box are stored as bits, so that only they are visited.
 */
export class GreedyChoice {
  private readonly step: number;
  /** The people in the box around each candidate. */
  private readonly held: readonly Int32Array[];
  /** For each candidate's box, the share of people whom it would serve and who are not served yet. */
  private readonly gains: Float64Array;
  /** The people not yet served. */
  private readonly open: Int32Array;
  /** Candidates around whom the boxes taken so far are. */
  private readonly taken: number[] = [];

  constructor(private readonly people: RankedPeople) {
    const n = people.weights.length;
    this.step = Math.max(1, Math.floor(n / CANDIDATES));
    this.open = noPeople(people).fill(-1);
    this.held = Array.from({ length: Math.ceil(n / this.step) }, () => this.open.slice());
    for (let d = 0; d < people.columns.length; d++) this.leaveOut(d);
    this.gains = Float64Array.from(this.held, (held) => withWeights(0, 1, people, held));
  }

  /** Centres of the first boxes, [box][dimension]. */
  centres(count: number): Float64Array {
    while (this.taken.length < count) this.take();
    const { columns } = this.people;
    const people = this.taken.slice(0, count).map((candidate) => candidate * this.step);
    return Float64Array.from(people.flatMap((i) => columns.map((column) => column[i])));
  }

  /** Removes from each box the people who are outside it in a dimension. */
  private leaveOut(d: number): void {
    const { step, held, people } = this;
    const { order, places } = people.rankings[d];
    const near = noPeople(people);
    const flip = (rank: number): void => {
      const i = order[rank];
      near[i >>> 5] = near[i >>> 5] ^ (1 << (i & 31));
    };
    // The centres are in ascending order, so each person enters and leaves at most once.
    let first = 0;
    let end = 0;
    for (let rank = 0; rank < order.length; rank++) {
      const i = order[rank];
      if (i % step !== 0) continue;
      const centre = places[rank];
      while (end < order.length && places[end] - centre <= 0.5) flip(end++);
      while (centre - places[first] > 0.5) flip(first++);
      intersect(held[i / step], near);
    }
  }

  /** Takes one more box. */
  private take(): void {
    const { people, held, gains, open, taken } = this;
    let best = taken.length % held.length;
    let most = ROUNDING;
    for (let c = 0; c < gains.length; c++) {
      const gain = gains[c];
      if (gain <= most + ROUNDING) continue;
      best = c;
      most = gain;
    }
    taken.push(best);
    const served = held[best].slice();
    intersect(served, open);
    for (let word = 0; word < open.length; word++) {
      open[word] = open[word] & ~served[word];
    }
    const lost = noPeople(people);
    for (let c = 0; c < gains.length; c++) {
      lost.set(held[c]);
      intersect(lost, served);
      gains[c] = withWeights(gains[c], -1, people, lost);
    }
  }
}

/** Keeps in a set only the people who are also in another set. */
function intersect(set: Int32Array, other: Int32Array): void {
  for (let word = 0; word < set.length; word++) {
    set[word] = set[word] & other[word];
  }
}

/** Rounds of Lloyd's algorithm. */
const ROUNDS = 30;
/** Rounding of distances. A centre is nearer than others only if the difference is larger. */
const DISTANCE_ROUNDING = 1e-9;

/** Means of clusters of people. The members of a cluster are nearest to its mean (Lloyd 1982). */
export function clusterCentres(
  { columns, weights, rankings }: RankedPeople,
  count: number,
): Float64Array {
  const [k, n] = [columns.length, weights.length];
  // The first centres are people at equal steps of the first dimension.
  const centres = new Float64Array(count * k);
  for (let s = 0; s < count; s++) {
    const i = rankings[0].order[Math.floor(((s + 0.5) / count) * n)];
    for (let d = 0; d < k; d++) centres[s * k + d] = columns[d][i];
  }
  const clusters = new Clusters(columns, n);
  const [sums, sizes] = [new Float64Array(count * k), new Float64Array(count)];
  for (let round = 0; round < ROUNDS; round++) {
    // The clusters did not change, so their means do not change.
    if (!clusters.find(centres)) break;
    const { nearest } = clusters;
    sums.fill(0);
    sizes.fill(0);
    for (let i = 0; i < n; i++) {
      const s = nearest[i];
      const weight = weights[i];
      sizes[s] += weight;
      for (let d = 0; d < k; d++) {
        const place = columns[d][i];
        sums[s * k + d] += weight * place;
      }
    }
    for (let s = 0; s < count; s++) {
      if (sizes[s] === 0) continue;
      for (let d = 0; d < k; d++) {
        centres[s * k + d] = sums[s * k + d] / sizes[s];
      }
    }
  }
  return centres;
}

/**
 * The nearest centre of each person. Most people keep their centre when centres move a little. If a person's centre is
 * certainly still the nearest one, the other centres are not compared (Hamerly 2010, SIAM Int. Conf. Data Mining, 130).
 */
class Clusters {
  readonly nearest: Int32Array;
  /** By person, a distance below which no other centre lies. */
  private readonly others: Float64Array;
  private before = new Float64Array(0);

  constructor(
    private readonly columns: readonly Float64Array[],
    n: number,
  ) {
    this.nearest = new Int32Array(n).fill(-1);
    this.others = new Float64Array(n);
  }

  /**
   * Finds the nearest centres. If several are equally near, the first counts.
   *
   * @returns whether the nearest centre of a person has changed
   */
  find(centres: Float64Array): boolean {
    const { nearest, others, columns } = this;
    const moved = this.farthestMove(centres);
    let isNew = false;
    for (let i = 0; i < nearest.length; i++) {
      const before = nearest[i];
      const bound = others[i] - moved;
      others[i] = bound;
      if (before >= 0 && squareTo(columns, i, centres, before) < bound * Math.abs(bound)) continue;
      this.compare(i, centres);
      isNew ||= nearest[i] !== before;
    }
    this.before = centres.slice();
    return isNew;
  }

  /** Compares a person with all centres. */
  private compare(i: number, centres: Float64Array): void {
    const { columns } = this;
    const count = centres.length / columns.length;
    let found = 0;
    let least = Number.POSITIVE_INFINITY;
    let second = Number.POSITIVE_INFINITY;
    for (let s = 0; s < count; s++) {
      const square = squareTo(columns, i, centres, s);
      if (square < least) {
        second = least;
        least = square;
        found = s;
      } else if (square < second) second = square;
    }
    this.nearest[i] = found;
    this.others[i] = Math.sqrt(second);
  }

  /** The longest move of a centre since the last call, plus a margin for rounding. */
  private farthestMove(centres: Float64Array): number {
    const k = this.columns.length;
    let most = 0;
    for (let at = 0; at < this.before.length; at += k) {
      let square = 0;
      for (let d = 0; d < k; d++) {
        square += (centres[at + d] - this.before[at + d]) ** 2;
      }
      most = Math.max(most, square);
    }
    return Math.sqrt(most) + DISTANCE_ROUNDING;
  }
}

/** Square of the distance of a person from a centre. */
function squareTo(
  columns: readonly Float64Array[],
  i: number,
  centres: Float64Array,
  s: number,
): number {
  const k = columns.length;
  let square = 0;
  for (let d = 0; d < k; d++) {
    const distance = columns[d][i] - centres[s * k + d];
    square += distance * distance;
  }
  return square;
}
