import { gradeOf } from '../fit/evidence/evidence.js';
import { Z95 } from '../numerics/marginal.js';
import { mean } from '../numerics/numbers.js';
import { groupBy, share } from './metrics.js';

/** How often the 90 % interval for a left-out survey contains what the survey found. */
export interface IntervalCoverage {
  /** Group of dimensions, grade, band of age, or `ALL`. */
  readonly key: string;
  readonly rows: number;
  /** Share of figures inside the interval, 0 to 1. */
  readonly held: number;
  /** Mean of half the width of the intervals, in SD of the dimension. */
  readonly halfWidthSd: number;
  /** Mean of the absolute errors, in SD of the dimension. */
  readonly meanAbsSd: number;
}

/** Key of all rows. */
export const ALL = 'all';

/** Error of an answer about a left-out survey, and the standard error that was expected, in SD of the dimension. */
export interface Interval {
  readonly errorSd: number;
  readonly expectedSd: number;
  /** People measured. Their sampling error widens the interval; undefined if it is in `expectedSd`. */
  readonly people?: number;
}

/** Key of the grade of the evidence that a user is told. */
export const gradeKey = ({ expectedSd }: Interval): string => `grade ${gradeOf(expectedSd)}`;

function coverageOf(key: string, intervals: readonly Interval[]): IntervalCoverage {
  const found = intervals.map(({ errorSd, expectedSd, people = Number.POSITIVE_INFINITY }) => {
    const halfWidth = Z95 * Math.hypot(expectedSd, Math.sqrt(1 / people));
    return { halfWidth, error: Math.abs(errorSd) };
  });
  return {
    key,
    rows: intervals.length,
    held: share(found, ({ halfWidth, error }) => error <= halfWidth),
    halfWidthSd: mean(found.map(({ halfWidth }) => halfWidth)),
    meanAbsSd: mean(found.map(({ error }) => error)),
  };
}

/** Coverage of the 90 % intervals over all rows, and by each of the keys of a row. */
export function intervalCoverage<Row extends Interval>(
  rows: readonly Row[],
  keysOf: (row: Row) => readonly string[],
): IntervalCoverage[] {
  const keyed = rows.flatMap((row) => keysOf(row).map((key) => ({ key, row })));
  const parts = groupBy(keyed, ({ key }) => key);
  return [
    coverageOf(ALL, rows),
    ...parts.map(([key, members]) =>
      coverageOf(
        key,
        members.map(({ row }) => row),
      ),
    ),
  ];
}
