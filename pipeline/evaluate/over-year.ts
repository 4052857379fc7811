import normalCdf from '@stdlib/stats-base-dists-normal-cdf';
import { type AgeWithin, agesWithin } from '../../src/core/years-of-age.js';
import { Z_COUNT, Z_FIRST, Z_STEP } from '../../src/lookup/format.js';
import { Mixture } from '../../src/population/mixture.js';
import { lnQuantileOf, lnQuantilesAt, type Marginal } from '../numerics/marginal.js';
import { ADULT_AGE_YEARS } from '../plans/axes.js';

const SCORES = Float64Array.from({ length: Z_COUNT }, (_, i) => Z_FIRST + i * Z_STEP);

/**
 * Exact ages of a group of a survey, with their shares: the ages of a completed year below 20, and the mean age of a
 * group of adults.
 */
export function agesOfGroup(meanAge: number): readonly AgeWithin[] {
  if (meanAge >= ADULT_AGE_YEARS) return [{ ageYears: meanAge, share: 1 }];
  return agesWithin(Math.floor(meanAge));
}

/** The quantile of a group by normal score: of the mixture of its distributions of ln D at exact ages. */
export function quantileOfGroup(
  ages: readonly AgeWithin[],
  marginalAt: (ageYears: number) => Marginal,
): (z: number) => number {
  const [only, ...others] = ages;
  if (only !== undefined && others.length === 0) {
    const lnQuantile = lnQuantileOf(marginalAt(only.ageYears));
    return (z) => Math.exp(lnQuantile(z));
  }
  const knots = new Float64Array(ages.length * Z_COUNT);
  ages.forEach(({ ageYears }, i) => {
    lnQuantilesAt(marginalAt(ageYears), SCORES, knots.subarray(i * Z_COUNT, (i + 1) * Z_COUNT));
  });
  const weights = Float64Array.from(ages, ({ share }) => share);
  const mixture = new Mixture({ knots: knots.map(Math.exp), weights });
  return (z) => mixture.value(100 * normalCdf(z, 0, 1));
}
