import { factor, substitute } from './cholesky.js';

/** Mean, standard deviation and bounds of a parameter before a person is known. */
export interface Prior {
  readonly mean: number;
  readonly sd: number;
  readonly least: number;
  readonly most: number;
}

/**
 * The next parameters of a damped Gauss–Newton step with a normal prior for each parameter. The move m solves
 *
 *   (JᵀJ + (1 + λ) P) m = Jᵀ r + P (mean − x),  P = diag(1 / sd²)
 *
 * There are fewer residuals than parameters, so the smaller system of the residuals is solved in its place
 * (Woodbury 1950): with V = ((1 + λ) P)⁻¹ and d = (mean − x) ÷ (1 + λ), m = d + V Jᵀ (I + J V Jᵀ)⁻¹ (r − J d).
 * Parameters that would leave their bounds stop there, and the others make up for it.
 *
 * @param rows J: derivatives of each reading by the parameters
 * @param residuals r: asked less achieved
 * @param damping λ
 */
export function dampedStep(
  rows: readonly Float64Array[],
  residuals: Float64Array,
  x: Float64Array,
  priors: readonly Prior[],
  damping: number,
): Float64Array {
  const variance = Float64Array.from(priors, ({ sd }) => (sd * sd) / (1 + damping));
  const move = Float64Array.from(
    priors,
    ({ mean }, i) => (mean - (x[i] as number)) / (1 + damping),
  );
  for (;;) {
    const next = moved(rows, residuals, variance, move);
    let stopped = 0;
    priors.forEach(({ least, most }, i) => {
      const to = (x[i] as number) + (next[i] as number);
      if (variance[i] === 0 || (to >= least && to <= most)) return;
      variance[i] = 0;
      move[i] = Math.min(Math.max(to, least), most) - (x[i] as number);
      stopped += 1;
    });
    if (stopped === 0) return next.map((by, i) => (x[i] as number) + by);
  }
}

/** d + V Jᵀ (I + J V Jᵀ)⁻¹ (r − J d) */
function moved(
  rows: readonly Float64Array[],
  residuals: Float64Array,
  variance: Float64Array,
  d: Float64Array,
): Float64Array {
  const count = rows.length;
  const n = d.length;
  const matrix = new Float64Array(count * count);
  const y = new Float64Array(count);
  const scaled = new Float64Array(n);
  for (let i = 0; i < count; i++) {
    const row = rows[i] as Float64Array;
    let left = residuals[i] as number;
    for (let p = 0; p < n; p++) {
      const slope = row[p] as number;
      left -= slope * (d[p] as number);
      scaled[p] = slope * (variance[p] as number);
    }
    y[i] = left;
    for (let j = 0; j <= i; j++) {
      const other = rows[j] as Float64Array;
      let sum = i === j ? 1 : 0;
      for (let p = 0; p < n; p++) sum += (scaled[p] as number) * (other[p] as number);
      matrix[i * count + j] = sum;
    }
  }
  if (!factor(matrix, count)) throw new Error('The normal equations of a body are not definite.');
  substitute(matrix, count, y);
  const move = d.slice();
  for (let p = 0; p < n; p++) {
    let sum = 0;
    for (let i = 0; i < count; i++)
      sum += ((rows[i] as Float64Array)[p] as number) * (y[i] as number);
    move[p] = (move[p] as number) + (variance[p] as number) * sum;
  }
  return move;
}
