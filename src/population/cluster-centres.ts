import type { RankedPeople } from './placed-people.js';

/** Rounds of Lloyd's algorithm. */
const ROUNDS = 30;
/** Rounding of distances. A centre is nearer than others only if the difference is larger. */
const ROUNDING = 1e-9;

/** Means of clusters of people. The members of a cluster are nearest to its mean (Lloyd 1982). */
export function clusterCentres(
  { columns, weights, rankings }: RankedPeople,
  count: number,
): Float64Array {
  const [k, n] = [columns.length, weights.length];
  // The first centres are people at equal steps of the first dimension.
  const centres = new Float64Array(count * k);
  for (let s = 0; s < count; s++) {
    const i = rankings[0]?.order[Math.floor(((s + 0.5) / count) * n)];
    for (let d = 0; d < k; d++) centres[s * k + d] = columns[d]?.[i];
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
    return Math.sqrt(most) + ROUNDING;
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
