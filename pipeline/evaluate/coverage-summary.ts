import type { Gender } from '../../src/core/genders.js';
import type { MeasurementName } from '../../src/core/measurements.js';
import { type BinCoverage, RANGES } from './coverage.js';
import { groupBy } from './metrics.js';

type RangePct = (typeof RANGES)[number];
type Covered = Readonly<Record<RangePct, number>>;

/** The anchor bins of a coverage: all of them, the lowest tenth, or the highest tenth. */
export const ANCHORS = ['all', 'P5', 'P95'] as const;
export type Anchors = (typeof ANCHORS)[number];

/** Coverage of one pair over the given anchors. */
export interface PairCoverage {
  readonly gender: Gender;
  readonly ageGroup: string;
  readonly anchor: MeasurementName;
  readonly linked: MeasurementName;
  /** Effective number of people. It is smaller than the number of people if weights differ. */
  readonly n: number;
  readonly covered: Covered;
}

/** A pair whose coverage is off by more than 2 percentage points and by more than 2 standard errors. */
export interface PairOut extends PairCoverage {
  readonly anchors: Anchors;
  readonly range: RangePct;
}

/** Mean coverage over pairs, and the number of pairs out of tolerance. */
export interface CoverageSummary {
  readonly anchors: Anchors;
  readonly pairs: number;
  readonly mean: Covered;
  readonly outOfTolerance: Readonly<Record<RangePct, number>>;
}

const TOLERANCE = 0.02;

/** Whether a bin belongs to the given anchors. */
export function about(anchors: Anchors, { lowPct, highPct }: BinCoverage): boolean {
  if (anchors === 'P5') return lowPct === 0;
  return anchors === 'P95' ? highPct === 100 : true;
}

const perRange = (make: (range: RangePct) => number): Covered =>
  Object.fromEntries(RANGES.map((range) => [range, make(range)])) as Record<RangePct, number>;

/** Key of a pair in one group of people. */
export function pairKey({ gender, ageGroup, anchor, linked }: Omit<PairCoverage, 'n' | 'covered'>) {
  return `${gender}|${ageGroup}|${anchor}|${linked}`;
}

/** Pools the bins of each pair, by people. */
export function pairsOf(bins: readonly BinCoverage[], anchors: Anchors): PairCoverage[] {
  const chosen = bins.filter((bin) => about(anchors, bin));
  return groupBy(chosen, pairKey).map(([, members]) => {
    const { gender, ageGroup, anchor, linked } = members[0] as BinCoverage;
    const n = members.reduce((sum, bin) => sum + bin.nEffective, 0);
    const covered = perRange(
      (range) => members.reduce((sum, bin) => sum + bin.nEffective * bin.covered[range], 0) / n,
    );
    return { gender, ageGroup, anchor, linked, n, covered };
  });
}

/** Whether the coverage of a pair is off by more than 2 percentage points and by more than 2 of its standard errors. */
export function isOut(pair: PairCoverage, range: RangePct): boolean {
  const said = range / 100;
  const se = Math.sqrt((said * (1 - said)) / pair.n);
  return Math.abs(pair.covered[range] - said) > TOLERANCE + 2 * se;
}

/** Mean coverage by anchors. */
export function summariseCoverage(bins: readonly BinCoverage[]): CoverageSummary[] {
  return ANCHORS.map((anchors) => {
    const pairs = pairsOf(bins, anchors);
    return {
      anchors,
      pairs: new Set(pairs.map(({ anchor, linked }) => `${anchor}|${linked}`)).size,
      mean: perRange(
        (range) => pairs.reduce((sum, { covered }) => sum + covered[range], 0) / pairs.length,
      ),
      outOfTolerance: perRange((range) => pairs.filter((pair) => isOut(pair, range)).length),
    };
  });
}

/** The pairs that are out of tolerance over all their people. The pair with the largest error comes first. */
export function pairsOut(bins: readonly BinCoverage[], anchors: Anchors): PairOut[] {
  const off = ({ covered, range }: PairOut): number => Math.abs(covered[range] - range / 100);
  return pairsOf(bins, anchors)
    .flatMap((pair) =>
      RANGES.filter((range) => isOut(pair, range)).map((range) => ({ ...pair, anchors, range })),
    )
    .sort((a, b) => off(b) - off(a));
}
