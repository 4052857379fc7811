import { calibrationGroup } from '../fit/calibration/calibration.js';
import { Z95 } from '../numerics/marginal.js';
import type { ScoredRow } from './folds.js';
import { groupBy, share } from './metrics.js';
import type { PredictorName } from './predictors.js';

/** How often the 90 % interval for a left-out survey contains the mean that the survey printed. */
export interface IntervalCoverage {
  /** Group of dimensions, gender, mean age of the sample, or `all`. */
  readonly key: string;
  readonly rows: number;
  /** Share of means inside the interval, 0 to 1. */
  readonly held: number;
  /** Mean of half the width of the intervals, in SD of the dimension. */
  readonly halfWidthSd: number;
}

interface Interval {
  readonly group: string;
  readonly gender: string;
  readonly ages: string;
  readonly held: boolean;
  readonly halfWidthSd: number;
}

/** Upper ends of the groups of mean age, years. */
const AGES_TO = [20, 25, 30, 40] as const;

/** Group of a sample's mean age. */
function agesOf(ageMean: number | undefined): string {
  if (ageMean === undefined) return 'mean age not printed';
  const to = AGES_TO.findIndex((end) => ageMean < end);
  if (to === 0) return `mean age under ${AGES_TO[0]}`;
  if (to < 0) return `mean age ${AGES_TO.at(-1)} and over`;
  return `mean age ${AGES_TO[to - 1]} to under ${AGES_TO[to]}`;
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

/** Coverage of the 90 % intervals over all rows, by group of dimensions, by gender, and by mean age. */
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
    const ages = agesOf(study.ageMean);
    return [{ group, gender: study.gender, ages, held, halfWidthSd }];
  });
  const parts = [
    ...groupBy(intervals, ({ group }) => group),
    ...groupBy(intervals, ({ gender }) => gender),
    ...groupBy(intervals, ({ ages }) => ages),
  ];
  return [coverageOf('all', intervals), ...parts.map(([key, members]) => coverageOf(key, members))];
}
