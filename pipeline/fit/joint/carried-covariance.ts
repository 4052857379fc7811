import { Matrix } from 'ml-matrix';

/**
 * The covariances R C Rᵀ of linear combinations of quantities with covariances C. Most weights in R are 0
 * and are skipped. The sums run in the order of the columns, as in a product of whole matrices.
 *
 * @param rows a row of weights R for each combination
 * @param covariance the symmetric matrix C
 */
export function carried(rows: Matrix, covariance: Matrix): Matrix {
  const terms = rows.to2DArray().map((row) => {
    return row.flatMap((weight, k) => (weight === 0 ? [] : [{ weight, k }]));
  });
  const half = new Matrix(rows.rows, covariance.columns);
  terms.forEach((ofRow, i) => {
    for (let j = 0; j < covariance.columns; j++) {
      let sum = 0;
      for (const { weight, k } of ofRow) sum += weight * covariance.get(k, j);
      half.set(i, j, sum);
    }
  });
  const result = new Matrix(rows.rows, rows.rows);
  terms.forEach((ofColumn, j) => {
    for (let i = 0; i < rows.rows; i++) {
      let sum = 0;
      for (const { weight, k } of ofColumn) sum += half.get(i, k) * weight;
      result.set(i, j, sum);
    }
  });
  return result;
}
