import normalCdf from '@stdlib/stats-base-dists-normal-cdf';
import { DEEPEST } from '../../../src/core/constraints.js';
import type { MeasurementName } from '../../../src/core/measurements.js';
import { normalDensity, zOfPercentile } from '../../../src/lookup/cell.js';
import { SCORES } from '../../numerics/grid-knots.js';
import { lnQuantileOf, scoreOf } from '../../numerics/marginal.js';
import { cubic } from '../../numerics/numbers.js';
import type { Cohort } from '../cohort.js';
import type { ScoreCorrelation } from '../fitted-model.js';
import { throughKnots } from './sum-rule.js';

/** Step of the grid over the common factor. It is fine enough, because the products are smooth. */
const FACTOR_STEP = 0.25;
const FACTORS = Array.from({ length: 33 }, (_, i) => (i - 16) * FACTOR_STEP);
const DENSITIES = FACTORS.map((t) => FACTOR_STEP * normalDensity(t));
/** Largest loading of a factor, so that the remaining variance is above 0. */
const LARGEST_LOADING = 0.999;
/** Scores of the parts at which the distribution of the largest is computed. */
const PART_SCORES = Array.from({ length: 13 }, (_, i) => (i - 6) / 2);

/**
 * Gives the deepest place of the trunk the distribution of the largest of its three parts. The scores of
 * the parts share one factor, which gives all three of their correlations. So the probability that no part
 * exceeds a depth is one integral over the factor.
 */
export function deriveDeepest(cohort: Cohort, rho: ScoreCorrelation): void {
  if (!cohort.has(DEEPEST.measurement)) return;
  const marginals = DEEPEST.of.map((name) => cohort.marginal(name));
  const loadings = loadingsOf(DEEPEST.of, rho);
  const plusMm = cohort.valueMm([{ coefficient: DEEPEST.plusMm }]);
  const [quantiles, scores] = [marginals.map(lnQuantileOf), marginals.map(scoreOf)];
  const depths = PART_SCORES.map((z) => Math.max(...quantiles.map((quantile) => quantile(z))));
  const zs = depths.map((ln) => {
    const below = noneAbove(
      scores.map((score) => score(ln).z),
      loadings,
    );
    return zOfPercentile(100 * below);
  });
  const lnMm = depths.map((ln) => Math.log(plusMm + Math.exp(ln)));
  cohort.setMarginal(
    DEEPEST.measurement,
    throughKnots(SCORES.map((z) => Math.exp(cubic(zs, lnMm, z)))),
  );
}

/** Loadings of three scores on one factor: ρ₁₂ = a₁ a₂ and so on. */
function loadingsOf([a, b, c]: readonly MeasurementName[], rho: ScoreCorrelation): number[] {
  const [ab, ac, bc] = [rho(a, b), rho(a, c), rho(b, c)];
  const loading = (one: number, other: number, opposite: number) =>
    Math.min(LARGEST_LOADING, Math.sqrt(Math.max(0, (one * other) / opposite)));
  return [loading(ab, ac, bc), loading(ab, bc, ac), loading(ac, bc, ab)];
}

/** Probability that every score is at most its limit. */
function noneAbove(limits: readonly number[], loadings: readonly number[]): number {
  let sum = 0;
  FACTORS.forEach((t, k) => {
    let product = DENSITIES[k];
    limits.forEach((limit, i) => {
      const a = loadings[i];
      product *= normalCdf((limit - a * t) / Math.sqrt(1 - a * a), 0, 1);
    });
    sum += product;
  });
  return sum;
}
