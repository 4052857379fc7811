import { MEASUREMENTS, type MeasurementName } from '../../src/core/measurements.js';
import { type BinCoverage, coverageOf, RANGES } from './coverage.js';
import { groupBy } from './metrics.js';

type RangePct = (typeof RANGES)[number];

const HEAD_OR_HAND = /^(Head|Face|Ear|Neck|Hand|Wrist|Foot|Finger)/;
const KINDS = new Map(MEASUREMENTS.map(({ name, kind }) => [name, kind]));

/**
 * Group of a dimension. Lengths follow the skeleton and girths the soft tissue. Head, hands and feet follow neither
 * closely.
 */
function groupOf(name: MeasurementName): 'length' | 'girth' | 'head, hand or foot' {
  const kind = KINDS.get(name);
  if (HEAD_OR_HAND.test(name) || kind === 'face' || kind === 'finger') return 'head, hand or foot';
  return kind === 'height' || kind === 'length' || kind === 'reach' ? 'length' : 'girth';
}

/** Class of a pair of dimensions. The order of the two does not matter. */
export function classOf(a: MeasurementName, b: MeasurementName): string {
  const [x, y] = [groupOf(a), groupOf(b)];
  if (x === 'head, hand or foot' || y === 'head, hand or foot')
    return 'head, hand or foot with any';
  if (x !== y) return 'length with girth';
  return x === 'length' ? 'length with length' : 'girth with girth';
}

/** Mean coverage over the pairs of a class in one bin of the anchor. */
export interface ClassCoverage {
  readonly pairClass: string;
  readonly lowPct: number;
  readonly highPct: number;
  readonly pairs: number;
  /**
   * `predicted` uses the predicted correlations. `own` uses those of the survey itself, so that only the copula can
   * err.
   */
  readonly predicted: Readonly<Record<RangePct, number>>;
  readonly own: Readonly<Record<RangePct, number>>;
}

/** Coverage by class of pairs and bin of the anchor. */
export function coverageByClass(bins: readonly BinCoverage[]): ClassCoverage[] {
  const keyOf = (bin: BinCoverage): string =>
    `${classOf(bin.anchor, bin.linked)}|${String(bin.lowPct).padStart(3, '0')}`;
  return groupBy(bins, keyOf).map(([, members]) => {
    const first = members[0] as BinCoverage;
    const over = (covered: (bin: BinCoverage) => Readonly<Record<RangePct, number>>) =>
      Object.fromEntries(
        RANGES.map((range) => [
          range,
          members.reduce((sum, bin) => sum + covered(bin)[range], 0) / members.length,
        ]),
      ) as Record<RangePct, number>;
    return {
      pairClass: classOf(first.anchor, first.linked),
      lowPct: first.lowPct,
      highPct: first.highPct,
      pairs: members.length,
      predicted: over(({ covered }) => covered),
      own: over((bin) => coverageOf(bin, bin.rho)),
    };
  });
}
