import { fastPhi, fastScore } from './fast-normal.js';

/** Roots of the first primes; their multiples fill the unit cube evenly (Richtmyer 1951). */
const ROOTS = [
  ...[2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71],
  ...[73, 79, 83, 89, 97, 101],
].map((prime) => Math.sqrt(prime));

/** Most variables of a box. */
export const BOX_VARIABLES_MAX = ROOTS.length;

/** Share of the variance that a variable keeps when the others determine it. */
const LEAST_PIVOT = 1e-6;

/**
 * Lower Cholesky factor of a correlation matrix, row by row, in place. A variable that others determine
 * keeps a small variance of its own, so that sums of parts can be among the variables, and the matrix
 * may be singular to the rounding of its elements.
 *
 * @param matrix n × n, row by row; the lower triangle is read and overwritten
 */
export function choleskyInPlace(matrix: Float64Array, n: number): void {
  for (let j = 0; j < n; j++) {
    let pivot = matrix[j * n + j] as number;
    for (let k = 0; k < j; k++) pivot -= (matrix[j * n + k] as number) ** 2;
    const root = Math.sqrt(Math.max(LEAST_PIVOT, pivot));
    matrix[j * n + j] = root;
    if (pivot < LEAST_PIVOT) {
      // What is left of the column is rounding, which the division would magnify.
      for (let i = j + 1; i < n; i++) matrix[i * n + j] = 0;
      continue;
    }
    for (let i = j + 1; i < n; i++) {
      let sum = matrix[i * n + j] as number;
      for (let k = 0; k < j; k++) {
        sum -= (matrix[i * n + k] as number) * (matrix[j * n + k] as number);
      }
      matrix[i * n + j] = sum / root;
    }
  }
}

/**
 * Probability that normal scores lie in a box, by the transformation of Genz 1992 (J. Comput. Graph.
 * Stat. 1:141) on a shifted Richtmyer lattice with the tent transformation (Genz and Bretz 2009,
 * Computation of Multivariate Normal and t Probabilities, 4.2).
 *
 * @param factor lower Cholesky factor of the correlations, n × n row by row
 * @param low lower ends, −Infinity for none
 * @param high upper ends, Infinity for none
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
  const firstLow = fastPhi((low[0] as number) / (factor[0] as number));
  const firstHigh = fastPhi((high[0] as number) / (factor[0] as number));
  if (n === 1) return Math.max(0, firstHigh - firstLow);
  let total = 0;
  for (let point = 1; point <= points; point++) {
    let [from, to] = [firstLow, firstHigh];
    let share = to - from;
    for (let i = 1; i < n && share > 0; i++) {
      const moved = (point * (ROOTS[i - 1] as number) + (shift[i - 1] as number)) % 1;
      const u = Math.abs(2 * moved - 1);
      SCORES[i - 1] = fastScore(inside(from + u * (to - from)));
      let mean = 0;
      for (let j = 0; j < i; j++) mean += (factor[i * n + j] as number) * (SCORES[j] as number);
      const sd = factor[i * n + i] as number;
      from = fastPhi(((low[i] as number) - mean) / sd);
      to = fastPhi(((high[i] as number) - mean) / sd);
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
 * Points of a shifted Richtmyer lattice as people: normal scores of some quantities, of which the first
 * ones lie inside a box, by the transformation of `boxProbability`. The others are free.
 */
export class BoxPoints {
  /** Scores of the point, one for each quantity. */
  readonly scores: Float64Array;
  /** Independent scores of the point, whose product with the factor they are. */
  readonly independent: Float64Array;
  private readonly shift: Float64Array;
  private readonly low: Float64Array;
  private readonly high: Float64Array;
  private factor: Float64Array = new Float64Array(0);

  /**
   * @param quantities number of quantities
   * @param limited how many of them, the first ones, are inside the box
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

  /** Shifts the lattice again. */
  move(random: () => number): void {
    for (let i = 0; i < this.quantities; i++) this.shift[i] = random();
  }

  /** Turns to the people of a cohort. */
  at(factor: Float64Array, { low, high }: Ends, cohort: number): void {
    this.factor = factor;
    const { limited } = this;
    for (let i = 0; i < limited; i++) {
      this.low[i] = low[cohort * limited + i] as number;
      this.high[i] = high[cohort * limited + i] as number;
    }
  }

  /**
   * Makes a point of the lattice.
   *
   * @returns how many people it stands for: the mean over all points is the probability of the box
   */
  draw(point: number): number {
    const { quantities: n, limited, factor, shift, independent, scores } = this;
    let share = 1;
    for (let i = 0; i < n; i++) {
      let mean = 0;
      for (let j = 0; j < i; j++) {
        mean += (factor[i * n + j] as number) * (independent[j] as number);
      }
      const sd = factor[i * n + i] as number;
      const moved = (point * (ROOTS[i] as number) + (shift[i] as number)) % 1;
      let u = moved;
      if (i < limited) {
        const from = fastPhi(((this.low[i] as number) - mean) / sd);
        const to = fastPhi(((this.high[i] as number) - mean) / sd);
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

/** Probabilities beyond these have no finite score. */
const [LEAST, MOST] = [1e-16, 1 - 1e-16];

/** The nearest probability with a finite score. */
export function inside(probability: number): number {
  return Math.min(MOST, Math.max(LEAST, probability));
}

/** Scores of the point under way. */
const SCORES = new Float64Array(BOX_VARIABLES_MAX);
