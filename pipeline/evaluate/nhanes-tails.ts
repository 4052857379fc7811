import { mean } from '../numerics/numbers.js';
import { groupBy, share } from './metrics.js';
import type { NhanesError } from './us-nhanes.js';

/** Largest error allowed at P0.5 and P99.5, in SD. */
const ASKED_OUTERMOST_SD = 0.25;
/** First ages, in years, of the bands over which errors are averaged. */
const [OUTERMOST_BANDS, CHILD_BANDS] = [
  [0, 6, 12, 20, 40, 60],
  [5, 9, 12, 15],
] as const;
const GROWN_YEARS = 18;
/** Girths of children with a goal at P95. */
const CHILD_GIRTHS: ReadonlySet<string> = new Set([
  ...['WaistCircumferenceAbdominal', 'UpperArmCircumferenceMidpoint', 'CalfCircumference'],
]);

const bandOf = (bands: readonly number[], ageYears: number): number =>
  bands.findLastIndex((from) => ageYears >= from);

/**
 * Share of age bands whose error at P0.5 and P99.5 is within `ASKED_OUTERMOST_SD`, over fitted dimensions and genders.
 * The error of a band is the mean over its people. In a single group of 700 people, three or four are beyond such a
 * percentile, so the standard error of one group is about 0.2 SD.
 */
export function outermostWithin(errors: readonly NhanesError[]): number {
  const outermost = errors.filter(
    ({ status, percentile }) => status === 'fitted' && (percentile === 0.5 || percentile === 99.5),
  );
  const bands = groupBy(outermost, ({ measurement, gender, ageYears, percentile }) =>
    [measurement, gender, bandOf(OUTERMOST_BANDS, ageYears), percentile].join('|'),
  );
  return share(bands, ([, group]) => {
    const people = group.reduce((sum, { n }) => sum + n, 0);
    const total = group.reduce((sum, { n, errorSd }) => sum + n * errorSd, 0);
    return Math.abs(total / people) <= ASKED_OUTERMOST_SD;
  });
}

/**
 * Errors of P95 of waist, arm and calf at 5 to 17 years. Returns the largest mean error of an age band of both genders,
 * in SD.
 */
export function largestChildGirthError(errors: readonly NhanesError[]): number {
  const children = errors.filter(
    ({ status, measurement, percentile, ageYears }) =>
      status === 'fitted' &&
      percentile === 95 &&
      CHILD_GIRTHS.has(measurement) &&
      ageYears >= CHILD_BANDS[0] &&
      ageYears < GROWN_YEARS,
  );
  const bands = groupBy(children, ({ measurement, ageYears }) =>
    [measurement, bandOf(CHILD_BANDS, ageYears)].join('|'),
  );
  return Math.max(...bands.map(([, group]) => Math.abs(mean(group.map(({ errorSd }) => errorSd)))));
}
