import type { MeasurementName } from '../../../src/core/measurements.js';
import { allKnots, MIDDLE_KNOT, SCORES } from '../../numerics/grid-knots.js';
import {
  lnQuantilesAt,
  type Marginal,
  marginalThrough,
  withMedian,
  Z95,
} from '../../numerics/marginal.js';
import { pairQuantiles } from '../../numerics/pair-quantiles.js';
import { sumQuantiles } from '../../numerics/sum-quantiles.js';
import {
  FREE_TERMS,
  type FreeTerm,
  SKEWED_SUMS,
  SPREAD_AS_STATURE,
  SUMS,
} from '../../plans/joint-plan.js';
import type { Cohort } from '../cohort.js';
import type { ScoreCorrelation } from '../fitted-model.js';

/** A sum is skewed if its median differs from the sum of the medians by more than this share of its SD. */
const SKEWED_FROM = 0.02;
/** Minimum values in mm at the lowest score and the steps beyond, for a difference that reaches 0. */
const LEAST_MM = 0.5;
/** Largest skewness of a difference. It may be larger than that of a measured dimension. */
const LARGEST_SKEW_OF_SUM = 3;

function through(low = 0, middle = 0, high = 0): Marginal {
  return marginalThrough(low, middle, high, LARGEST_SKEW_OF_SUM);
}

/** Spread in mm, to the first order. */
function spreadMm(cohort: Cohort, name: MeasurementName): number {
  return cohort.marginal(name).sd * cohort.medianMm(name);
}

/**
 * Gives the dimensions of `SPREAD_AS_STATURE` their spread in the US times the ratio of the spreads of
 * stature.
 *
 * @param home the US population of the same gender and age
 */
export function spreadAsStature(cohort: Cohort, home: Cohort): void {
  const ratio = spreadMm(cohort, 'Stature') / spreadMm(home, 'Stature');
  for (const name of SPREAD_AS_STATURE) {
    const medianMm = cohort.medianMm(name);
    const sd = (ratio * spreadMm(home, name)) / medianMm;
    cohort.setMarginal(name, withMedian({ ...cohort.marginal(name), sd }, medianMm));
  }
}

/** Quantiles in mm of the sum of free dimensions, at the given scores. */
export function quantilesMm(
  terms: readonly FreeTerm[],
  cohort: Cohort,
  rho: ScoreCorrelation,
  scores: readonly number[],
): number[] {
  const parts = terms.map(({ coefficient, of }) => {
    const marginal = cohort.marginal(of);
    const fill = (at: Float64Array, mm: Float64Array) => {
      lnQuantilesAt(marginal, at, mm);
      for (let i = 0; i < mm.length; i++) mm[i] = Math.exp(mm[i]);
    };
    return { coefficient, fill };
  });
  const matrix = terms.map((a) => terms.map((b) => (a === b ? 1 : rho(a.of, b.of))));
  return sumQuantiles(parts, matrix, scores);
}

/** Quantiles in mm of a sum of two dimensions. If the sum is skewed, it is integrated exactly. */
function skewedQuantilesMm(
  terms: readonly FreeTerm[],
  cohort: Cohort,
  rho: ScoreCorrelation,
  scores: readonly number[],
): number[] {
  const mm = quantilesMm(terms, cohort, rho, scores);
  const middlesMm = terms.reduce(
    (sum, { coefficient, of }) => sum + coefficient * cohort.medianMm(of),
    0,
  );
  const spreadMm = (mm[MIDDLE_KNOT + 3] - mm[MIDDLE_KNOT - 3]) / 2;
  if (Math.abs(mm[MIDDLE_KNOT] - middlesMm) < SKEWED_FROM * spreadMm) return mm;
  const [first, second] = terms.map(({ coefficient, of }) => ({
    coefficient,
    marginal: cohort.marginal(of),
  }));
  if (first === undefined || second === undefined) return mm;
  const ofPair = rho(terms[0]?.of, terms[1]?.of);
  return pairQuantiles(first, second, ofPair, scores, mm);
}

/** A distribution with the given quantiles in mm at `SCORES`. */
export function throughKnots(mm: readonly number[]): Marginal {
  const nearest = through(mm[2], mm[MIDDLE_KNOT], mm[mm.length - 3]);
  const lnMm = mm.map((value, i) => Math.log(Math.max(value, LEAST_MM * (i + 1))));
  return { ...nearest, lnKnots: allKnots(lnMm) };
}

/**
 * Gives every sum and difference the distribution that follows from its parts and their correlations. The
 * identity gives the median. A skewed sum has the median of its own distribution.
 */
export function deriveSums(cohort: Cohort, rho: ScoreCorrelation): void {
  for (const name of SUMS) {
    if (!cohort.has(name)) continue;
    const terms = FREE_TERMS.get(name) ?? [];
    const medianMm = cohort.medianMm(name);
    const partsMm = terms.reduce(
      (sum, { coefficient, of }) => sum + coefficient * cohort.medianMm(of),
      0,
    );
    const scores = SKEWED_SUMS.has(name) ? SCORES : [-Z95, Z95];
    const quantiles = SKEWED_SUMS.has(name) ? skewedQuantilesMm : quantilesMm;
    const mm = quantiles(terms, cohort, rho, scores).map((value) => value + medianMm - partsMm);
    const marginal = SKEWED_SUMS.has(name) ? throughKnots(mm) : through(mm[0], medianMm, mm[1]);
    cohort.setMarginal(name, marginal);
  }
}
