/** One part of a sum: a coefficient times a quantile function of the standard normal score. */
export interface Part {
  readonly coefficient: number;
  /** Gives the quantile in mm at each score. */
  readonly fill: (scores: Float64Array, mm: Float64Array) => void;
}

/**
 * Nodes and weights of the 3-point Gauss–Hermite rule for the standard normal weight (Abramowitz and
 * Stegun 1964, table 25.10, rescaled).
 */
const NODES = [-Math.sqrt(3), 0, Math.sqrt(3)] as const;
const WEIGHTS = [1 / 6, 2 / 3, 1 / 6] as const;
/** Step of numerical derivatives by z. */
const STEP = 0.25;
/** A value before, at and after a score. */
type Three = [number, number, number];

/** A smaller variance of a residual direction is a rounding error. */
const NO_VARIANCE = 1e-12;

/** Points and weights over all residual directions. */
interface Nodes {
  /** Coordinates of the points: an array for each part. */
  readonly at: readonly Float64Array[];
  readonly weights: Float64Array;
}

/** Every combination of the nodes over the directions, for a number of parts. */
function nodesOver(directions: readonly (readonly number[])[], parts: number): Nodes {
  const count = NODES.length ** directions.length;
  const at = Array.from({ length: parts }, () => new Float64Array(count));
  const weights = new Float64Array(count).fill(1);
  directions.forEach((direction, d) => {
    const stride = NODES.length ** (directions.length - 1 - d);
    for (let i = 0; i < count; i++) {
      const node = Math.floor(i / stride) % NODES.length;
      weights[i] *= WEIGHTS[node];
      for (let k = 0; k < parts; k++) {
        const ofPart = at[k] as Float64Array;
        ofPart[i] += NODES[node] * direction[k];
      }
    }
  });
  return { at, weights };
}

/**
 * Means and variances of the sum over the nodes, at each place `t` along the direction in which the sum
 * rises.
 */
function momentsAlong(
  parts: readonly Part[],
  along: readonly number[],
  { at, weights }: Nodes,
  ts: Float64Array,
): { means: Float64Array; variances: Float64Array } {
  const count = weights.length;
  const size = ts.length * count;
  const [scores, mm, sums] = [
    new Float64Array(size),
    new Float64Array(size),
    new Float64Array(size),
  ];
  for (let k = 0; k < parts.length; k++) {
    const { coefficient, fill } = parts[k];
    const [rise, ofPart] = [along[k], at[k]];
    for (let i = 0; i < size; i++) {
      const node = i % count;
      scores[i] = ts[(i - node) / count] * rise + ofPart[node];
    }
    fill(scores, mm);
    for (let i = 0; i < size; i++) sums[i] += coefficient * mm[i];
  }
  const means = new Float64Array(ts.length);
  const variances = new Float64Array(ts.length);
  for (let t = 0; t < ts.length; t++) {
    let [mean, square] = [0, 0];
    for (let i = 0; i < count; i++) {
      const [weight, value] = [weights[i], sums[t * count + i]];
      mean += weight * value;
      square += weight * value * value;
    }
    means[t] = mean;
    variances[t] = Math.max(0, square - mean * mean);
  }
  return { means, variances };
}

/** Columns whose outer products sum to a positive semi-definite matrix (Cholesky without pivoting). */
function factorOf(matrix: readonly (readonly number[])[]): number[][] {
  const left = matrix.map((row) => [...row]);
  const columns: number[][] = [];
  for (let k = 0; k < left.length; k++) {
    const pivot = left[k]?.[k];
    if (pivot < NO_VARIANCE) continue;
    const column = left.map((row) => row[k] / Math.sqrt(pivot));
    left.forEach((row, i) => {
      column.forEach((value, j) => {
        row[j] -= column[i] * value;
      });
    });
    columns.push(column);
  }
  return columns;
}

/**
 * Quantiles in mm of a sum of dimensions whose normal scores have the given correlations.
 *
 * The scores are split into the direction t, in which the sum rises at its middle, and the rest. Given t,
 * the sum has mean m(t) and variance v(t). They are computed by quadrature over the rest. The quantile of
 * the sum is m + ½ (t v ÷ m′ − (v ÷ m′)′). It is exact to the first order in v (Gouriéroux, Laurent and
 * Scaillet 2000, J. Empir. Finance 7:225; Martin and Wilde 2002, Risk 15(11):123).
 *
 * @param rho correlations of the parts' scores, in the order of the parts
 * @param scores standard normal scores of the quantiles
 */
export function sumQuantiles(
  parts: readonly Part[],
  rho: readonly (readonly number[])[],
  scores: readonly number[],
): number[] {
  const [around, aroundMm] = [Float64Array.of(-STEP, STEP), new Float64Array(2)];
  const slopes = parts.map(({ coefficient, fill }) => {
    fill(around, aroundMm);
    return (coefficient * (aroundMm[1] - aroundMm[0])) / (2 * STEP);
  });
  const covariance = rho.map((row) => row.reduce((sum, value, j) => sum + value * slopes[j], 0));
  const sd = Math.sqrt(covariance.reduce((sum, value, i) => sum + value * slopes[i], 0));
  const along = covariance.map((value) => value / sd);
  const rest = rho.map((row, i) => row.map((value, j) => value - along[i] * along[j]));
  const directions = factorOf(rest);
  const nodes = nodesOver(directions, parts.length);
  const ts = Float64Array.from(scores.flatMap((t) => [t - STEP, t, t + STEP]));
  const { means, variances } = momentsAlong(parts, along, nodes, ts);
  return scores.map((t, i) => {
    const [before, here, after] = [means[3 * i], means[3 * i + 1], means[3 * i + 2]] as Three;
    const variance = variances[3 * i + 1];
    const slope = (after - before) / (2 * STEP);
    const bend = (after - 2 * here + before) / STEP ** 2;
    const widening = (variances[3 * i + 2] - variances[3 * i]) / (2 * STEP);
    const shift = (t * variance - widening + (variance * bend) / slope) / slope;
    return here + shift / 2;
  });
}
