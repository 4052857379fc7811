import { factor, substitute } from './cholesky.js';

/** Mean, standard deviation and bounds of a parameter before a person is known. */
export interface Prior {
  readonly mean: number;
  readonly sd: number;
  readonly least: number;
  readonly most: number;
}

/** An equation of a system: one of its rows, or the difference of two, times a weight. */
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
 * There are fewer residuals than parameters, so the smaller system of the residuals is solved in its place
 * (Woodbury 1950): with V = ((1 + λ) P)⁻¹ and d = (mean + λ from) ÷ (1 + λ) − x,
 * m = d + V Jᵀ (I + J V Jᵀ)⁻¹ (r − J d).
 * Parameters that would leave their bounds stop there, and the others make up for it.
 */
export class DampedSystem {
  private readonly variance: Float64Array;
  private readonly begin: Float64Array;
  /** J V Jᵀ and r − J d. */
  private readonly gram: Float64Array;
  private readonly left: Float64Array;

  /**
   * @param rows J: derivatives of each reading by the parameters
   * @param residuals r: asked less achieved
   * @param damping λ
   * @param from where the damping holds the parameters
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
      this.begin[i] = (mean + damping * (from[i] as number)) / (1 + damping) - (x[i] as number);
    });
    this.gram = new Float64Array(count * count);
    this.left = new Float64Array(count);
    const { variance, begin, gram } = this;
    const scaled = new Float64Array(n);
    for (let i = 0; i < count; i++) {
      const row = rows[i] as Float64Array;
      let rest = residuals[i] as number;
      for (let p = 0; p < n; p++) {
        const slope = row[p] as number;
        rest -= slope * (begin[p] as number);
        scaled[p] = slope * (variance[p] as number);
      }
      this.left[i] = rest;
      for (let j = 0; j <= i; j++) {
        const other = rows[j] as Float64Array;
        let sum = 0;
        for (let p = 0; p < n; p++) sum += (scaled[p] as number) * (other[p] as number);
        gram[i * count + j] = sum;
        gram[j * count + i] = sum;
      }
    }
  }

  /**
   * The parameters after a step.
   *
   * @param equations what the step shall meet; by default every row
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
        const { least, most } = priors[p] as Prior;
        const to = (x[p] as number) + (next[p] as number);
        if (variance[p] === 0 || (to >= least && to <= most)) continue;
        const bounded = Math.min(Math.max(to, least), most) - (x[p] as number);
        for (let i = 0; i < count; i++) {
          const slope = (rows[i] as Float64Array)[p] as number;
          if (slope === 0) continue;
          left[i] = (left[i] as number) - slope * (bounded - (begin[p] as number));
          const scaled = slope * (variance[p] as number);
          for (let j = 0; j < count; j++) {
            const at = i * count + j;
            gram[at] = (gram[at] as number) - scaled * ((rows[j] as Float64Array)[p] as number);
          }
        }
        variance[p] = 0;
        begin[p] = bounded;
        stopped += 1;
      }
      if (stopped === 0) return next.map((by, p) => (x[p] as number) + by);
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
      const rest = (left[row] as number) - (less === undefined ? 0 : (left[less] as number));
      y[i] = weight * rest;
      for (let j = 0; j <= i; j++) {
        const other = equations[j] as Equation;
        let sum = gram[row * all + other.row] as number;
        if (less !== undefined) sum -= gram[less * all + other.row] as number;
        if (other.less !== undefined) {
          sum -= gram[row * all + other.less] as number;
          if (less !== undefined) sum += gram[less * all + other.less] as number;
        }
        matrix[i * count + j] = weight * (other.weight ?? 1) * sum + (i === j ? 1 : 0);
      }
    });
    if (!factor(matrix, count)) throw new Error('The equations of a body are not definite.');
    substitute(matrix, count, y);
    const shares = new Float64Array(all);
    equations.forEach(({ row, less, weight = 1 }, i) => {
      const share = weight * (y[i] as number);
      shares[row] = (shares[row] as number) + share;
      if (less !== undefined) shares[less] = (shares[less] as number) - share;
    });
    const pulled = new Float64Array(begin.length);
    for (let i = 0; i < all; i++) {
      const share = shares[i] as number;
      if (share === 0) continue;
      const row = this.rows[i] as Float64Array;
      for (let p = 0; p < row.length; p++) {
        pulled[p] = (pulled[p] as number) + share * (row[p] as number);
      }
    }
    return begin.map((by, p) => by + (variance[p] as number) * (pulled[p] as number));
  }
}
