import type { Gender } from '../../src/core/genders.js';
import { MEASUREMENT_NAMES, type MeasurementName } from '../../src/core/measurements.js';
import { percentileOfZ, zOfPercentile } from '../../src/lookup/cell.js';
import { DIMENSION_PLAN } from '../plans/dimension-plan.js';
import type { RawTables } from '../raw-tables/raw-tables.js';
import type { Rho } from './coverage-rho.js';
import { groupBy } from './metrics.js';

/** Conditional ranges judged, in percent. */
export const RANGES = [80, 90, 95] as const;
type RangePct = (typeof RANGES)[number];

/** People in one anchor bin of a pair, with quantiles of their distances from the regression line. */
export interface Bin {
  readonly gender: Gender;
  readonly ageGroup: string;
  readonly anchor: MeasurementName;
  readonly linked: MeasurementName;
  readonly rho: number;
  readonly anchorZ: number;
  readonly n: number;
  readonly nEffective: number;
  readonly quantiles: readonly number[];
}

/** Coverage of the ranges in one bin of one pair, as shares of 1. */
export interface BinCoverage extends Bin {
  /** The correlation that gives the ranges. */
  readonly predicted: number;
  readonly covered: Readonly<Record<RangePct, number>>;
}

/** Percentiles at which a bin’s people are read. */
export const PERCENTILES = [1, 2.5, 5, 10, 25, 50, 75, 90, 95, 97.5, 99] as const;
const PERCENTILE_Z = PERCENTILES.map(zOfPercentile);

/** Reads the bins of a survey (`conditional_quantiles.csv`). */
export async function readBins(tables: RawTables, source: string): Promise<Bin[]> {
  const order = 'gender, age_group, anchor, linked, low_pct';
  const rows = await tables.rows(source, 'conditional_quantiles', order);
  return rows.map((row) => ({
    gender: row.gender as Gender,
    ageGroup: String(row.age_group),
    anchor: row.anchor as MeasurementName,
    linked: row.linked as MeasurementName,
    rho: Number(row.rho),
    anchorZ: Number(row.anchor_z_mean),
    n: Number(row.n),
    nEffective: Number(row.n_effective),
    quantiles: PERCENTILES.map((p) => Number(row[`q${String(p).replace('.', '_')}`])),
  }));
}

/** Dimensions of the bins. Both ANSUR surveys define them in the same way. */
export function pairedNames(bins: readonly Bin[]): MeasurementName[] {
  const names = new Set(bins.flatMap(({ anchor, linked }) => [anchor, linked]));
  return MEASUREMENT_NAMES.filter((name) => names.has(name));
}

/**
 * Share of people below `x`, from quantiles. Between two quantiles, the share is linear on the scale of normal scores.
 * Beyond the outermost quantile, the line through the last two continues.
 */
export function shareBelow(quantiles: readonly number[], x: number): number {
  const last = quantiles.length - 2;
  let i = 0;
  while (i < last && (quantiles[i + 1] as number) <= x) i++;
  const [a, b] = [quantiles[i] as number, quantiles[i + 1] as number];
  const [za, zb] = [PERCENTILE_Z[i] as number, PERCENTILE_Z[i + 1] as number];
  return percentileOfZ(za + ((zb - za) * (x - a)) / Math.max(b - a, 1e-9)) / 100;
}

/** Shares of a bin's people inside the ranges that a correlation predicts for their anchors. */
export function coverageOf(bin: Bin, rho: number): Record<RangePct, number> {
  // The middle of each person's range is rho × anchor. The quantiles are distances from the survey's own line.
  const centre = (rho - bin.rho) * bin.anchorZ;
  const sd = Math.sqrt(1 - rho * rho);
  const entries = RANGES.map((range) => {
    const half = zOfPercentile(50 + range / 2) * sd;
    const inside =
      shareBelow(bin.quantiles, centre + half) - shareBelow(bin.quantiles, centre - half);
    return [range, inside] as const;
  });
  return Object.fromEntries(entries) as Record<RangePct, number>;
}

/** Whether the model takes a dimension from ANSUR II alone, so that ANSUR I has no influence. */
export function fromAnsur2(name: MeasurementName): boolean {
  const { basis } = DIMENSION_PLAN[name];
  return basis.kind === 'survey' && basis.survey === 'ansur2';
}

/** Coverage of every bin of the pairs whose correlation is known. */
export function scoreCoverage(bins: readonly Bin[], rho: Rho): BinCoverage[] {
  return bins.flatMap((bin) => {
    const predicted = rho(bin.gender, bin.anchor, bin.linked);
    if (predicted === undefined) return [];
    return [{ ...bin, predicted, covered: coverageOf(bin, predicted) }];
  });
}

/** Number of pairs, and shares of people inside the ranges. */
export interface CoverageSummary {
  readonly pairs: number;
  readonly covered: Readonly<Record<RangePct, number>>;
}

/** Mean coverage: over the people of each pair, then over the pairs of all genders and ages. */
export function summariseCoverage(bins: readonly BinCoverage[]): CoverageSummary {
  const pairs = groupBy(bins, ({ gender, ageGroup, anchor, linked }) =>
    [gender, ageGroup, anchor, linked].join('|'),
  ).map(([, members]) => {
    const people = members.reduce((sum, bin) => sum + bin.nEffective, 0);
    return (range: RangePct) =>
      members.reduce((sum, bin) => sum + bin.nEffective * bin.covered[range], 0) / people;
  });
  const mean = (range: RangePct) => pairs.reduce((sum, of) => sum + of(range), 0) / pairs.length;
  return {
    pairs: new Set(bins.map(({ anchor, linked }) => `${anchor}|${linked}`)).size,
    covered: { 80: mean(80), 90: mean(90), 95: mean(95) },
  };
}
