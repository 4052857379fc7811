import { growthCurve } from '../../numerics/isotonic.js';
import { interpolate } from '../../numerics/numbers.js';
import { ADULT_AGE_YEARS, AGES_YEARS } from '../../plans/axes.js';

/** Ages at which growth is checked. The last one is that of adults. */
export const GROWING_YEARS = AGES_YEARS.filter((ageYears) => ageYears <= ADULT_AGE_YEARS);

/** Returns the nearest curve over age that does not fall before 20 years at the knots of age. */
export function risingToAdult(curve: (ageYears: number) => number): (ageYears: number) => number {
  const raw = GROWING_YEARS.map(curve);
  const shifts = growthCurve(raw, [{ sign: 1 }]).map((value, i) => value - raw[i]);
  return (ageYears) =>
    curve(ageYears) +
    (ageYears < ADULT_AGE_YEARS ? interpolate(GROWING_YEARS, shifts, ageYears) : 0);
}
