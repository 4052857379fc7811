import { inverse as invert, Matrix } from 'ml-matrix';
import { factor } from '../../../src/numerics/numerics.js';

/** Observations whose covariance is a sum of known matrices with unknown variances. */
export interface Block {
  /** Deviations from an expected value of 0. */
  readonly values: Float64Array;
  /** One symmetric n × n matrix (row by row) for each component that observations share. */
  readonly kernels: readonly Float64Array[];
  /**
   * One diagonal for each component that every observation has for itself. These components come after the
   * shared ones.
   */
  readonly diagonals: readonly Float64Array[];
  /** Known variances (of sampling), added to the diagonal. */
  readonly known: Float64Array;
}

/**
 * Degrees of freedom of a block's scale. Blocks share the proportions of their variances, but each has
 * its own scale from an inverse gamma distribution. This makes a multivariate t (Lange, Little and
 * Taylor 1989, JASA 84:881, who recommend 4 degrees of freedom).
 */
const SCALE_FREEDOM = 4;

/** Prior of the ln variances: their means, and one standard deviation for all. */
export interface Prior {
  readonly means: readonly number[];
  readonly sd: number;
}

/** Smallest and largest variance tried. */
const BOUNDS = [Math.log(1e-5), Math.log(10)] as const;
const MOST_STEPS = 60;
/**
 * The search ends when ln posterior rises by less than this. Such a gain is far too small to prefer a
 * model.
 */
const LEAST_GAIN = 0.02;

/** Inverse of an n × n matrix from its lower Cholesky factor. */
function inverseOf(factor: Float64Array, n: number): Float64Array {
  // Inverse of the factor by columns, so that the sums run along the memory.
  const columns = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    const column = j * n;
    columns[column + j] = 1 / factor[j * n + j];
    for (let i = j + 1; i < n; i++) {
      const row = i * n;
      let sum = 0;
      for (let k = j; k < i; k++) sum -= factor[row + k] * columns[column + k];
      columns[column + i] = sum / factor[row + i];
    }
  }
  const inverse = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    const one = i * n;
    for (let j = 0; j <= i; j++) {
      const other = j * n;
      let sum = 0;
      for (let k = i; k < n; k++) sum += columns[one + k] * columns[other + k];
      inverse[i * n + j] = sum;
      inverse[j * n + i] = sum;
    }
  }
  return inverse;
}

/** A block under given variances, with the quantities that predictions need. */
export interface SolvedBlock {
  readonly inverse: Float64Array;
  /** Inverse covariance times the values. */
  readonly weights: Float64Array;
  readonly lnDeterminant: number;
  /** Squared scale of the block, estimated from its values. */
  readonly scale: number;
}

/**
 * Observations under a given covariance.
 *
 * @param values deviations from an expected value of 0, n of them
 * @param matrix lower triangle of their covariance, n × n row by row; it is overwritten
 * @throws Error when the covariance is not positive definite
 */
export function solve(values: Float64Array, matrix: Float64Array): SolvedBlock {
  const n = values.length;
  if (!factor(matrix, n)) throw new Error('a covariance is not positive definite');
  let lnDeterminant = 0;
  for (let i = 0; i < n; i++) lnDeterminant += 2 * Math.log(matrix[i * n + i]);
  const inverse = inverseOf(matrix, n);
  const weights = new Float64Array(n);
  let squares = 0;
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += inverse[i * n + j] * values[j];
    weights[i] = sum;
    squares += sum * values[i];
  }
  const scale = (SCALE_FREEDOM + squares) / (SCALE_FREEDOM + n);
  return { inverse, weights, lnDeterminant, scale };
}

/**
 * Errors of some rows of a block when the other rows predict them, divided by their expected standard
 * deviations (Bachoc 2013, Comput. Stat. Data Anal. 66:55). Rows that are left out together do not predict
 * each other.
 *
 * @param out numbers of the rows that are left out
 */
export function leftOutErrors(
  { inverse, weights, scale }: SolvedBlock,
  out: readonly number[],
): number[] {
  const n = weights.length;
  const covariance = invert(new Matrix(out.map((i) => out.map((j) => inverse[i * n + j]))));
  const ofOut = out.map((i) => weights[i]);
  const errors = covariance.mmul(Matrix.columnVector(ofOut)).to1DArray();
  // The scale does not count what the left-out rows add to the sum of squares.
  const all = scale * (SCALE_FREEDOM + n) - SCALE_FREEDOM;
  const squares = all - errors.reduce((sum, error, i) => sum + error * ofOut[i], 0);
  const others = (SCALE_FREEDOM + squares) / (SCALE_FREEDOM + n - out.length - 2);
  return errors.map((error, i) => error / Math.sqrt(covariance.get(i, i) * others));
}

function solveBlock(
  { values, kernels, diagonals, known }: Block,
  variances: readonly number[],
): SolvedBlock {
  const n = values.length;
  const matrix = new Float64Array(n * n);
  kernels.forEach((kernel, c) => {
    const variance = variances[c];
    for (let i = 0; i < n; i++) {
      for (let ij = i * n; ij <= i * n + i; ij++) matrix[ij] += variance * kernel[ij];
    }
  });
  diagonals.forEach((diagonal, d) => {
    const variance = variances[kernels.length + d];
    for (let i = 0; i < n; i++) matrix[i * n + i] += variance * diagonal[i];
  });
  for (let i = 0; i < n; i++) matrix[i * n + i] += known[i];
  return solve(values, matrix);
}

/**
 * Variance of a block's scale, given the values of the block. The variance of a multivariate t is that of
 * its covariance times degrees of freedom ÷ (degrees of freedom − 2).
 */
export function expectedScale(solved?: SolvedBlock): number {
  const n = solved?.weights.length ?? 0;
  return ((solved?.scale ?? 1) * (SCALE_FREEDOM + n)) / (SCALE_FREEDOM + n - 2);
}

interface Slope {
  readonly value: number;
  readonly gradient: Float64Array;
}

/** Negative ln posterior of the ln variances, and its gradient. */
function posterior(blocks: readonly Block[], prior: Prior, lnVariances: Float64Array): Slope {
  const variances = [...lnVariances].map(Math.exp);
  const gradient = new Float64Array(variances.length);
  let value = 0;
  for (const block of blocks) {
    const n = block.values.length;
    const { inverse, weights, lnDeterminant, scale } = solveBlock(block, variances);
    value += 0.5 * lnDeterminant;
    value += 0.5 * (SCALE_FREEDOM + n) * Math.log(((SCALE_FREEDOM + n) * scale) / SCALE_FREEDOM);
    // V⁻¹ − w w′ ÷ scale overwrites the inverse. Its two triangles are equal, so one is enough.
    for (let i = 0; i < n; i++) {
      const w = weights[i] / scale;
      for (let ij = i * n, j = 0; j <= i; ij++, j++) inverse[ij] -= w * weights[j];
    }
    const add = (c: number, sum: number) => {
      gradient[c] += 0.5 * variances[c] * sum;
    };
    block.kernels.forEach((kernel, c) => {
      let sum = 0;
      for (let i = 0; i < n; i++) {
        let below = 0;
        const ii = i * n + i;
        for (let ij = i * n; ij < ii; ij++) below += inverse[ij] * kernel[ij];
        sum += 2 * below + inverse[ii] * kernel[ii];
      }
      add(c, sum);
    });
    block.diagonals.forEach((diagonal, d) => {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += inverse[i * n + i] * diagonal[i];
      add(block.kernels.length + d, sum);
    });
  }
  lnVariances.forEach((ln, c) => {
    const off = (ln - prior.means[c]) / prior.sd;
    value += 0.5 * off * off;
    gradient[c] += off / prior.sd;
  });
  return { value, gradient };
}

const dot = (a: Float64Array, b: Float64Array): number =>
  a.reduce((sum, value, i) => sum + value * b[i], 0);

/** The inverse Hessian's rank-two update (Nocedal and Wright 2006, Numerical Optimization, 6.17). */
function updated(h: Float64Array[], step: Float64Array, change: Float64Array): Float64Array[] {
  const curvature = dot(step, change);
  if (curvature <= 1e-12) return h;
  const moved = Float64Array.from(h, (row) => dot(row, change));
  const factor = (1 + dot(change, moved) / curvature) / curvature;
  return h.map((row, i) =>
    row.map((value, j) => {
      const [si, sj] = [step[i], step[j]];
      const cross = moved[i] * sj + si * moved[j];
      return value + factor * si * sj - cross / curvature;
    }),
  );
}

/**
 * Variances of the components at the largest marginal posterior over all blocks. The method is maximum
 * likelihood of linear mixed models (Searle, Casella and McCulloch 1992, Variance Components, 6.2) with a
 * prior on the ln variances. The gradient is ½ v [tr(V⁻¹K) − w′Kw ÷ scale]. The search takes BFGS steps
 * from the prior's means and is deterministic.
 *
 * @throws Error when a covariance is not positive definite
 */
export function fitVariances(blocks: readonly Block[], prior: Prior): number[] {
  const size = prior.means.length;
  let at = Float64Array.from(prior.means);
  let here = posterior(blocks, prior, at);
  let inverseHessian: Float64Array[] = Array.from({ length: size }, (_, i) =>
    Float64Array.from({ length: size }, (_, j) => (i === j ? 0.1 : 0)),
  );
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const { gradient } = here;
    const direction = Float64Array.from(inverseHessian, (row) => -dot(row, gradient));
    let length = Math.min(1, 2 / Math.max(...direction.map(Math.abs)));
    let next = at;
    let there = here;
    do {
      next = at.map((ln, c) => {
        const tried = ln + length * direction[c];
        return Math.min(BOUNDS[1], Math.max(BOUNDS[0], tried));
      });
      there = posterior(blocks, prior, next);
      length /= 2;
    } while (there.value > here.value && length > 1e-6);
    const gain = here.value - there.value;
    if (!(gain > 0)) break;
    const step = next.map((ln, c) => ln - at[c]);
    const change = there.gradient.map((slope, c) => slope - gradient[c]);
    inverseHessian = updated(inverseHessian, step, change);
    at = next;
    here = there;
    if (gain < LEAST_GAIN) break;
  }
  return [...at].map(Math.exp);
}
