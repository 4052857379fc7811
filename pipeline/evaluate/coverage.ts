import type { Gender } from '../../src/core/genders.js';
import { GENDERS } from '../../src/core/genders.js';
import { MEASUREMENT_NAMES, type MeasurementName } from '../../src/core/measurements.js';
import { percentileOfZ, zOfPercentile } from '../../src/lookup/normal.js';
import type { AdultSources } from '../fit/adult-model.js';
import { fitCorrelations } from '../fit/correlations.js';
import type { FittedModel } from '../fit/population.js';
import { DIMENSION_PLAN } from '../model/dimension-plan.js';
import type { RawTables } from '../tables/database.js';
import type { SurveyGroup } from '../tables/surveys.js';

/** Conditional ranges judged, in percent. */
export const RANGES = [80, 90, 95] as const;
type RangePct = (typeof RANGES)[number];

/** People of one anchor bin of a pair, and how far they lie from the line, at quantiles. */
interface Bin {
  readonly gender: Gender;
  readonly anchor: MeasurementName;
  readonly linked: MeasurementName;
  readonly rho: number;
  readonly lowPct: number;
  readonly highPct: number;
  readonly anchorZ: number;
  readonly n: number;
  readonly quantiles: readonly number[];
}

/** Coverage of the ranges in one bin of one pair, as shares of 1. */
export interface BinCoverage {
  readonly gender: Gender;
  readonly anchor: MeasurementName;
  readonly linked: MeasurementName;
  readonly lowPct: number;
  readonly highPct: number;
  readonly n: number;
  readonly covered: Readonly<Record<RangePct, number>>;
}

const PERCENTILES = [1, 2.5, 5, 10, 25, 50, 75, 90, 95, 97.5, 99] as const;
const PERCENTILE_Z = PERCENTILES.map(zOfPercentile);

/** Reads the bins of ANSUR I (`conditional_quantiles.csv`). */
export async function readBins(tables: RawTables): Promise<Bin[]> {
  const order = 'gender, anchor, linked, low_pct';
  const rows = await tables.rows('ansur1', 'conditional_quantiles', order);
  return rows.map((row) => ({
    gender: row.gender as Gender,
    anchor: row.anchor as MeasurementName,
    linked: row.linked as MeasurementName,
    rho: Number(row.rho),
    lowPct: Number(row.low_pct),
    highPct: Number(row.high_pct),
    anchorZ: Number(row.anchor_z_mean),
    n: Number(row.n),
    quantiles: PERCENTILES.map((p) => Number(row[`q${String(p).replace('.', '_')}`])),
  }));
}

/** Dimensions the bins hold: those both ANSUR surveys define alike. */
export function pairedNames(bins: readonly Bin[]): MeasurementName[] {
  const names = new Set(bins.flatMap(({ anchor, linked }) => [anchor, linked]));
  return MEASUREMENT_NAMES.filter((name) => names.has(name));
}

/**
 * Share of people below `x`, from quantiles: linear between them on the scale of normal scores,
 * going on beyond the outermost as between the last two.
 */
export function shareBelow(quantiles: readonly number[], x: number): number {
  const last = quantiles.length - 2;
  let i = 0;
  while (i < last && (quantiles[i + 1] as number) <= x) i++;
  const [a, b] = [quantiles[i] as number, quantiles[i + 1] as number];
  const [za, zb] = [PERCENTILE_Z[i] as number, PERCENTILE_Z[i + 1] as number];
  return percentileOfZ(za + ((zb - za) * (x - a)) / Math.max(b - a, 1e-9)) / 100;
}

/** Shares of a bin's people inside the ranges that a correlation gives each at his own anchor. */
export function coverageOf(bin: Bin, rho: number): Record<RangePct, number> {
  // Each person's range is rho x anchor ± …; the quantiles are about the survey's own line.
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

type Rho = (gender: Gender, a: MeasurementName, b: MeasurementName) => number | undefined;

function groupOf(sources: AdultSources, survey: 'ansur1' | 'ansur2', gender: Gender): SurveyGroup {
  const group = sources[survey].group(gender, 'adult');
  if (group === undefined) throw new Error(`${survey} has no ${gender} adults`);
  return group;
}

/** Correlations of the logarithms in ANSUR II as they are. */
export function surveyRho(sources: AdultSources): Rho {
  return (gender, a, b) => {
    const group = groupOf(sources, 'ansur2', gender);
    const [cov, va, vb] = [
      group.covariance(a, b),
      group.covariance(a, a),
      group.covariance(b, b),
    ].map((found) => found?.cov);
    if (cov === undefined || va === undefined || vb === undefined) return undefined;
    return cov / Math.sqrt(va * vb);
  };
}

/** Age of the matrix: the soldiers' own, about. */
const SOLDIER_AGE_YEARS = 27;

/**
 * The model's correlations in a population whose stature and BMI vary as the soldiers' of ANSUR I:
 * what the build writes into the artifact, with residual correlations of ANSUR II.
 */
export function modelRho(model: FittedModel, sources: AdultSources): Rho {
  const soldiers: FittedModel = {
    ...model,
    usDrivers: (gender, ageYears) => {
      const group = groupOf(sources, 'ansur1', gender);
      const [stature, bmi] = [group.moment('Stature'), group.moment('Bmi')];
      const cov = group.covariance('Stature', 'Bmi')?.cov ?? 0;
      return {
        ...model.usDrivers(gender, ageYears),
        lnStatureSd: stature.tSd,
        lnBmiSd: bmi.tSd,
        rho: cov / (stature.tSd * bmi.tSd),
      };
    },
  };
  const rho = fitCorrelations(soldiers, sources, GENDERS, [SOLDIER_AGE_YEARS], () => undefined);
  const size = MEASUREMENT_NAMES.length;
  return (gender, a, b) => {
    const [g, i, j] = [
      GENDERS.indexOf(gender),
      MEASUREMENT_NAMES.indexOf(a),
      MEASUREMENT_NAMES.indexOf(b),
    ];
    return rho[(g * size + i) * size + j];
  };
}

/** Whether the model takes a dimension from ANSUR II alone, so that ANSUR I did not shape it. */
function fromAnsur2(name: MeasurementName): boolean {
  const { basis } = DIMENSION_PLAN[name];
  return basis.kind === 'survey' && basis.survey === 'ansur2';
}

/** Coverage of every bin of every pair that was not fitted to ANSUR I. */
export function scoreCoverage(bins: readonly Bin[], rho: Rho): BinCoverage[] {
  return bins.flatMap((bin) => {
    if (!fromAnsur2(bin.anchor) || !fromAnsur2(bin.linked)) return [];
    const predicted = rho(bin.gender, bin.anchor, bin.linked);
    if (predicted === undefined) return [];
    const { gender, anchor, linked, lowPct, highPct, n } = bin;
    return [{ gender, anchor, linked, lowPct, highPct, n, covered: coverageOf(bin, predicted) }];
  });
}
