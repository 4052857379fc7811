import normalCdf from '@stdlib/stats-base-dists-normal-cdf';
import { type AgeWithin, agesWithin } from '../../src/core/years-of-age.js';
import { Z_COUNT, Z_FIRST, Z_STEP } from '../../src/lookup/format.js';
import { Mixture } from '../../src/population/mixture.js';
import { ADULT_AGE_YEARS } from '../plans/axes.js';

const SCORES = Array.from({ length: Z_COUNT }, (_, i) => Z_FIRST + i * Z_STEP);

/**
 * Exact ages of a group of a survey, with their shares: the ages of a completed year below 20, and the mean age of a
 * group of adults.
 */
export function agesOfGroup(meanAge: number): readonly AgeWithin[] {
  if (meanAge >= ADULT_AGE_YEARS) return [{ ageYears: meanAge, share: 1 }];
  return agesWithin(Math.floor(meanAge));
}

/** Value at a normal score. */
export type Quantile = (z: number) => number;

/** The quantile of a group: of the mixture of its distributions at exact ages. */
export function quantileOfGroup(
  ages: readonly AgeWithin[],
  quantileAt: (ageYears: number) => Quantile,
): Quantile {
  const [only, ...others] = ages;
  if (only !== undefined && others.length === 0) return quantileAt(only.ageYears);
  const knots = Float64Array.from(ages.flatMap(({ ageYears }) => SCORES.map(quantileAt(ageYears))));
  const mixture = new Mixture({ knots, weights: Float64Array.from(ages, ({ share }) => share) });
  return (z) => mixture.value(100 * normalCdf(z, 0, 1));
}
