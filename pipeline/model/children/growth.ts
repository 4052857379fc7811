import { growthCurve } from '../../numerics/isotonic.js';
import { interpolate } from '../../numerics/numbers.js';
import { ADULT_AGE_YEARS, AGES_YEARS, STANDING_FROM_YEARS } from '../../plans/axes.js';

/** Ages at which growth is checked. The last one is that of adults. */
export const GROWING_YEARS = AGES_YEARS.filter((ageYears) => ageYears <= ADULT_AGE_YEARS);

const STANDING = GROWING_YEARS.indexOf(STANDING_FROM_YEARS);

/** Values at `GROWING_YEARS` without the fall at 2 years, where lying length becomes standing height. */
export function withoutLying(values: readonly number[]): number[] {
  const fall = Math.max(0, values[STANDING - 1] - values[STANDING]);
  return values.map((value, i) => (i < STANDING ? value - fall : value));
}

/**
 * Returns the nearest curve over age that does not fall before 20 years at the knots of age, except at 2 years, where
 * lying length becomes standing height.
 */
export function risingToAdult(curve: (ageYears: number) => number): (ageYears: number) => number {
  const raw = withoutLying(GROWING_YEARS.map(curve));
  const shifts = growthCurve(raw, [{ sign: 1 }]).map((value, i) => value - raw[i]);
  return (ageYears) =>
    curve(ageYears) +
    (ageYears < ADULT_AGE_YEARS ? interpolate(GROWING_YEARS, shifts, ageYears) : 0);
}
