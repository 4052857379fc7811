import normalCdf from '@stdlib/stats-base-dists-normal-cdf';
import type { MeasurementName } from '../../../src/core/measurements.js';
import { DEEPEST } from '../../../src/core/orders.js';
import { type Marginal, scoreOf, throughScores, Z95, Z99 } from '../../numerics/marginal.js';
import type { Cohort } from '../cohort.js';
import type { ScoreCorrelation } from '../fitted-model.js';

/** Places and weights of the common factor: a fine grid, because the products are smooth. */
const FACTOR_STEP = 0.5;
const FACTORS = Array.from({ length: 17 }, (_, i) => (i - 8) * FACTOR_STEP);
const DENSITIES = FACTORS.map(
  (t) => (FACTOR_STEP * Math.exp((-t * t) / 2)) / Math.sqrt(2 * Math.PI),
);
/** Largest loading of a factor, so that what is left is not 0. */
const LARGEST_LOADING = 0.999;
/** Bisections of the interval of ln mm in which a quantile lies. */
const BISECTIONS = 14;

/**
 * Gives the deepest place of the trunk the distribution of the largest of its parts, through P5, median
 * and P99. The scores of three parts share one factor that gives all three of their correlations, so the
 * probability that none exceeds a depth is one integral over the factor.
 */
export function deriveDeepest(
  cohort: Cohort,
  rho: ScoreCorrelation,
  has: (name: MeasurementName) => boolean,
): void {
  if (!has(DEEPEST.measurement)) return;
  const marginals = DEEPEST.of.map((name) => cohort.marginal(name));
  const loadings = loadingsOf(DEEPEST.of, rho);
  const plusMm = cohort.valueMm([{ coefficient: DEEPEST.plusMm }]);
  const lnQuantileAt = (z: number) =>
    Math.log(plusMm + Math.exp(lnLargest(marginals, loadings, normalCdf(z, 0, 1))));
  const [low, middle, high] = [-Z95, 0, Z99].map(lnQuantileAt) as [number, number, number];
  cohort.setMarginal(DEEPEST.measurement, throughScores(low, middle, high, Z99));
}

/** Loadings of three scores on one factor: ρ₁₂ = a₁ a₂ and so on. */
function loadingsOf([a, b, c]: readonly MeasurementName[], rho: ScoreCorrelation): number[] {
  const [ab, ac, bc] = [
    rho(a as MeasurementName, b as MeasurementName),
    rho(a as MeasurementName, c as MeasurementName),
    rho(b as MeasurementName, c as MeasurementName),
  ];
  const loading = (one: number, other: number, opposite: number) =>
    Math.min(LARGEST_LOADING, Math.sqrt(Math.max(0, (one * other) / opposite)));
  return [loading(ab, ac, bc), loading(ab, bc, ac), loading(ac, bc, ab)];
}

/** ln of the largest of some dimensions at a probability, by bisection. */
function lnLargest(
  marginals: readonly Marginal[],
  loadings: readonly number[],
  probability: number,
): number {
  const scores = marginals.map(scoreOf);
  const middle = Math.max(...marginals.map(({ mean }) => mean));
  const reach = 6 * Math.max(...marginals.map(({ sd }) => sd));
  let [low, high] = [middle - reach, middle + reach];
  for (let i = 0; i < BISECTIONS; i++) {
    const ln = (low + high) / 2;
    const zs = scores.map((score) => score(ln).z);
    if (noneAbove(zs, loadings) < probability) low = ln;
    else high = ln;
  }
  return (low + high) / 2;
}

/** Probability that every score is at most its limit. */
function noneAbove(limits: readonly number[], loadings: readonly number[]): number {
  let sum = 0;
  FACTORS.forEach((t, k) => {
    let product = DENSITIES[k] as number;
    limits.forEach((limit, i) => {
      const a = loadings[i] as number;
      product *= normalCdf((limit - a * t) / Math.sqrt(1 - a * a), 0, 1);
    });
    sum += product;
  });
  return sum;
}
