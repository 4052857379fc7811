import { smoothStep } from '../../numerics/numbers.js';

/**
 * Age of the 80+ group of NHANES, about the mean of Americans over 80. The survey gives no ages above 80.
 */
export const OLDEST_GROUP_YEARS = 84.5;

/** Half width in years of the smoothing window: about a year in childhood, a decade in adults. */
const INFANT_WINDOW = 0.5;
const CHILD_WINDOW = 1.6;
const ADULT_WINDOW = 9;

/** Factor on the window for spread and shape, because the people of one year say less about these. */
export const SPREAD_WINDOW = 1.5;

/** Half width of the window at an age. Between 14 and 30 years it widens to that of adults. */
export function windowYears(ageYears: number): number {
  // The younger the child, the faster the growth curve bends.
  if (ageYears < 2) return INFANT_WINDOW + ((CHILD_WINDOW - INFANT_WINDOW) * ageYears) / 2;
  return CHILD_WINDOW + (ADULT_WINDOW - CHILD_WINDOW) * smoothStep(ageYears, 14, 30);
}
