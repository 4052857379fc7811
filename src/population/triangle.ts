// Lower triangles of n × n matrices, row by row: element (i, j) with j ≤ i is at i (i + 1) / 2 + j. They take half
// the memory of the matrix.

/** Where row i of a triangle begins. */
export function rowStart(i: number): number {
  return (i * (i + 1)) >> 1;
}

/** Element of the symmetric matrix whose lower triangle this is. */
export function symmetric(triangle: Float64Array, i: number, j: number): number {
  return triangle[i < j ? rowStart(j) + i : rowStart(i) + j] as number;
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

/** Share of the variance that a variable keeps when the others determine it. */
const LEAST_PIVOT = 1e-6;

/**
 * Lower Cholesky factor of a correlation matrix, in place. A variable that others determine keeps a small variance of
 * its own, so that sums of parts can be among the variables, and the matrix may be singular to the rounding of its
 * elements.
 *
 * @param matrix lower triangle of n × n; it is overwritten
 */
export function choleskyInPlace(matrix: Float64Array, n: number): void {
  for (let j = 0; j < n; j++) {
    const rowJ = rowStart(j);
    let pivot = matrix[rowJ + j] as number;
    for (let k = 0; k < j; k++) pivot -= (matrix[rowJ + k] as number) ** 2;
    const root = Math.sqrt(Math.max(LEAST_PIVOT, pivot));
    matrix[rowJ + j] = root;
    if (pivot < LEAST_PIVOT) {
      // What is left of the column is rounding, which the division would magnify.
      for (let i = j + 1; i < n; i++) matrix[rowStart(i) + j] = 0;
      continue;
    }
    for (let i = j + 1; i < n; i++) {
      const rowI = rowStart(i);
      let sum = matrix[rowI + j] as number;
      for (let k = 0; k < j; k++) {
        sum -= (matrix[rowI + k] as number) * (matrix[rowJ + k] as number);
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
    let sum = scores[i] as number;
    for (let j = 0; j < i; j++) sum -= (factor[row + j] as number) * (solved[j] as number);
    solved[i] = sum / (factor[row + i] as number);
    square += (solved[i] as number) ** 2;
  }
  return square;
}
