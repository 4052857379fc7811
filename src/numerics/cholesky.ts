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
