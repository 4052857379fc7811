import { firstIndex } from '../numerics/numerics.js';
import {
  fullestWindow,
  lowestBit,
  noPeople,
  type RankedPeople,
  type Ranking,
  ROUNDING,
  WORD_BITS,
  withWeights,
} from './placed-people.js';

/** Rounds of improvement at most; a few suffice. */
const ROUNDS_MAX = 40;
/** Moves that are tried for all boxes together, in widths of a box. */
const COMMON_MOVES = [0.5, -0.5, 0.25, -0.25, 0.125, -0.125, 0.0625, -0.0625];

/** Boxes of width 1 that are moved to serve more people. */
export class Boxes {
  private readonly n: number;
  private readonly k: number;
  private readonly count: number;
  /** Number of dimensions in which a person is outside a box, by [box][person]. */
  private readonly outside: Uint8Array;
  /** Number of boxes around each person. */
  private readonly covers: Uint8Array;
  /** The people who are inside a box in all other dimensions, by their ranks; [dimension][box]. */
  private readonly open: readonly (readonly Int32Array[])[];

  /** @param centres [box][dimension]; they are moved in place */
  constructor(
    private readonly people: RankedPeople,
    readonly centres: Float64Array,
  ) {
    this.n = people.weights.length;
    this.k = people.columns.length;
    this.count = centres.length / this.k;
    this.outside = new Uint8Array(this.count * this.n);
    this.covers = new Uint8Array(this.n);
    this.open = people.columns.map(() =>
      Array.from({ length: this.count }, () => noPeople(people)),
    );
    for (let s = 0; s < this.count; s++) this.look(s);
  }

  /** Share of the people who are in a box. */
  served(): number {
    const { n, covers } = this;
    const { weights } = this.people;
    let sum = 0;
    for (let i = 0; i < n; i++) if (covers[i] !== 0) sum += weights[i];
    return sum;
  }

  /**
   * Moves the centres as long as more people are served. Each box moves in each dimension to the best place given the
   * others. All boxes also move together along each dimension.
   *
   * @returns share of the people served
   */
  improve(): number {
    let served = this.served();
    for (let round = 0; round < ROUNDS_MAX; round++) {
      for (let s = 0; s < this.count; s++) {
        for (let d = 0; d < this.k; d++) this.slide(s, d);
      }
      for (let d = 0; d < this.k; d++) this.moveAll(d);
      const now = this.served();
      if (now <= served + ROUNDING) return now;
      served = now;
    }
    return served;
  }

  /** Finds who is in a box. */
  private look(s: number): void {
    const { n, k, outside, covers } = this;
    for (let d = 0; d < k; d++) {
      const { order } = this.ranking(d);
      const { first, end } = this.window(s, d, 0);
      for (let rank = 0; rank < n; rank++) {
        if (rank >= first && rank < end) continue;
        const at = s * n + order[rank];
        outside[at] += 1;
      }
    }
    for (let i = 0; i < n; i++) {
      if (outside[s * n + i] === 0) covers[i] += 1;
      for (let d = 0; d < k; d++) this.note(s, d, i);
    }
  }

  /** Records whether a person is inside a box in all dimensions except one. */
  private note(s: number, d: number, i: number): void {
    const dimensions = this.outside[s * this.n + i];
    const isOpen = dimensions === 0 || (dimensions === 1 && this.isFar(s, d, i));
    const set = this.open[d][s];
    const rank = this.ranking(d).ranks[i];
    const bit = 1 << (rank & 31);
    const word = set[rank >>> 5];
    set[rank >>> 5] = isOpen ? word | bit : word & ~bit;
  }

  /** Whether a person is outside a box in a dimension. */
  private isFar(s: number, d: number, i: number): boolean {
    const place = this.people.columns[d][i];
    return Math.abs(place - this.centre(s, d)) > 0.5;
  }

  /**
   * Moves one box along one dimension to the place where it serves the most people whom no other box serves. The box
   * stays if no place is better.
   */
  private slide(s: number, d: number): void {
    const { n, covers } = this;
    const { weights } = this.people;
    const { order, places } = this.ranking(d);
    const set = this.open[d][s];
    const { first, end } = this.window(s, d, 0);
    const { places: free, weights: shares } = roomFor(n);
    // The people whom only this box could serve, in the order of the dimension.
    let length = 0;
    let now = 0;
    for (let word = 0; word < set.length; word++) {
      for (let bits = set[word]; bits !== 0; bits &= bits - 1) {
        const rank = WORD_BITS * word + lowestBit(bits);
        const i = order[rank];
        const isInside = rank >= first && rank < end;
        if (covers[i] !== (isInside ? 1 : 0)) continue;
        const weight = weights[i];
        if (isInside) now += weight;
        free[length] = places[rank];
        shares[length++] = weight;
      }
    }
    const { most, from, to } = fullestWindow(free, shares, length, 1);
    if (most > now + ROUNDING) this.moveTo(s, d, (from + to) / 2);
  }

  /** Moves a box to a place along one dimension. */
  private moveTo(s: number, d: number, to: number): void {
    const before = this.window(s, d, 0);
    this.centres[s * this.k + d] = to;
    const after = this.window(s, d, 0);
    const changed = (one: number, other: number): void => {
      for (let rank = Math.min(one, other); rank < Math.max(one, other); rank++) {
        const was = rank >= before.first && rank < before.end;
        const is = rank >= after.first && rank < after.end;
        if (was !== is) this.change(s, d, this.ranking(d).order[rank], is);
      }
    };
    changed(before.first, after.first);
    changed(before.end, after.end);
  }

  /** Records that a person is inside or outside a box in a dimension. */
  private change(s: number, d: number, i: number, isInside: boolean): void {
    const { n, k, outside, covers } = this;
    const dimensions = outside[s * n + i];
    outside[s * n + i] = dimensions + (isInside ? -1 : 1);
    if (isInside && dimensions === 1) covers[i] += 1;
    if (!isInside && dimensions === 0) covers[i] -= 1;
    // A person who is outside in several other dimensions, before and after, is open in none.
    if (dimensions > 2) return;
    for (let e = 0; e < k; e++) if (e !== d) this.note(s, e, i);
  }

  /** Moves all boxes together along one dimension as long as more people are served. */
  private moveAll(d: number): void {
    let served = this.served();
    let moved = 0;
    for (const by of COMMON_MOVES) {
      const there = this.servedAt(d, moved + by);
      if (there <= served + ROUNDING) continue;
      served = there;
      moved += by;
    }
    if (moved === 0) return;
    for (let s = 0; s < this.count; s++) this.moveTo(s, d, this.centre(s, d) + moved);
  }

  /** Share of the people who would be served if all boxes moved along one dimension. */
  private servedAt(d: number, moved: number): number {
    const all = noPeople(this.people);
    for (let s = 0; s < this.count; s++) {
      const { first, end } = this.window(s, d, moved);
      addBetween(all, this.open[d][s], first, end);
    }
    return withWeights(0, 1, this.people, all, this.ranking(d).order);
  }

  /**
   * Ranks of the people who would be inside a box in one dimension after a move: the first rank, and the one after the
   * last.
   */
  private window(s: number, d: number, moved: number): { first: number; end: number } {
    const { places } = this.ranking(d);
    const centre = this.centre(s, d);
    /** The first rank at which the distance is at least, or more than, half a width. */
    const first = firstIndex(places.length, (rank) => places[rank] - centre - moved >= -0.5);
    const end = firstIndex(places.length, (rank) => places[rank] - centre - moved > 0.5);
    return { first, end };
  }

  private centre(s: number, d: number): number {
    return this.centres[s * this.k + d];
  }

  private ranking(d: number): Ranking {
    return this.people.rankings[d];
  }
}

/** Adds the bits of a set from one position (included) to another (excluded). */
function addBetween(all: Int32Array, set: Int32Array, first: number, end: number): void {
  if (first >= end) return;
  const [from, to] = [first >>> 5, (end - 1) >>> 5];
  for (let word = from; word <= to; word++) {
    let bits = set[word];
    if (word === from) bits &= -1 << (first & 31);
    if (word === to) bits &= -1 >>> (31 - ((end - 1) & 31));
    all[word] = all[word] | bits;
  }
}

/** Places and weights of some people. */
interface Room {
  readonly places: Float64Array;
  readonly weights: Float64Array;
}

let room: Room = { places: new Float64Array(0), weights: new Float64Array(0) };

/** Memory for a box while it moves. The next move uses the same memory. */
function roomFor(length: number): Room {
  if (room.places.length < length) {
    room = { places: new Float64Array(length), weights: new Float64Array(length) };
  }
  return room;
}
