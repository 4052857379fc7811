import { calibrationGroup } from '../fit/calibration/calibration.js';
import { gradeOf } from '../fit/evidence/evidence.js';
import { Z95 } from '../numerics/marginal.js';
import { mean } from '../numerics/numbers.js';
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
  /** Mean of the absolute errors of the means, in SD of the dimension. */
  readonly meanAbsSd: number;
  /** Mean interval score, in SD (Gneiting and Raftery 2007, JASA 102:359): small where intervals are narrow and hold. */
  readonly scoreSd: number;
}

interface Interval {
  readonly group: string;
  readonly gender: string;
  readonly ages: string;
  readonly grade: string;
  readonly held: boolean;
  readonly errorSd: number;
  readonly halfWidthSd: number;
}

/** Share of means that a 90 % interval misses. */
const MISSED = 0.1;

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
  const missed = ({ errorSd, halfWidthSd }: Interval) => Math.max(0, errorSd - halfWidthSd);
  return {
    key,
    rows: intervals.length,
    held: share(intervals, ({ held }) => held),
    halfWidthSd: mean(intervals.map(({ halfWidthSd }) => halfWidthSd)),
    meanAbsSd: mean(intervals.map(({ errorSd }) => errorSd)),
    scoreSd: mean(intervals.map((one) => 2 * one.halfWidthSd + (2 / MISSED) * missed(one))),
  };
}

/** Coverage of the 90 % intervals over all rows, by group of dimensions, gender, mean age and grade. */
export function intervalCoverage(
  rows: readonly ScoredRow<PredictorName>[],
  predictor: PredictorName,
): IntervalCoverage[] {
  const intervals = rows.flatMap(({ study, row, errors }): Interval[] => {
    const { mean: error, expectedSd } = errors[predictor];
    if (expectedSd === undefined) return [];
    const halfWidthSd = Z95 * expectedSd;
    const errorSd = Math.abs(error);
    const held = errorSd <= halfWidthSd;
    const grade = `grade ${gradeOf(expectedSd)}`;
    const group = calibrationGroup(row.measurement);
    const ages = agesOf(study.ageMean);
    return [{ group, gender: study.gender, ages, grade, held, errorSd, halfWidthSd }];
  });
  const parts = [
    ...groupBy(intervals, ({ group }) => group),
    ...groupBy(intervals, ({ gender }) => gender),
    ...groupBy(intervals, ({ ages }) => ages),
    ...groupBy(intervals, ({ grade }) => grade),
  ];
  return [coverageOf('all', intervals), ...parts.map(([key, members]) => coverageOf(key, members))];
}
