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
      SCORES[i - 1] = fastScore(Math.min(MOST, Math.max(LEAST, from + u * (to - from))));
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

/**
 * A point of the lattice inside a box, by the same transformation: independent normal scores, whose
 * product with the factor lies in the box.
 *
 * @param scores result, one for each variable
 * @returns weight of the point; the mean over all points is the probability of the box
 */
export function boxPoint(
  factor: Float64Array,
  low: Float64Array,
  high: Float64Array,
  point: number,
  shift: Float64Array,
  scores: Float64Array,
): number {
  const n = scores.length;
  let weight = 1;
  for (let i = 0; i < n; i++) {
    let mean = 0;
    for (let j = 0; j < i; j++) mean += (factor[i * n + j] as number) * (scores[j] as number);
    const sd = factor[i * n + i] as number;
    const from = fastPhi(((low[i] as number) - mean) / sd);
    const to = fastPhi(((high[i] as number) - mean) / sd);
    weight *= Math.max(0, to - from);
    const moved = (point * (ROOTS[i] as number) + (shift[i] as number)) % 1;
    const u = from + Math.abs(2 * moved - 1) * (to - from);
    scores[i] = fastScore(Math.min(MOST, Math.max(LEAST, u)));
  }
  return weight;
}

/**
 * Correlated normal scores of a point of the lattice.
 *
 * @param place shift of each variable, 0 to 1
 * @param scores result
 */
export function latticeScores(
  factor: Float64Array,
  place: Float64Array,
  point: number,
  scores: Float64Array,
): void {
  const n = scores.length;
  for (let i = 0; i < n; i++) {
    const u = (point * (ROOTS[i] as number) + (place[i] as number)) % 1;
    SCORES[i] = fastScore(Math.min(MOST, Math.max(LEAST, u)));
  }
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let j = 0; j <= i; j++) sum += (factor[i * n + j] as number) * (SCORES[j] as number);
    scores[i] = sum;
  }
}

/** Probabilities beyond these have no finite score. */
const [LEAST, MOST] = [1e-16, 1 - 1e-16];

/** Scores of the point under way. */
const SCORES = new Float64Array(BOX_VARIABLES_MAX);
