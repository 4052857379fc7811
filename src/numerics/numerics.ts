import cdf from '@stdlib/stats-base-dists-normal-cdf';
import quantile from '@stdlib/stats-base-dists-normal-quantile';

// The normal distribution

/** Share of people below a standard normal score. */
export const shareBelow = cdf.factory(0, 1);
/** Standard normal score below which a share of the people lies. */
export const scoreOfShare = quantile.factory(0, 1);

/**
 * The normal distribution for integrals over many points. These functions are ten times as fast as the exact ones. They
 * are less exact, but the numerical error of an integral is larger than the difference.
 */

/** At the ends of the table, the distribution differs from 0 and 1 by less than 1e-16. */
const END = 8.5;
const PER_UNIT = 32;
const STEP = 1 / PER_UNIT;
const LAST = 2 * END * PER_UNIT;
const zOf = (knot: number): number => knot * STEP - END;
const VALUES = Float64Array.from({ length: LAST + 1 }, (_, knot) => shareBelow(zOf(knot)));
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

/** Probabilities beyond these have no finite score. */
const [LEAST, MOST] = [1e-16, 1 - 1e-16];

/** The nearest probability with a finite score. */
export function inside(probability: number): number {
  return Math.min(MOST, Math.max(LEAST, probability));
}

// Searches

/** The first index below `end` that meets a condition, or `end`. All higher indices must meet it too. */
export function firstIndex(end: number, meets: (index: number) => boolean): number {
  let low = 0;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (meets(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The highest number known to meet a condition after an interval is halved some times. All lower numbers meet it. */
export function bisected(
  [from, to]: readonly [number, number],
  rounds: number,
  meets: (at: number) => boolean,
): number {
  let [low, high] = [from, to];
  for (let round = 0; round < rounds; round++) {
    const middle = (low + high) / 2;
    if (meets(middle)) low = middle;
    else high = middle;
  }
  return low;
}

// Symmetric matrices

/**
 * Factors a symmetric positive definite matrix in place: A = L Lᵀ. Only the lower triangle is read and written.
 *
 * @param matrix n × n values, row by row
 * @returns whether the matrix is positive definite
 */
export function factor(matrix: Float64Array, n: number): boolean {
  for (let i = 0; i < n; i++) {
    const row = i * n;
    for (let j = 0; j <= i; j++) {
      const other = j * n;
      let sum = matrix[row + j];
      for (let k = 0; k < j; k++) {
        sum -= matrix[row + k] * matrix[other + k];
      }
      if (i === j) {
        if (!(sum > 0)) return false;
        matrix[row + i] = Math.sqrt(sum);
      } else {
        matrix[row + j] = sum / matrix[other + j];
      }
    }
  }
  return true;
}

/** Solves L Lᵀ x = b in place, with the L of `factor` in the lower triangle. */
export function substitute(lower: Float64Array, n: number, b: Float64Array): void {
  for (let i = 0; i < n; i++) {
    let sum = b[i];
    for (let k = 0; k < i; k++) sum -= lower[i * n + k] * b[k];
    b[i] = sum / lower[i * n + i];
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = b[i];
    for (let k = i + 1; k < n; k++) sum -= lower[k * n + i] * b[k];
    b[i] = sum / lower[i * n + i];
  }
}

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
