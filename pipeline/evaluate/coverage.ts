import { GENDERS, type Gender, perGender } from '../../src/core/genders.js';
import { MEASUREMENT_NAMES, type MeasurementName } from '../../src/core/measurements.js';
import { correlationIndex, percentileOfZ, zOfPercentile } from '../../src/lookup/cell.js';
import { groupCovariates } from '../fit/covariates/group-covariates.js';
import type { Fit } from '../fit/fit-model.js';
import { CorrelationEvidence } from '../fit/joint/correlation-evidence.js';
import { emptyCorrelations, fitCorrelations } from '../fit/joint/correlations.js';
import { withCovariates } from '../model/fitted-model.js';
import type { RawTables } from '../raw-tables/raw-tables.js';
import { fromAnsur2 } from './ansur-cross.js';
import { groupBy } from './metrics.js';

/** Conditional ranges judged, in percent. */
const RANGES = [80, 90, 95] as const;
type Covered = Readonly<Record<(typeof RANGES)[number], number>>;

/** People in one anchor bin of a pair, with quantiles of their distances from the regression line. */
export interface Bin {
  readonly gender: Gender;
  readonly anchor: MeasurementName;
  readonly linked: MeasurementName;
  readonly rho: number;
  readonly anchorZ: number;
  readonly people: number;
  readonly quantiles: readonly number[];
}

/** Percentiles at which a bin’s people are read. */
export const PERCENTILES = [1, 2.5, 5, 10, 25, 50, 75, 90, 95, 97.5, 99] as const;
const PERCENTILE_Z = PERCENTILES.map(zOfPercentile);
/** Age of the soldiers’ matrix, about their mean age. */
const MILITARY_AGE_YEARS = 27;

/** Reads the bins of ANSUR I (`conditional_quantiles.csv`). */
export async function readBins(tables: RawTables): Promise<Bin[]> {
  const order = 'gender, anchor, linked, low_pct';
  const rows = await tables.rows('ansur1', 'conditional_quantiles', order);
  return rows.map((row) => ({
    gender: row.gender as Gender,
    anchor: row.anchor as MeasurementName,
    linked: row.linked as MeasurementName,
    rho: Number(row.rho),
    anchorZ: Number(row.anchor_z_mean),
    people: Number(row.n),
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
  while (i < last && quantiles[i + 1] <= x) i++;
  const [a, b] = [quantiles[i], quantiles[i + 1]];
  const [za, zb] = [PERCENTILE_Z[i], PERCENTILE_Z[i + 1]];
  return percentileOfZ(za + ((zb - za) * (x - a)) / Math.max(b - a, 1e-9)) / 100;
}

/** Shares of a bin's people inside the ranges that a correlation predicts for their anchors. */
export function coverageOf(bin: Bin, rho: number): Covered {
  // The middle of each person's range is rho × anchor. The quantiles are distances from the survey's own line.
  const centre = (rho - bin.rho) * bin.anchorZ;
  const sd = Math.sqrt(1 - rho * rho);
  const entries = RANGES.map((range) => {
    const half = zOfPercentile(50 + range / 2) * sd;
    const inside =
      shareBelow(bin.quantiles, centre + half) - shareBelow(bin.quantiles, centre - half);
    return [range, inside] as const;
  });
  return Object.fromEntries(entries) as Covered;
}

/** Number of pairs, and mean coverage: over the people of each pair, then over the pairs of both genders. */
export function summariseCoverage(bins: readonly (Bin & { readonly covered: Covered })[]) {
  const pairs = groupBy(bins, ({ gender, anchor, linked }) => `${gender}|${anchor}|${linked}`);
  const mean = (range: keyof Covered) => {
    const means = pairs.map(([, members]) => {
      const people = members.reduce((sum, bin) => sum + bin.people, 0);
      return members.reduce((sum, bin) => sum + bin.people * bin.covered[range], 0) / people;
    });
    return means.reduce((sum, one) => sum + one, 0) / pairs.length;
  };
  return {
    pairs: new Set(bins.map(({ anchor, linked }) => `${anchor}|${linked}`)).size,
    covered: { 80: mean(80), 90: mean(90), 95: mean(95) },
  };
}

/**
 * Scores conditional ranges on the people of ANSUR I. The correlations are those of the military model before it is
 * moved to civilians, with residuals that have not seen ANSUR I. Stature and BMI vary as among these people.
 */
export function scoreCoverage({ model, correlated, sources }: Fit, bins: readonly Bin[]) {
  const { ansur1, ansur2 } = sources;
  const military = withCovariates({
    ...model,
    nhanes: perGender(() => new Map()),
    carryOver: perGender(() => ({ anchors: [], weights: new Map() })),
    usCovariates: (gender, ageYears) => {
      const { lnStatureSd, lnBmiSd, rho } = groupCovariates(ansur1.adults(gender));
      return { ...model.usCovariates(gender, ageYears), lnStatureSd, lnBmiSd, rho };
    },
  });
  const evidence = new CorrelationEvidence({ ...correlated, adults: [ansur2] });
  const fitted = emptyCorrelations(1);
  for (const gender of GENDERS) {
    fitCorrelations(fitted, military, evidence, gender, [MILITARY_AGE_YEARS], () => undefined);
  }
  const scored = bins.flatMap((bin) => {
    if (!fromAnsur2(bin.anchor) || !fromAnsur2(bin.linked)) return [];
    const pair = [bin.anchor, bin.linked].map((name) => MEASUREMENT_NAMES.indexOf(name));
    const [i, j] = pair as [number, number];
    const at = correlationIndex(MEASUREMENT_NAMES.length, 0, GENDERS.indexOf(bin.gender), i, j);
    return [{ ...bin, covered: coverageOf(bin, fitted.rho[at]) }];
  });
  return summariseCoverage(scored);
}
