/** Piecewise linear interpolation. The value is constant beyond the ends. `xs` must rise. */
export function interpolate(xs: readonly number[], ys: readonly number[], x: number): number {
  const last = xs.length - 1;
  if (x <= xs[0]) return ys[0];
  if (x >= xs[last]) return ys[last];
  let i = 0;
  while (xs[i + 1] < x) i++;
  const from = xs[i];
  const share = (x - from) / (xs[i + 1] - from);
  return ys[i] + share * (ys[i + 1] - ys[i]);
}

/**
 * A curve through the points whose rate does not jump: cubic Hermite pieces with the slopes of the parabola through three
 * points. The value is constant beyond the ends. `xs` must rise.
 */
export function smoothCurve(xs: readonly number[], ys: readonly number[], x: number): number {
  const last = xs.length - 1;
  if (x <= xs[0]) return ys[0];
  if (x >= xs[last]) return ys[last];
  let i = 0;
  while (xs[i + 1] < x) i++;
  const secant = (k: number) => (ys[k + 1] - ys[k]) / (xs[k + 1] - xs[k]);
  const slope = (k: number): number => {
    if (k === 0 || k === last) return 0;
    const before = (xs[k + 1] - xs[k]) / (xs[k + 1] - xs[k - 1]);
    return before * secant(k - 1) + (1 - before) * secant(k);
  };
  const width = xs[i + 1] - xs[i];
  const t = (x - xs[i]) / width;
  const [rise, m0, m1] = [ys[i + 1] - ys[i], width * slope(i), width * slope(i + 1)];
  return ys[i] + t * (m0 + t * (3 * rise - 2 * m0 - m1 + t * (m0 + m1 - 2 * rise)));
}

/**
 * The Lagrange cubic through the four points around `x`, or through the last four at an end. `xs` must
 * rise.
 */
export function cubic(xs: readonly number[], ys: readonly number[], x: number): number {
  let after = 0;
  while (after < xs.length && xs[after] <= x) after++;
  const first = Math.min(Math.max(0, after - 2), xs.length - 4);
  let sum = 0;
  for (let i = first; i < first + 4; i++) {
    let weight = 1;
    for (let j = first; j < first + 4; j++) {
      if (j !== i) weight *= (x - xs[j]) / (xs[i] - xs[j]);
    }
    sum += weight * ys[i];
  }
  return sum;
}

/** Tricube weight of a point at the share `u` (0 to 1) of the half width; 0 from 1 on. */
export function tricube(u: number): number {
  return u >= 1 ? 0 : (1 - u ** 3) ** 3;
}

/**
 * Local linear regression at `x` with tricube weights (Cleveland 1979, JASA 74:829), multiplied by
 * `weights`. Where all data near `x` have the same abscissa, the result is their weighted mean.
 *
 * @throws Error when there are no data within `halfWidth` of `x`
 */
export function localLinear(
  xs: readonly number[],
  ys: readonly number[],
  weights: readonly number[],
  x: number,
  halfWidth: number,
): number {
  let [s0, s1, s2, t0, t1] = [0, 0, 0, 0, 0];
  for (let i = 0; i < xs.length; i++) {
    const distance = xs[i] - x;
    const nearness = tricube(Math.abs(distance) / halfWidth);
    if (nearness === 0) continue;
    const w = nearness * weights[i];
    s0 += w;
    s1 += w * distance;
    s2 += w * distance * distance;
    t0 += w * ys[i];
    t1 += w * distance * ys[i];
  }
  const determinant = s0 * s2 - s1 * s1;
  if (s0 === 0) throw new Error(`no data within ${halfWidth} of ${x}`);
  if (determinant <= 1e-9 * s0 * s0) return t0 / s0;
  return (s2 * t0 - s1 * t1) / determinant;
}

/**
 * Rounds of robust regression. A residual of `OUTLYING` median absolute residuals takes the weight of its
 * point.
 */
const ROBUST_ROUNDS = 4;
const OUTLYING = 6;
/** Share of its weight that an outlying point keeps, because it may be the only point near its place. */
const LEAST_ROBUST = 0.01;

/**
 * Robust local linear regression (Cleveland 1979, JASA 74:829): points far from the curve lose weight
 * by the bisquare of their residual over 6 times the median absolute residual.
 */
export function robustLocalLinear(
  xs: readonly number[],
  ys: readonly number[],
  weights: readonly number[],
  halfWidth: number,
): (x: number) => number {
  let now = weights;
  for (let round = 1; round < ROBUST_ROUNDS; round++) {
    const weighted = now;
    const residuals = ys.map((y, i) => {
      return Math.abs(y - localLinear(xs, ys, weighted, xs[i], halfWidth));
    });
    const most = OUTLYING * median(residuals);
    if (most === 0) break;
    now = weights.map((weight, i) => {
      const u = Math.min(1, residuals[i] / most);
      return weight * Math.max(LEAST_ROBUST, (1 - u * u) ** 2);
    });
  }
  return (x) => localLinear(xs, ys, now, x, halfWidth);
}

/** Smooth step from 0 at `from` to 1 at `to` (3 t² − 2 t³). */
export function smoothStep(x: number, from: number, to: number): number {
  const t = Math.min(1, Math.max(0, (x - from) / (to - from)));
  return t * t * (3 - 2 * t);
}

/** Sum of values, added in their order. A value that is not a number makes the sum none, too. */
export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Arithmetic mean. */
export function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

/** Middle of the sorted values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The function with its results cached by its argument. */
export function memoise<Key, T>(compute: (key: Key) => T): (key: Key) => T {
  const known = new Map<Key, T>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const computed = compute(key);
    known.set(key, computed);
    return computed;
  };
}

/** A symmetric function of two names that computes each pair once. */
export function memoisePairs<T>(compute: (a: string, b: string) => T): (a: string, b: string) => T {
  const known = new Map<string, Map<string, T>>();
  return (a, b) => {
    const [x, y] = a < b ? [a, b] : [b, a];
    const ofX = known.get(x) ?? new Map<string, T>();
    if (ofX.size === 0) known.set(x, ofX);
    if (ofX.has(y)) return ofX.get(y) as T;
    const value = compute(x, y);
    ofX.set(y, value);
    return value;
  };
}
