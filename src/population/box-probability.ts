import cdf from '@stdlib/stats-base-dists-normal-cdf';

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

/**
 * The normal distribution for integrals over many points. These functions are ten times as fast as the exact ones. They
 * are less exact, but the numerical error of an integral is larger than the difference.
 */

/** At the ends of the table, the distribution differs from 0 and 1 by less than 1e-16. */
const END = 8.5;
const PER_UNIT = 32;
const STEP = 1 / PER_UNIT;
const LAST = 2 * END * PER_UNIT;
const exact = cdf.factory(0, 1);
const zOf = (knot: number): number => knot * STEP - END;
const VALUES = Float64Array.from({ length: LAST + 1 }, (_, knot) => exact(zOf(knot)));
/** Slope of the distribution at each knot, times the step between knots. */
const SLOPES = VALUES.map(
  (_, knot) => (STEP * Math.exp(-(zOf(knot) ** 2) / 2)) / Math.sqrt(2 * Math.PI),
);

/** Share below a normal score, exact to 5e-9, by cubic Hermite interpolation in a table. */
export function fastPhi(z: number): number {
  if (z <= -END) return 0;
  if (z >= END) return 1;
  const position = (z + END) * PER_UNIT;
  const knot = Math.floor(position);
  const t = position - knot;
  const start = VALUES[knot];
  const rise = VALUES[knot + 1] - start;
  const m0 = SLOPES[knot];
  const m1 = SLOPES[knot + 1];
  return start + t * (m0 + t * (3 * rise - 2 * m0 - m1 + t * (m0 + m1 - 2 * rise)));
}

/** Normal score below which a share lies, with a relative error of 1e-6 (PPND7 of Wichura 1988, AS 241). */
export function fastScore(share: number): number {
  const q = share - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    const above = ((59.10937472 * r + 159.29113202) * r + 50.434271938) * r + 3.3871327179;
    return (q * above) / (((67.1875636 * r + 78.757757664) * r + 17.895169469) * r + 1);
  }
  const root = Math.sqrt(-Math.log(q < 0 ? share : 1 - share));
  const score = root <= 5 ? middleScore(root - 1.6) : farScore(root - 5);
  return q < 0 ? -score : score;
}

function middleScore(r: number): number {
  const above = ((0.17023821103 * r + 1.3067284816) * r + 2.75681539) * r + 1.4234372777;
  return above / ((0.12021132975 * r + 0.7370016425) * r + 1);
}

function farScore(r: number): number {
  const above = ((0.017337203997 * r + 0.42868294337) * r + 3.081226386) * r + 6.657905115;
  return above / ((0.012258202635 * r + 0.24197894225) * r + 1);
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

// Lower triangles of n × n matrices, row by row. Element (i, j) with j ≤ i has index i (i + 1) / 2 + j. A triangle
// takes half the memory of the matrix.

/** Index of the first element of row i of a triangle. */
export function rowStart(i: number): number {
  return (i * (i + 1)) >> 1;
}

/** Element of the symmetric matrix with this lower triangle. */
export function symmetric(triangle: Float64Array, i: number, j: number): number {
  return triangle[i < j ? rowStart(j) + i : rowStart(i) + j];
}

/** The lower triangle of an n × n matrix. */
export function lowerTriangle(n: number, element: (i: number, j: number) => number): Float64Array {
  const triangle = new Float64Array(rowStart(n));
  for (let i = 0; i < n; i++) {
    const row = rowStart(i);
    for (let j = 0; j <= i; j++) triangle[row + j] = element(i, j);
  }
  return triangle;
}

/** Minimum share of its variance that a variable keeps if the others determine it. */
const LEAST_PIVOT = 1e-6;

/**
 * Lower Cholesky factor of a correlation matrix, in place. A variable that others determine keeps a small variance of
 * its own. Sums of parts can therefore be among the variables, and the matrix may be singular up to rounding.
 *
 * @param matrix lower triangle of n × n; it is overwritten
 */
export function choleskyInPlace(matrix: Float64Array, n: number): void {
  for (let j = 0; j < n; j++) {
    const rowJ = rowStart(j);
    let pivot = matrix[rowJ + j];
    for (let k = 0; k < j; k++) pivot -= matrix[rowJ + k] ** 2;
    const root = Math.sqrt(Math.max(LEAST_PIVOT, pivot));
    matrix[rowJ + j] = root;
    if (pivot < LEAST_PIVOT) {
      // The rest of the column is only rounding, and the division would magnify it.
      for (let i = j + 1; i < n; i++) matrix[rowStart(i) + j] = 0;
      continue;
    }
    for (let i = j + 1; i < n; i++) {
      const rowI = rowStart(i);
      let sum = matrix[rowI + j];
      for (let k = 0; k < j; k++) {
        sum -= matrix[rowI + k] * matrix[rowJ + k];
      }
      matrix[rowI + j] = sum / root;
    }
  }
}

/**
 * Squared Mahalanobis distance of scores, by forward substitution.
 *
 * @param factor lower Cholesky factor of their correlations, as a triangle
 */
export function squareDistance(factor: Float64Array, scores: Float64Array): number {
  const n = scores.length;
  const solved = new Float64Array(n);
  let square = 0;
  for (let i = 0; i < n; i++) {
    const row = rowStart(i);
    let sum = scores[i];
    for (let j = 0; j < i; j++) sum -= factor[row + j] * solved[j];
    solved[i] = sum / factor[row + i];
    square += solved[i] ** 2;
  }
  return square;
}

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

  /** Shifts the lattice again. */
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

/** Probabilities beyond these have no finite score. */
const [LEAST, MOST] = [1e-16, 1 - 1e-16];

/** The nearest probability with a finite score. */
export function inside(probability: number): number {
  return Math.min(MOST, Math.max(LEAST, probability));
}

/** Scores of the point under way. */
const SCORES = new Float64Array(BOX_VARIABLES_MAX);
