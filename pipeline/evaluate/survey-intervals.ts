import { calibrationGroup } from '../fit/calibration/calibration.js';
import { Z95 } from '../numerics/marginal.js';
import type { ScoredRow } from './folds.js';
import { groupBy, share } from './metrics.js';
import type { PredictorName } from './predictors.js';

/** How often the 90 % interval of a left-out survey's mean holds the mean that it printed. */
export interface IntervalCoverage {
  /** Group of dimensions, gender or `all`. */
  readonly key: string;
  readonly rows: number;
  /** Share of means inside the interval, 0 to 1. */
  readonly held: number;
  /** Mean half width of the intervals, SD of the dimension. */
  readonly halfWidthSd: number;
}

interface Interval {
  readonly group: string;
  readonly gender: string;
  readonly held: boolean;
  readonly halfWidthSd: number;
}

function coverageOf(key: string, intervals: readonly Interval[]): IntervalCoverage {
  const total = intervals.reduce((sum, { halfWidthSd }) => sum + halfWidthSd, 0);
  return {
    key,
    rows: intervals.length,
    held: share(intervals, ({ held }) => held),
    halfWidthSd: total / intervals.length,
  };
}

/** Coverage of the 90 % intervals over all rows, by group of dimensions, and by gender. */
export function intervalCoverage(
  rows: readonly ScoredRow<PredictorName>[],
  predictor: PredictorName,
): IntervalCoverage[] {
  const intervals = rows.flatMap(({ study, row, errors }): Interval[] => {
    const { mean, expectedSd } = errors[predictor];
    if (expectedSd === undefined) return [];
    const halfWidthSd = Z95 * expectedSd;
    const held = Math.abs(mean) <= halfWidthSd;
    const group = calibrationGroup(row.measurement);
    return [{ group, gender: study.gender, held, halfWidthSd }];
  });
  const parts = [
    ...groupBy(intervals, ({ group }) => group),
    ...groupBy(intervals, ({ gender }) => gender),
  ];
  return [coverageOf('all', intervals), ...parts.map(([key, members]) => coverageOf(key, members))];
}
