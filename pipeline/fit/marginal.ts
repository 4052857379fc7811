/** Distribution of ln D in a population: mean, standard deviation and skewness. */
export interface Marginal {
  readonly mean: number;
  readonly sd: number;
  readonly skew: number;
}

/** Largest skewness of ln D in an answer; the waists of NHANES' children reach it. */
const LARGEST_SKEW = 1.2;

/** Limits the skewness of ln D to ± `LARGEST_SKEW`. */
export function limitSkew(skew: number): number {
  return Math.min(LARGEST_SKEW, Math.max(-LARGEST_SKEW, skew));
}

/**
 * ln D at standard normal z: the lognormal system S_L of Johnson 1949 (Biometrika 36:149), also
 * called Tukey's g distribution: middle + scale (exp(g z) − 1) ÷ g. It rises with z at any skewness,
 * and with no skewness it is the normal distribution. Middle, scale and g follow from the mean, SD
 * and skewness. Beyond P1 and P99, where the surveys have hardly anyone, the curve continues along
 * its tangent, as a normal tail does.
 */
export function lnQuantile(marginal: Marginal, z: number): number {
  return lnQuantileOf(marginal)(z);
}

/** The same as a function of z: it computes the shape once for many z. */
export function lnQuantileOf(marginal: Marginal): (z: number) => number {
  const { middle, scale, g } = shapeOf(marginal);
  return (z) => middle + scale * stretched(g, z);
}

interface Shape {
  readonly middle: number;
  readonly scale: number;
  readonly g: number;
}

/** Below this |g| the distribution is normal to all digits that matter. */
const NORMAL_G = 1e-6;

/** Standard normal score of the 99th percentile. */
const Z99 = 2.3263478740408408;

function stretched(g: number, z: number): number {
  if (Math.abs(g) < NORMAL_G) return z;
  const at = Math.min(Z99, Math.max(-Z99, z));
  return Math.expm1(g * at) / g + (z === at ? 0 : Math.exp(g * at) * (z - at));
}

/** Mean and variance of S_L with middle 0 and scale 1 (Johnson 1949): w = exp(g²). */
function unitMoments(g: number): { mean: number; variance: number } {
  if (Math.abs(g) < NORMAL_G) return { mean: 0, variance: 1 };
  const w = Math.exp(g * g);
  return { mean: (Math.sqrt(w) - 1) / g, variance: (w * (w - 1)) / (g * g) };
}

/**
 * g of a given skewness: (w + 2) √(w − 1) = |skewness| with w = exp(g²). With u = √(w − 1) that is
 * u³ + 3 u = |skewness|, whose real root is 2 sinh(asinh(|skewness| ÷ 2) ÷ 3).
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
  return { middle: marginal.mean - scale * mean, scale, g };
}

/** Standard normal score of the 95th percentile. */
const Z95 = 1.6448536269514722;

/**
 * The distribution of the same family through three percentiles of D. It meets the median and both
 * tails; a distribution fitted to the moments of a long-tailed girth does not.
 */
export function marginalThrough(p5: number, p50: number, p95: number): Marginal {
  const [low, middle, high] = [Math.log(p5), Math.log(p50), Math.log(p95)];
  // (e^(g z) − 1) ÷ (1 − e^(−g z)) = e^(g z): the ratio of the two tails gives g.
  const free = Math.log((high - middle) / (middle - low)) / Z95;
  const skew = limitSkew(skewOf(free));
  const g = gOf(skew);
  const scale = (high - low) / (stretched(g, Z95) - stretched(g, -Z95));
  const { mean, variance } = unitMoments(g);
  return { mean: middle + scale * mean, sd: scale * Math.sqrt(variance), skew };
}

/** Median of ln D. */
export function lnMedian(marginal: Marginal): number {
  return shapeOf(marginal).middle;
}

/** The same distribution moved so that its median is `medianMm`. */
export function withMedian(marginal: Marginal, medianMm: number): Marginal {
  return { ...marginal, mean: marginal.mean + Math.log(medianMm) - lnMedian(marginal) };
}

/** The distribution whose parameters lie `share` of the way from one to another. */
export function blend(from: Marginal, to: Marginal, share: number): Marginal {
  const mix = (a: number, b: number) => a + share * (b - a);
  return {
    mean: mix(from.mean, to.mean),
    sd: mix(from.sd, to.sd),
    skew: mix(from.skew, to.skew),
  };
}
