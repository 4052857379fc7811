import { GENDERS } from '../../../src/core/genders.js';
import { estimateChild, type Grown } from '../../model/children/child-estimator.js';
import type { Cohort } from '../../model/cohort.js';
import type { FittedModel } from '../../model/fitted-model.js';
import { Populations } from '../../model/population.js';
import { estimateMilitary } from '../../model/regressions/military-estimator.js';
import { estimateNhanes } from '../../model/regressions/nhanes-estimator.js';
import { lnMedian } from '../../numerics/marginal.js';
import { interpolate } from '../../numerics/numbers.js';
import { ADULT_AGE_YEARS } from '../../plans/axes.js';

/** At this age, the difference of the two estimates comes from different definitions, not from the age. */
const COMPARED_AT_YEARS = 30;

/** One comparison: a dimension of a gender at an age. */
interface Difference {
  readonly ageYears: number;
  /** ln (estimate without NHANES ÷ estimate with it), minus its value at 30 years, in SD of ln D. */
  readonly inSd: number;
}

/** Median of a cohort, estimated as if NHANES had not measured the dimension. */
function withoutNhanes(model: FittedModel, cohort: Cohort, grown: Grown, name: string): number {
  const of = name as Parameters<typeof estimateMilitary>[2];
  const estimate = cohort.isAdult
    ? estimateMilitary(model, cohort, of)
    : estimateChild(model, cohort, grown, of);
  return lnMedian(estimate);
}

/**
 * Error of a median at an age at which no survey measured the dimension. The median then rests on soldiers
 * of 18 to 50 years, or on the children of Snyder 1977. The dimensions that NHANES measured show this
 * error, because they have two estimates: with NHANES and without it. The difference between the estimates
 * at 30 years is subtracted. The error is the root mean square of the rest over dimensions and genders of
 * the United States, in SD of the dimension.
 *
 * @param agesYears ages at which the error is measured; it is linear between them
 */
export function fitExtrapolation(
  model: FittedModel,
  agesYears: readonly number[],
): (ageYears: number) => number {
  const populations = new Populations(model);
  const differences: Difference[] = GENDERS.flatMap((gender) => {
    const population = populations.home(gender);
    const grown = { cohort: population.at(ADULT_AGE_YEARS), adults: populations.adults('US') };
    const gap = (name: Parameters<typeof estimateMilitary>[2], cohort: Cohort) => {
      const nhanes = estimateNhanes(model, cohort, name);
      if (nhanes === undefined) throw new Error(`NHANES has no ${name}`);
      return (withoutNhanes(model, cohort, grown, name) - lnMedian(nhanes)) / nhanes.sd;
    };
    return [...model.nhanes[gender]].flatMap(([name, { plan }]) => {
      if (name === 'Stature') return [];
      const usual = gap(name, population.at(COMPARED_AT_YEARS));
      return agesYears
        .filter((ageYears) => ageYears >= plan.fromYears)
        .map((ageYears) => ({ ageYears, inSd: gap(name, population.at(ageYears)) - usual }));
    });
  });
  const errors = agesYears.map((age) => {
    const found = differences.filter(({ ageYears }) => ageYears === age);
    const squares = found.reduce((sum, { inSd }) => sum + inSd ** 2, 0);
    return Math.sqrt(squares / Math.max(1, found.length));
  });
  // Few dimensions were measured at ages far from 30 years, so a small error there may be chance. The error
  // at an age is therefore at least that at any age between it and 30 years.
  const away = errors.map((error, i) => {
    const older = agesYears[i] >= COMPARED_AT_YEARS;
    const between = errors.filter((_, j) => {
      const age = agesYears[j];
      return older
        ? age >= COMPARED_AT_YEARS && age <= agesYears[i]
        : age < COMPARED_AT_YEARS && age >= agesYears[i];
    });
    return Math.max(error, ...between);
  });
  return (ageYears) => interpolate(agesYears, away, ageYears);
}
