import { normalDensity } from './normal.js';
import { curveSlope, curveValue } from './quantile-curve.js';
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
 * Correlation of the normal scores of two dimensions at an age, interpolated linearly between the
 * matrices of the artifact (a blend of two positive semi-definite matrices is one) and held
 * constant beyond the first and the last.
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
  while (group + 1 < ages.length && (ages[group + 1] as number) <= ageYears) group++;
  const at = ((group * 2 + gender) * size + anchor) * size + linked;
  const rho = views.rho[at] as number;
  const from = ages[group] as number;
  if (group + 1 >= ages.length || ageYears <= from) return rho;
  const weight = (ageYears - from) / ((ages[group + 1] as number) - from);
  return rho + weight * ((views.rho[at + 2 * size * size] as number) - rho);
}

/** The linked dimension given the anchor: z = centre + spread · N(0, 1) on its quantile curve. */
export interface Conditional {
  readonly knots: Float64Array;
  /** Conditional mean of the linked dimension's normal score: ρ z of the anchor. */
  readonly centre: number;
  /** Conditional standard deviation of that score: √(1 − ρ²). */
  readonly spread: number;
}

/**
 * The conditional distribution under a Gaussian copula (Nelsen 2006, An Introduction to Copulas,
 * 2.3 and 3.1): given the anchor's score z, the linked score is N(ρ z, 1 − ρ²).
 */
export function conditionOn(knots: Float64Array, rho: number, anchorZ: number): Conditional {
  return { knots, centre: rho * anchorZ, spread: Math.sqrt(1 - rho * rho) };
}

/** Value in mm at the conditional standard normal score `z`. */
export function conditionalValue(given: Conditional, z: number): number {
  return curveValue(given.knots, given.centre + given.spread * z);
}

/** Conditional probability density per mm at the conditional standard normal score `z`. */
export function conditionalDensity(given: Conditional, z: number): number {
  const slope = curveSlope(given.knots, given.centre + given.spread * z);
  return normalDensity(z) / (given.spread * slope);
}

/** Conditional mean in mm, by Gauss–Hermite quadrature of the quantile curve. */
export function conditionalMean(given: Conditional): number {
  let mean = (WEIGHTS[0] as number) * conditionalValue(given, 0);
  for (let i = 1; i < NODES.length; i++) {
    const node = NODES[i] as number;
    const pair = conditionalValue(given, node) + conditionalValue(given, -node);
    mean += (WEIGHTS[i] as number) * pair;
  }
  return mean;
}
