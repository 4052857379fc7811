import { fastPhi, fastScore, inside, rowStart } from '../numerics/numerics.js';

/** Number of independent repetitions of a computation. Their spread gives its numerical error. */
export const REPETITIONS = 8;

/** 97.5th percentile of Student's t with 7 degrees of freedom (Abramowitz and Stegun 1964, 26.7). */
const T_QUANTILE = 2.365;

/** Mean of the results of `REPETITIONS` repetitions, and the half width of its 95 % interval. */
export function meanOf(results: Float64Array): { mean: number; error: number } {
  const mean = results.reduce((sum, result) => sum + result, 0) / REPETITIONS;
  const squares = results.reduce((sum, result) => sum + (result - mean) ** 2, 0);
  return { mean, error: T_QUANTILE * Math.sqrt(squares / (REPETITIONS - 1) / REPETITIONS) };
}

/** Returns numbers between 0 and 1 that are the same in every run (Park and Miller 1988, Comm. ACM 31:1192). */
export function shifts(start: number): () => number {
  let state = start;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Square roots of the first primes. Their multiples fill the unit cube evenly (Richtmyer 1951). */
const ROOTS = [
  ...[2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71],
  ...[73, 79, 83, 89, 97, 101, 103, 107, 109, 113, 127, 131, 137, 139],
].map((prime) => Math.sqrt(prime));

/** The fractional part of a number of 0 or more. `% 1` gives the same result, but takes longer. */
function fraction(value: number): number {
  return value - Math.floor(value);
}

/** Maximum number of variables of a box. */
export const BOX_VARIABLES_MAX = ROOTS.length;

/**
 * Probability that normal scores lie in a box, by the transformation of Genz 1992 (J. Comput. Graph. Stat. 1:141) on a
 * shifted Richtmyer lattice with the tent transformation (Genz and Bretz 2009, Computation of Multivariate Normal and t
 * Probabilities, 4.2).
 *
 * @param factor lower Cholesky factor of the correlations, as a triangle
 * @param low lower ends; −Infinity means no limit
 * @param high upper ends; Infinity means no limit
 * @param points number of lattice points
 * @param shift random shift of each variable, 0 to 1
 */
export function boxProbability(
  factor: Float64Array,
  low: Float64Array,
  high: Float64Array,
  n: number,
  points: number,
  shift: Float64Array,
): number {
  const firstLow = fastPhi(low[0] / factor[0]);
  const firstHigh = fastPhi(high[0] / factor[0]);
  if (n === 1) return Math.max(0, firstHigh - firstLow);
  let total = 0;
  for (let point = 1; point <= points; point++) {
    let from = firstLow;
    let to = firstHigh;
    let share = to - from;
    for (let i = 1; i < n && share > 0; i++) {
      const moved = fraction(point * ROOTS[i - 1] + shift[i - 1]);
      const u = Math.abs(2 * moved - 1);
      SCORES[i - 1] = fastScore(inside(from + u * (to - from)));
      let mean = 0;
      const row = rowStart(i);
      for (let j = 0; j < i; j++) mean += factor[row + j] * SCORES[j];
      const sd = factor[row + i];
      from = fastPhi((low[i] - mean) / sd);
      to = fastPhi((high[i] - mean) / sd);
      share *= to - from;
    }
    total += Math.max(0, share);
  }
  return total / points;
}

/** Ends of the intervals of scores, [cohort][quantity]. */
interface Ends {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/**
 * Points of a shifted Richtmyer lattice as people with normal scores of some quantities. The scores of the first
 * quantities lie inside a box, by the transformation of `boxProbability`. The other scores are free.
 */
export class BoxPoints {
  /** Scores of the point, one for each quantity. */
  readonly scores: Float64Array;
  /** Independent scores of the point. Their product with the factor gives `scores`. */
  readonly independent: Float64Array;
  private readonly shift: Float64Array;
  private readonly low: Float64Array;
  private readonly high: Float64Array;
  private factor: Float64Array = new Float64Array(0);

  /**
   * @param quantities number of quantities
   * @param limited number of quantities inside the box, which come first
   */
  constructor(
    private readonly quantities: number,
    private readonly limited: number,
  ) {
    this.scores = new Float64Array(quantities);
    this.independent = new Float64Array(quantities);
    this.shift = new Float64Array(quantities);
    this.low = new Float64Array(limited);
    this.high = new Float64Array(limited);
  }

  /** Shifts the lattice to another random place. */
  move(random: () => number): void {
    for (let i = 0; i < this.quantities; i++) this.shift[i] = random();
  }

  /** Turns to the people of a cohort. */
  at(factor: Float64Array, { low, high }: Ends, cohort: number): void {
    this.factor = factor;
    const { limited } = this;
    for (let i = 0; i < limited; i++) {
      this.low[i] = low[cohort * limited + i];
      this.high[i] = high[cohort * limited + i];
    }
  }

  /**
   * Makes a point of the lattice.
   *
   * @returns weight of the point; the mean weight of all points is the probability of the box
   */
  draw(point: number): number {
    const { quantities: n, limited, factor, shift, independent, scores } = this;
    let share = 1;
    for (let i = 0; i < n; i++) {
      let mean = 0;
      const row = rowStart(i);
      for (let j = 0; j < i; j++) {
        mean += factor[row + j] * independent[j];
      }
      const sd = factor[row + i];
      const moved = fraction(point * ROOTS[i] + shift[i]);
      let u = moved;
      if (i < limited) {
        const from = fastPhi((this.low[i] - mean) / sd);
        const to = fastPhi((this.high[i] - mean) / sd);
        share *= Math.max(0, to - from);
        u = from + Math.abs(2 * moved - 1) * (to - from);
      }
      const score = fastScore(inside(u));
      independent[i] = score;
      scores[i] = mean + sd * score;
    }
    return share;
  }
}

/** Scores of the point under way. */
const SCORES = new Float64Array(BOX_VARIABLES_MAX);
