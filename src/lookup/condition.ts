import { correlationIndex, curveSlope, curveValue, normalDensity } from './cell.js';
import type { ArtifactViews } from './reader.js';

/**
 * Nodes and weights of the 9-point Gauss–Hermite rule for the standard normal weight
 * (Abramowitz and Stegun 1964, table 25.10, rescaled by √2 and √π; the rule is symmetric).
 */
const NODES = [0, 1.0232556637891326, 2.07684797867783, 3.20542900285647, 4.512745863399783];
const WEIGHTS = [
  0.40634920634920635, 0.24409750289493953, 0.04991640676521782, 0.0027891413212317692,
  2.2345844007746607e-5,
];

/**
 * Correlation of the normal scores of two dimensions at an age. It is interpolated linearly between the matrices of the
 * artifact. A weighted mean of positive semi-definite matrices is positive semi-definite too. The correlation is
 * constant below the first and above the last age.
 */
export function correlation(
  views: ArtifactViews,
  anchor: number,
  linked: number,
  gender: number,
  ageYears: number,
): number {
  const { axes } = views.manifest;
  const ages = axes.correlationAgesYears;
  const size = axes.measurements.length;
  let group = 0;
  while (group + 1 < ages.length && ages[group + 1] <= ageYears) group++;
  const rho = views.rho[correlationIndex(size, group, gender, anchor, linked)];
  const from = ages[group];
  if (group + 1 >= ages.length || ageYears <= from) return rho;
  const weight = (ageYears - from) / (ages[group + 1] - from);
  const next = views.rho[correlationIndex(size, group + 1, gender, anchor, linked)];
  return rho + weight * (next - rho);
}

/**
 * Distribution of the linked dimension given the anchor. Its normal score is centre + spread · N(0, 1), and `knots` is
 * its quantile curve.
 */
export interface ConditionalDistribution {
  readonly knots: Float64Array;
  /** Conditional mean of the linked dimension's normal score: ρ times the z of the anchor. */
  readonly centre: number;
  /** Conditional standard deviation of that score: √(1 − ρ²). */
  readonly spread: number;
}

/**
 * The conditional distribution under a Gaussian copula (Nelsen 2006, An Introduction to Copulas, 2.3 and 3.1). Given
 * the anchor's score z, the linked score is N(ρ z, 1 − ρ²).
 */
export function conditionOn(
  knots: Float64Array,
  rho: number,
  anchorZ: number,
): ConditionalDistribution {
  return { knots, centre: rho * anchorZ, spread: Math.sqrt(1 - rho * rho) };
}

/** Value in mm at the conditional standard normal score `z`. */
export function conditionalValue(conditional: ConditionalDistribution, z: number): number {
  return curveValue(conditional.knots, conditional.centre + conditional.spread * z);
}

/** Conditional probability density per mm at the conditional standard normal score `z`. */
export function conditionalDensity(conditional: ConditionalDistribution, z: number): number {
  const slope = curveSlope(conditional.knots, conditional.centre + conditional.spread * z);
  return normalDensity(z) / (conditional.spread * slope);
}

/** Conditional mean in mm, by Gauss–Hermite quadrature of the quantile curve. */
export function conditionalMean(conditional: ConditionalDistribution): number {
  let mean = WEIGHTS[0] * conditionalValue(conditional, 0);
  for (let i = 1; i < NODES.length; i++) {
    const node = NODES[i];
    const pair = conditionalValue(conditional, node) + conditionalValue(conditional, -node);
    mean += WEIGHTS[i] * pair;
  }
  return mean;
}
