import { factor, substitute } from '../numerics/numerics.js';

/** Mean, standard deviation and bounds of a parameter before a person is known. */
export interface Prior {
  readonly mean: number;
  readonly sd: number;
  readonly least: number;
  readonly most: number;
}

/** An equation of a system: a row, or the difference of two rows, times a weight. */
export interface Equation {
  readonly row: number;
  readonly less?: number;
  readonly weight?: number;
}

/**
 * Damped Gauss–Newton steps with a normal prior for each parameter. A step moves the parameters by the m that solves
 *
 *   (JᵀJ + (1 + λ) P) m = Jᵀ r + P (mean + λ from − (1 + λ) x),  P = diag(1 / sd²)
 *
 * There are fewer residuals than parameters, so the smaller system of the residuals is solved instead (Woodbury 1950):
 * with V = ((1 + λ) P)⁻¹ and d = (mean + λ from) ÷ (1 + λ) − x,
 *
 *   m = d + V Jᵀ (I + J V Jᵀ)⁻¹ (r − J d).
 *
 * A parameter that would leave its bounds stops at the bound, and the others compensate for it.
 */
export class DampedSystem {
  private readonly variance: Float64Array;
  private readonly begin: Float64Array;
  /** J V Jᵀ and r − J d. */
  private readonly gram: Float64Array;
  private readonly left: Float64Array;

  /**
   * @param rows J: derivatives of each reading by the parameters
   * @param residuals r: asked minus achieved
   * @param damping λ
   * @param from the parameters to which the damping pulls
   */
  constructor(
    private readonly rows: readonly Float64Array[],
    residuals: ArrayLike<number>,
    private readonly x: Float64Array,
    private readonly priors: readonly Prior[],
    damping = 0,
    from = x,
  ) {
    const n = x.length;
    const count = rows.length;
    this.variance = new Float64Array(n);
    this.begin = new Float64Array(n);
    priors.forEach(({ mean, sd }, i) => {
      this.variance[i] = (sd * sd) / (1 + damping);
      this.begin[i] = (mean + damping * from[i]) / (1 + damping) - x[i];
    });
    this.gram = new Float64Array(count * count);
    this.left = new Float64Array(count);
    const { variance, begin, gram } = this;
    const scaled = new Float64Array(n);
    for (let i = 0; i < count; i++) {
      const row = rows[i];
      let rest = residuals[i];
      for (let p = 0; p < n; p++) {
        const slope = row[p];
        rest -= slope * begin[p];
        scaled[p] = slope * variance[p];
      }
      this.left[i] = rest;
      for (let j = 0; j <= i; j++) {
        const other = rows[j];
        let sum = 0;
        for (let p = 0; p < n; p++) sum += scaled[p] * other[p];
        gram[i * count + j] = sum;
        gram[j * count + i] = sum;
      }
    }
  }

  /**
   * Returns the parameters after a step.
   *
   * @param equations equations that the step solves; by default every row
   */
  solve(equations: readonly Equation[] = this.rows.map((_, row) => ({ row }))): Float64Array {
    const { rows, x, priors } = this;
    const count = rows.length;
    const variance = this.variance.slice();
    const begin = this.begin.slice();
    const gram = this.gram.slice();
    const left = this.left.slice();
    for (;;) {
      const next = this.moved(equations, variance, begin, gram, left);
      let stopped = 0;
      for (let p = 0; p < x.length; p++) {
        const { least, most } = priors[p];
        const to = x[p] + next[p];
        if (variance[p] === 0 || (to >= least && to <= most)) continue;
        const bounded = Math.min(Math.max(to, least), most) - x[p];
        for (let i = 0; i < count; i++) {
          const slope = rows[i][p];
          if (slope === 0) continue;
          left[i] -= slope * (bounded - begin[p]);
          const scaled = slope * variance[p];
          for (let j = 0; j < count; j++) {
            const at = i * count + j;
            gram[at] -= scaled * rows[j][p];
          }
        }
        variance[p] = 0;
        begin[p] = bounded;
        stopped += 1;
      }
      if (stopped === 0) return next.map((by, p) => x[p] + by);
    }
  }

  /** d + V Jᵀ (I + J V Jᵀ)⁻¹ (r − J d) */
  private moved(
    equations: readonly Equation[],
    variance: Float64Array,
    begin: Float64Array,
    gram: Float64Array,
    left: Float64Array,
  ): Float64Array {
    const all = this.rows.length;
    const count = equations.length;
    const matrix = new Float64Array(count * count);
    const y = new Float64Array(count);
    equations.forEach(({ row, less, weight = 1 }, i) => {
      const rest = left[row] - (less === undefined ? 0 : left[less]);
      y[i] = weight * rest;
      for (let j = 0; j <= i; j++) {
        const other = equations[j];
        let sum = gram[row * all + other.row];
        if (less !== undefined) sum -= gram[less * all + other.row];
        if (other.less !== undefined) {
          sum -= gram[row * all + other.less];
          if (less !== undefined) sum += gram[less * all + other.less];
        }
        matrix[i * count + j] = weight * (other.weight ?? 1) * sum + (i === j ? 1 : 0);
      }
    });
    if (!factor(matrix, count)) throw new Error('The equations of a body are not definite.');
    substitute(matrix, count, y);
    const shares = new Float64Array(all);
    equations.forEach(({ row, less, weight = 1 }, i) => {
      const share = weight * y[i];
      shares[row] += share;
      if (less !== undefined) shares[less] -= share;
    });
    const pulled = new Float64Array(begin.length);
    for (let i = 0; i < all; i++) {
      const share = shares[i];
      if (share === 0) continue;
      const row = this.rows[i];
      for (let p = 0; p < row.length; p++) {
        pulled[p] += share * row[p];
      }
    }
    return begin.map((by, p) => by + variance[p] * pulled[p]);
  }
}
