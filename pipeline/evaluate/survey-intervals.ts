import { gradeOf } from '../fit/evidence/evidence.js';
import { Z95 } from '../numerics/marginal.js';
import { mean } from '../numerics/numbers.js';
import { share } from './metrics.js';

/** Error of an answer about a left-out survey, and the standard error that was expected, in SD of the dimension. */
export interface Interval {
  readonly errorSd: number;
  readonly expectedSd: number;
  /** People measured. Their sampling error widens the interval; undefined if it is in `expectedSd`. */
  readonly people?: number;
}

/** Key of the grade of the evidence that a user is told. */
export const gradeKey = ({ expectedSd }: Interval): string => `grade ${gradeOf(expectedSd)}`;

/**
 * How often the 90 % intervals for left-out surveys contain what the surveys found: number of figures, share inside (0
 * to 1), and means of half the width of the intervals and of the absolute errors, both in SD of the dimension.
 */
export function coverageOf(intervals: readonly Interval[]) {
  const found = intervals.map(({ errorSd, expectedSd, people = Number.POSITIVE_INFINITY }) => {
    const halfWidth = Z95 * Math.hypot(expectedSd, Math.sqrt(1 / people));
    return { halfWidth, error: Math.abs(errorSd) };
  });
  return {
    rows: intervals.length,
    held: share(found, ({ halfWidth, error }) => error <= halfWidth),
    halfWidthSd: mean(found.map(({ halfWidth }) => halfWidth)),
    meanAbsSd: mean(found.map(({ error }) => error)),
  };
}
