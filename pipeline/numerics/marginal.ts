import { curveValue, zOfPercentile } from '../../src/lookup/cell.js';
import { Z_MEDIAN } from '../../src/lookup/format.js';

/** Standard normal score of the 95th percentile. */
export const Z95 = zOfPercentile(95);
/** Standard normal score of the 99th percentile. */
export const Z99 = zOfPercentile(99);

/** Slopes of ln D by the score beyond P5 and P95, divided by those of the tangents there. */
export interface Tails {
  readonly low: number;
  readonly high: number;
}

/** Distribution of ln D in a population: mean, standard deviation and skewness. */
export interface Marginal {
  readonly mean: number;
  readonly sd: number;
  readonly skew: number;
  /**
   * Without tails, the curve continues along its tangents. Mean, SD and skewness are those of the curve
   * without tails.
   */
  readonly tails?: Tails | undefined;
  /**
   * Quantiles of ln D at the scores of the grid, for a sum whose distribution is not of the family of
   * `lnQuantile`. Mean, SD and skewness are then those of the nearest distribution of the family.
   */
  readonly lnKnots?: readonly number[];
}

/** Largest skewness of ln D in an answer. The waists of NHANES' children reach it. */
const LARGEST_SKEW = 1.2;

/** Limits the skewness of ln D to ± `LARGEST_SKEW`. */
export function limitSkew(skew: number, largest = LARGEST_SKEW): number {
  return Math.min(largest, Math.max(-largest, skew));
}

/**
 * ln D at the standard normal score z. The curve is the lognormal system S_L of Johnson 1949 (Biometrika
 * 36:149), also called Tukey's g distribution: middle + scale (exp(g z) − 1) ÷ g. It rises with z at any
 * skewness. Without skewness, it is the normal distribution. Middle, scale and g follow from the mean, SD
 * and skewness. Beyond P5 and P95, the curve is a normal tail: it continues along its tangent, or with the
 * slope of the tangent times that of `tails`. In NHANES, the tails of girths are lighter than those of the
 * family: P99.5 of the family is 0.17 SD too high on average. P99.5 along the tangent is 0.06 SD too high.
 */
export function lnQuantile(marginal: Marginal, z: number): number {
  const { lnKnots } = marginal;
  if (lnKnots !== undefined) return curveValue(Float64Array.from(lnKnots), z);
  const { middle, scale, g, tails } = shapeOf(marginal);
  return middle + scale * stretched(g, z, tails);
}

/** Returns `lnQuantile` as a function of z. The shape is computed once for many z. */
export function lnQuantileOf(marginal: Marginal): (z: number) => number {
  const { lnKnots } = marginal;
  if (lnKnots !== undefined) {
    const knots = Float64Array.from(lnKnots);
    return (z) => curveValue(knots, z);
  }
  const { middle, scale, g, tails } = shapeOf(marginal);
  return (z) => middle + scale * stretched(g, z, tails);
}

/**
 * Computes `lnQuantile` at many scores at once, which is several times as fast.
 *
 * @param lnD receives a quantile for each score
 */
export function lnQuantilesAt(marginal: Marginal, scores: Float64Array, lnD: Float64Array): void {
  const { lnKnots } = marginal;
  if (lnKnots !== undefined) {
    const knots = Float64Array.from(lnKnots);
    for (let i = 0; i < scores.length; i++) lnD[i] = curveValue(knots, scores[i]);
    return;
  }
  const { middle, scale, g, tails } = shapeOf(marginal);
  const isNormal = Math.abs(g) < NORMAL_G;
  const [low, high] = [tailAt(g, -Z95, tails.low), tailAt(g, Z95, tails.high)];
  for (let i = 0; i < scores.length; i++) {
    const z = scores[i];
    let at = z;
    if (z < -Z95) at = low.value + low.slope * (z + Z95);
    else if (z > Z95) at = high.value + high.slope * (z - Z95);
    else if (!isNormal) at = Math.expm1(g * z) / g;
    lnD[i] = middle + scale * at;
  }
}

/**
 * The inverse of `lnQuantile`: the standard normal score of ln D, and the slope of ln D by the score.
 */
export function scoreOf(marginal: Marginal): (ln: number) => { z: number; slope: number } {
  const { middle, scale, g, tails } = shapeOf(marginal);
  const isNormal = Math.abs(g) < NORMAL_G;
  const [low, high] = [tailAt(g, -Z95, tails.low), tailAt(g, Z95, tails.high)];
  return (ln) => {
    const at = (ln - middle) / scale;
    if (at < low.value) return { z: (at - low.value) / low.slope - Z95, slope: scale * low.slope };
    if (at > high.value)
      return { z: (at - high.value) / high.slope + Z95, slope: scale * high.slope };
    if (isNormal) return { z: at, slope: scale };
    const z = Math.log1p(g * at) / g;
    return { z, slope: scale * Math.exp(g * z) };
  };
}

/** The inverse of `lnQuantileOf`: the standard normal score of a value of ln D. */
export function normalScore(marginal: Marginal): (lnD: number) => number {
  const score = scoreOf(marginal);
  return (lnD) => score(lnD).z;
}

interface Shape {
  readonly middle: number;
  readonly scale: number;
  readonly g: number;
  readonly tails: Tails;
}

/** Tails along the tangents. */
const TANGENTS: Tails = { low: 1, high: 1 };

/** Below this |g|, the distribution equals the normal distribution to all digits that matter. */
const NORMAL_G = 1e-6;

function stretched(g: number, z: number, tails: Tails = TANGENTS): number {
  if (z >= -Z95 && z <= Z95) return Math.abs(g) < NORMAL_G ? z : Math.expm1(g * z) / g;
  const at = z < 0 ? -Z95 : Z95;
  const { value, slope } = tailAt(g, at, z < 0 ? tails.low : tails.high);
  return value + slope * (z - at);
}

/** Value of the stretched scores where a tail begins, and the slope of the tail. */
function tailAt(g: number, z: number, steepness: number): { value: number; slope: number } {
  const value = Math.abs(g) < NORMAL_G ? z : Math.expm1(g * z) / g;
  return { value, slope: Math.exp(g * z) * steepness };
}

/** Mean and variance of S_L with middle 0 and scale 1 (Johnson 1949): w = exp(g²). */
function unitMoments(g: number): { mean: number; variance: number } {
  if (Math.abs(g) < NORMAL_G) return { mean: 0, variance: 1 };
  const w = Math.exp(g * g);
  return { mean: (Math.sqrt(w) - 1) / g, variance: (w * (w - 1)) / (g * g) };
}

/**
 * Returns the g of a given skewness: (w + 2) √(w − 1) = |skewness| with w = exp(g²). With u = √(w − 1), the
 * equation is u³ + 3 u = |skewness|. Its real root is 2 sinh(asinh(|skewness| ÷ 2) ÷ 3).
 */
function gOf(skew: number): number {
  const u = 2 * Math.sinh(Math.asinh(Math.abs(skew) / 2) / 3);
  return Math.sign(skew) * Math.sqrt(Math.log1p(u * u));
}

/** Skewness of S_L with a given g. */
function skewOf(g: number): number {
  const u = Math.sqrt(Math.expm1(g * g));
  return Math.sign(g) * (u ** 3 + 3 * u);
}

function shapeOf(marginal: Marginal): Shape {
  const g = gOf(marginal.skew);
  const { mean, variance } = unitMoments(g);
  const scale = marginal.sd / Math.sqrt(variance);
  const { tails = TANGENTS } = marginal;
  return { middle: marginal.mean - scale * mean, scale, g, tails };
}

/**
 * The distribution of the family of `lnQuantile` through three percentiles of D. It meets the median and
 * both tails. A distribution fitted to the moments of a long-tailed girth does not.
 */
export function marginalThrough(
  p5: number,
  p50: number,
  p95: number,
  largestSkew = LARGEST_SKEW,
): Marginal {
  const [low, middle, high] = [Math.log(p5), Math.log(p50), Math.log(p95)];
  // (e^(g z) − 1) ÷ (1 − e^(−g z)) = e^(g z): the ratio of the two tails gives g.
  const free = Math.log((high - middle) / (middle - low)) / Z95;
  const skew = limitSkew(skewOf(free), largestSkew);
  const g = gOf(skew);
  const scale = (high - low) / (stretched(g, Z95) - stretched(g, -Z95));
  const { mean, variance } = unitMoments(g);
  return { mean: middle + scale * mean, sd: scale * Math.sqrt(variance), skew };
}

/** Number of times that the interval of g is halved. Each time gains a binary digit. */
const ROUNDS = 40;

/**
 * Fits a distribution of the family of `lnQuantile` to P5, the median and a higher quantile of ln D. If
 * that needs a skewness beyond the limits, it keeps the median and the distance from P5 to the higher
 * quantile.
 *
 * @param highZ standard normal score of the higher quantile
 * @param tails tails of the distribution; without them, the curve continues along its tangents
 */
export function throughScores(
  low: number,
  middle: number,
  high: number,
  highZ: number,
  tails?: Tails,
): Marginal {
  const ratio = (high - middle) / (middle - low);
  const most = gOf(LARGEST_SKEW);
  let [from, to] = [-most, most];
  // The ratio of the two tails rises with g.
  for (let i = 0; i < ROUNDS; i++) {
    const g = (from + to) / 2;
    if (stretched(g, highZ, tails) / -stretched(g, -Z95) < ratio) from = g;
    else to = g;
  }
  const g = (from + to) / 2;
  const scale = (high - low) / (stretched(g, highZ, tails) - stretched(g, -Z95));
  const { mean, variance } = unitMoments(g);
  return { mean: middle + scale * mean, sd: scale * Math.sqrt(variance), skew: skewOf(g), tails };
}

/** Median of ln D. */
export function lnMedian(marginal: Marginal): number {
  return marginal.lnKnots?.[Z_MEDIAN] ?? shapeOf(marginal).middle;
}

/** Moves the distribution so that its median is `medianMm`. */
export function withMedian(marginal: Marginal, medianMm: number): Marginal {
  const shift = Math.log(medianMm) - lnMedian(marginal);
  const moved = { ...marginal, mean: marginal.mean + shift };
  const { lnKnots } = marginal;
  return lnKnots ? { ...moved, lnKnots: lnKnots.map((ln) => ln + shift) } : moved;
}

/** The distribution whose parameters lie `share` of the way from one to another. */
export function blend(from: Marginal, to: Marginal, share: number): Marginal {
  const mix = (a: number, b: number) => a + share * (b - a);
  return {
    mean: mix(from.mean, to.mean),
    sd: mix(from.sd, to.sd),
    skew: mix(from.skew, to.skew),
    tails: blendTails(from.tails, to.tails, share),
  };
}

/** Tails `share` of the way from one to another. */
export function blendTails(
  from: Tails | undefined,
  to: Tails | undefined,
  share: number,
): Tails | undefined {
  if (from === to) return from;
  const mix = (a: number, b: number) => a + share * (b - a);
  const [one, other] = [from ?? TANGENTS, to ?? TANGENTS];
  return { low: mix(one.low, other.low), high: mix(one.high, other.high) };
}

/** Slopes of ln D by the score in the tangents at P5 and P95. `tails` multiplies these slopes. */
export function tangentSlopes(marginal: Marginal): Tails {
  const { scale, g } = shapeOf(marginal);
  return { low: scale * Math.exp(-g * Z95), high: scale * Math.exp(g * Z95) };
}
