import cdf from '@stdlib/stats-base-dists-normal-cdf';
import quantile from '@stdlib/stats-base-dists-normal-quantile';
import { Z_COUNT, Z_FIRST, Z_STEP } from './format.js';

const standardCdf = cdf.factory(0, 1);
const standardQuantile = quantile.factory(0, 1);
const INVERSE_ROOT_2_PI = 0.3989422804014327;

/** Standard normal z of a percentile in (0, 100). */
export function zOfPercentile(percentile: number): number {
  return standardQuantile(percentile / 100);
}

/** Percentile of a standard normal z. */
export function percentileOfZ(z: number): number {
  return standardCdf(z) * 100;
}

/** Standard normal density φ(z) = exp(−z²/2) ÷ √(2π). */
export function normalDensity(z: number): number {
  return INVERSE_ROOT_2_PI * Math.exp(-0.5 * z * z);
}

/**
 * Quantile functions on the uniform z knots, as C¹ monotone piecewise cubics. The slope at a knot is the harmonic mean
 * of the neighbouring secants (Fritsch and Butland 1984, SIAM J. Sci. Stat. Comput. 5:300). Beyond the outer knots the
 * functions are linear. `knots` has `Z_COUNT` rising values in mm.
 */
const LAST = Z_COUNT - 1;
const PER_STEP = 1 / Z_STEP;

/** Slope at knot `i`, per knot step. */
function slopeAt(knots: Float64Array, i: number): number {
  if (i === 0) return knots[1] - knots[0];
  if (i === LAST) return knots[LAST] - knots[LAST - 1];
  const before = knots[i] - knots[i - 1];
  const after = knots[i + 1] - knots[i];
  const sum = before + after;
  return sum > 0 ? (2 * before * after) / sum : 0;
}

/** Value in mm at standard normal z. */
export function curveValue(knots: Float64Array, z: number): number {
  const position = (z - Z_FIRST) * PER_STEP;
  if (position <= 0) return knots[0] + position * slopeAt(knots, 0);
  if (position >= LAST) return knots[LAST] + (position - LAST) * slopeAt(knots, LAST);
  const i = Math.floor(position);
  return hermite(knots, i, position - i);
}

/** Derivative of the value by z, in mm per unit z. */
export function curveSlope(knots: Float64Array, z: number): number {
  const position = (z - Z_FIRST) * PER_STEP;
  if (position <= 0) return slopeAt(knots, 0) * PER_STEP;
  if (position >= LAST) return slopeAt(knots, LAST) * PER_STEP;
  const i = Math.floor(position);
  const t = position - i;
  const rise = knots[i + 1] - knots[i];
  const m0 = slopeAt(knots, i);
  const m1 = slopeAt(knots, i + 1);
  const slope = m0 + t * (6 * rise - 4 * m0 - 2 * m1 + t * (3 * m0 + 3 * m1 - 6 * rise));
  return slope * PER_STEP;
}

function hermite(knots: Float64Array, i: number, t: number): number {
  const start = knots[i];
  const rise = knots[i + 1] - start;
  const m0 = slopeAt(knots, i);
  const m1 = slopeAt(knots, i + 1);
  return start + t * (m0 + t * (3 * rise - 2 * m0 - m1 + t * (m0 + m1 - 2 * rise)));
}

/** The z at which the curve has the value `valueMm`. This is the inverse of `curveValue`. */
export function curveInverse(knots: Float64Array, valueMm: number): number {
  const first = knots[0];
  const last = knots[LAST];
  if (valueMm <= first) return Z_FIRST + ((valueMm - first) / slopeAt(knots, 0)) * Z_STEP;
  if (valueMm >= last) {
    return Z_FIRST + (LAST + (valueMm - last) / slopeAt(knots, LAST)) * Z_STEP;
  }
  let low = 0;
  let high = LAST;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (knots[middle] <= valueMm) low = middle;
    else high = middle;
  }
  return Z_FIRST + (low + solveHermite(knots, low, valueMm)) * Z_STEP;
}

/** Newton's method in a bracket. If a step would leave the bracket, the bracket is halved instead. */
function solveHermite(knots: Float64Array, i: number, valueMm: number): number {
  const start = knots[i];
  const rise = knots[i + 1] - start;
  const m0 = slopeAt(knots, i);
  const m1 = slopeAt(knots, i + 1);
  const target = valueMm - start;
  const c2 = 3 * rise - 2 * m0 - m1;
  const c3 = m0 + m1 - 2 * rise;
  let below = 0;
  let above = 1;
  let t = rise > 0 ? target / rise : 0;
  for (let round = 0; round < 40; round++) {
    const miss = t * (m0 + t * (c2 + t * c3)) - target;
    // This tolerance is far smaller than the answer's step of 0.001 mm.
    if (Math.abs(miss) <= rise * 1e-10) return t;
    if (miss > 0) above = t;
    else below = t;
    const slope = m0 + t * (2 * c2 + 3 * t * c3);
    const next = slope > 0 ? t - miss / slope : -1;
    t = next > below && next < above ? next : (below + above) / 2;
  }
  return t;
}
