/** One part of a sum: a coefficient times a quantile function of the standard normal score. */
export interface Part {
  readonly coefficient: number;
  readonly valueMm: (z: number) => number;
}

/**
 * Nodes and weights of the 3-point Gauss–Hermite rule for the standard normal weight (Abramowitz and
 * Stegun 1964, table 25.10, rescaled).
 */
const NODES = [-Math.sqrt(3), 0, Math.sqrt(3)] as const;
const WEIGHTS = [1 / 6, 2 / 3, 1 / 6] as const;
/** Step of numerical derivatives by z. */
const STEP = 0.25;
/** Smaller variances of a residual direction are rounding. */
const NO_VARIANCE = 1e-12;

/** Points and weights over all residual directions: every combination of the nodes. */
function nodesOver(directions: readonly (readonly number[])[]) {
  let points: { at: number[]; weight: number }[] = [
    { at: (directions[0] ?? []).map(() => 0), weight: 1 },
  ];
  for (const direction of directions) {
    points = points.flatMap(({ at, weight }) =>
      NODES.map((node, i) => ({
        at: at.map((value, k) => value + node * (direction[k] as number)),
        weight: weight * (WEIGHTS[i] as number),
      })),
    );
  }
  return points;
}

/** Columns whose outer products sum to a positive semi-definite matrix (Cholesky without pivoting). */
function factorOf(matrix: readonly (readonly number[])[]): number[][] {
  const left = matrix.map((row) => [...row]);
  const columns: number[][] = [];
  for (let k = 0; k < left.length; k++) {
    const pivot = left[k]?.[k] as number;
    if (pivot < NO_VARIANCE) continue;
    const column = left.map((row) => (row[k] as number) / Math.sqrt(pivot));
    left.forEach((row, i) => {
      column.forEach((value, j) => {
        row[j] = (row[j] as number) - (column[i] as number) * value;
      });
    });
    columns.push(column);
  }
  return columns;
}

/**
 * Quantiles in mm of a sum of dimensions whose normal scores have the given correlations.
 *
 * The scores are split into the direction t in which the sum rises at its middle, and the rest. Given
 * t the sum has mean m(t) and variance v(t), by quadrature over the rest. Its quantile is
 * m + ½ (t v ÷ m′ − (v ÷ m′)′), exact to the first order in v (Gouriéroux, Laurent and Scaillet 2000,
 * J. Empir. Finance 7:225; Martin and Wilde 2002, Risk 15(11):123).
 *
 * @param rho correlations of the parts' scores, in the order of the parts
 * @param scores standard normal scores of the quantiles
 */
export function sumQuantiles(
  parts: readonly Part[],
  rho: readonly (readonly number[])[],
  scores: readonly number[],
): number[] {
  const slopes = parts.map(
    ({ coefficient, valueMm }) => (coefficient * (valueMm(STEP) - valueMm(-STEP))) / (2 * STEP),
  );
  const covariance = rho.map((row) =>
    row.reduce((sum, value, j) => sum + value * (slopes[j] as number), 0),
  );
  const sd = Math.sqrt(
    covariance.reduce((sum, value, i) => sum + value * (slopes[i] as number), 0),
  );
  const along = covariance.map((value) => value / sd);
  const rest = rho.map((row, i) =>
    row.map((value, j) => value - (along[i] as number) * (along[j] as number)),
  );
  const directions = factorOf(rest);
  const nodes = nodesOver(directions.length === 0 ? [along.map(() => 0)] : directions);
  const momentsAt = (t: number) => {
    let [mean, square] = [0, 0];
    for (const { at, weight } of nodes) {
      let value = 0;
      for (let k = 0; k < parts.length; k++) {
        const part = parts[k] as Part;
        value += part.coefficient * part.valueMm(t * (along[k] as number) + (at[k] as number));
      }
      mean += weight * value;
      square += weight * value * value;
    }
    return { mean, variance: Math.max(0, square - mean * mean) };
  };
  return scores.map((t) => {
    const [before, here, after] = [momentsAt(t - STEP), momentsAt(t), momentsAt(t + STEP)];
    const slope = (after.mean - before.mean) / (2 * STEP);
    const bend = (after.mean - 2 * here.mean + before.mean) / STEP ** 2;
    const widening = (after.variance - before.variance) / (2 * STEP);
    const shift = (t * here.variance - widening + (here.variance * bend) / slope) / slope;
    return here.mean + shift / 2;
  });
}
