import type { MeasurementName } from '../../../src/core/measurements.js';
import { growthCurve, type Rise } from '../../numerics/isotonic.js';
import { lnMedian, type Marginal, withMedian } from '../../numerics/marginal.js';
import { interpolate } from '../../numerics/numbers.js';
import { IDENTITIES } from '../../plans/dependencies.js';
import { DIMENSION_PLAN } from '../../plans/dimension-plan.js';
import { GROWTH } from '../../plans/growth-rules.js';
import { GROWING_YEARS, withoutLying } from '../children/growth.js';
import type { Cohort } from '../cohort.js';

/**
 * Additions to ln D at the ages of `GROWING_YEARS`. They keep a dimension, and its differences to wholes
 * and parts, from shrinking before 20 years, except at 2 years, where lying length becomes standing height.
 *
 * @param growing cohorts of one population at those ages, with the dimension's estimates and the
 * distributions of its wholes and parts
 * @returns undefined for a dimension that may shrink
 */
export function shiftsAgainstShrinking(
  name: MeasurementName,
  growing: readonly Cohort[],
): readonly number[] | undefined {
  const rules = GROWTH.get(name);
  if (rules === undefined) return undefined;
  const mediansMm = (of: MeasurementName) =>
    withoutLying(growing.map((cohort) => cohort.medianMm(of)));
  const raw = withoutLying(growing.map((cohort) => Math.exp(lnMedian(cohort.estimate(name)))));
  const rises: Rise[] = [
    { sign: 1 },
    ...rules.within.map((of): Rise => ({ sign: -1, offset: mediansMm(of) })),
    ...rules.beyond.map((of): Rise => ({ sign: 1, offset: mediansMm(of).map((mm) => -mm) })),
  ];
  return growthCurve(raw, rises).map((mm, i) => Math.log(mm / raw[i]));
}

/**
 * Keeps a child's dimension from shrinking. Adults stay as estimated.
 *
 * @param shifts result of `shiftsAgainstShrinking`, which is linear between its ages
 */
export function withoutShrinking(
  estimate: Marginal,
  cohort: Cohort,
  shifts: readonly number[] | undefined,
): Marginal {
  if (shifts === undefined || cohort.isAdult) return estimate;
  return { ...estimate, mean: estimate.mean + interpolate(GROWING_YEARS, shifts, cohort.ageYears) };
}

/** Gives a dimension with an identity the median that follows from the cohort's other medians. */
export function withIdentity(name: MeasurementName, marginal: Marginal, cohort: Cohort): Marginal {
  const identity = IDENTITIES.get(name);
  if (identity === undefined) return marginal;
  const medianMm = cohort.valueMm(identity);
  const moved = withMedian(marginal, medianMm);
  if (DIMENSION_PLAN[name].basis.kind !== 'alias') return moved;
  // A dimension that is another dimension plus a constant keeps its spread in mm.
  return { ...moved, sd: marginal.sd * (Math.exp(lnMedian(marginal)) / medianMm) };
}
