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
