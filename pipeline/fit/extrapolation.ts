import { GENDERS } from '../../src/core/genders.js';
import { estimateChild } from './child-estimator.js';
import type { Cohort } from './cohort.js';
import type { FittedModel } from './fitted-model.js';
import { lnMedian } from './marginal.js';
import { estimateMilitary } from './military-estimator.js';
import { estimateNhanes } from './nhanes-estimator.js';
import { interpolate } from './numbers.js';
import { Population } from './population.js';

/** Age at which the estimates are set equal: surveys define the dimensions differently. */
const COMPARED_AT_YEARS = 30;

/** One comparison: a dimension of a gender at an age. */
interface Difference {
  readonly ageYears: number;
  /** ln of the estimate without NHANES over that from NHANES, in SD of ln D. */
  readonly inSd: number;
}

/** The estimate of a cohort that does not use what NHANES measured of the dimension. */
function withoutNhanes(model: FittedModel, cohort: Cohort, grown: Cohort, name: string): number {
  const of = name as Parameters<typeof estimateMilitary>[2];
  const estimate = cohort.isAdult
    ? estimateMilitary(model, cohort, of)
    : estimateChild(model, cohort, grown, of);
  return lnMedian(estimate);
}

/**
 * Error, in SD of the dimension, of a median that rests on soldiers of 18 to 50 years or on the children
 * of Snyder 1977 instead of people of the age in question. It is measured on the dimensions that NHANES
 * also has: the root mean square, over dimensions and genders in the US, of the difference of the two
 * estimates, less that difference at 30 years.
 *
 * @param agesYears ages at which the error is measured; it is linear between them
 */
export function fitExtrapolation(
  model: FittedModel,
  agesYears: readonly number[],
): (ageYears: number) => number {
  const differences: Difference[] = GENDERS.flatMap((gender) => {
    const population = new Population(model, gender, 'US');
    const grown = population.at(20);
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
  // An age further from the soldiers' ages is not better known than one between, though fewer
  // dimensions were measured there.
  const away = errors.map((error, i) => {
    const older = (agesYears[i] as number) >= COMPARED_AT_YEARS;
    const between = errors.filter((_, j) => {
      const age = agesYears[j] as number;
      return older
        ? age >= COMPARED_AT_YEARS && age <= (agesYears[i] as number)
        : age < COMPARED_AT_YEARS && age >= (agesYears[i] as number);
    });
    return Math.max(error, ...between);
  });
  return (ageYears) => interpolate(agesYears, away, ageYears);
}
