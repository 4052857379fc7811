import type { Gender } from '../../../src/core/genders.js';
import type { CohortStature, CohortStatures } from '../../model/fitted-model.js';
import {
  type DampedTrend,
  fitTrend,
  projected,
  projectionError,
} from '../../numerics/damped-trend.js';
import { interpolate } from '../../numerics/numbers.js';
import type { RawTables } from '../../raw-tables/raw-tables.js';

/** Last birth year of the cohort table; later cohorts are projected. */
export const LAST_COHORT = 1996;
/** Years of birth between two rows of the cohort table. */
export const COHORT_STEP_YEARS = 4;
/** Steps ahead for which the trend is fitted: to 2016, because adults of 18 in 2035 are born in 2017. */
const TREND_STEPS = 5;
/**
 * Last rows of the table from which the trend is fitted: 48 years. Earlier in the century growth sped
 * up, and a trend fitted to it hardly slows down.
 */
const TREND_ROWS = 13;
/** Years before `LAST_COHORT` over which the weight of the newer vintage fades to 0. */
const FADE_YEARS = 40;
/**
 * Variance (mm²) added to that of each vintage: the two vintages differ by 17 mm on average, far more
 * than their intervals allow (`data/raw/ncdrisc-2020/SOURCE.md`).
 */
const VINTAGE_VARIANCE = 10 ** 2;

interface Level {
  readonly meanMm: number;
  readonly variance: number;
}

/** Adult stature by birth year of one country and gender. */
export interface CohortSeries {
  readonly years: number[];
  readonly means: number[];
  /** Variances of the means (mm²), with that of the vintage. */
  readonly variances: number[];
}

/** The cohort table, by `country|gender`; empty where it was left out. */
export async function readCohorts(tables: RawTables): Promise<Map<string, CohortSeries>> {
  const cohorts = new Map<string, CohortSeries>();
  if (!tables.has('ncdrisc-2016')) return cohorts;
  const order = 'country, gender, birth_year';
  for (const row of await tables.rows('ncdrisc-2016', 'height_by_birth_year', order)) {
    const key = `${row.country}|${row.gender}`;
    const entry = cohorts.get(key) ?? { years: [], means: [], variances: [] };
    entry.years.push(Number(row.birth_year));
    entry.means.push(Number(row.mean_mm));
    entry.variances.push(Number(row.se_mm) ** 2 + VINTAGE_VARIANCE);
    cohorts.set(key, entry);
  }
  return cohorts;
}

async function readRecent(tables: RawTables): Promise<Map<string, Level>> {
  const recent = new Map<string, Level>();
  if (!tables.has('ncdrisc-2020')) return recent;
  for (const row of await tables.rows('ncdrisc-2020', 'height_at_19', 'country, gender')) {
    const variance = Number(row.se_mm) ** 2 + VINTAGE_VARIANCE;
    recent.set(`${row.country}|${row.gender}`, { meanMm: Number(row.mean_mm), variance });
  }
  return recent;
}

/** Damped trend of cohorts, from the last rows of each series of means. */
export function cohortTrend(all: readonly (readonly number[])[], steps: number): DampedTrend {
  return fitTrend(
    all.map((means) => means.slice(-TREND_ROWS)),
    steps,
  );
}

/**
 * Fits adult stature by birth cohort: two vintages of one study, weighted by their standard errors.
 * Cohorts after `LAST_COHORT` continue with a damped trend.
 *
 * @throws Error when both sources are left out
 */
export async function fitCohortStature(tables: RawTables): Promise<CohortStatures> {
  const cohorts = await readCohorts(tables);
  const recent = await readRecent(tables);
  if (cohorts.size === 0 && recent.size === 0) {
    throw new Error(
      'Both sources of country stature are left out; keep ncdrisc-2016 or ncdrisc-2020.',
    );
  }
  const trend =
    cohorts.size === 0
      ? undefined
      : cohortTrend(
          [...cohorts.values()].map(({ means }) => means),
          TREND_STEPS,
        );
  /** The older vintage. */
  const older = ({ years, means, variances }: CohortSeries, birthYear: number): Level => {
    const variance = interpolate(years, variances, birthYear);
    if (trend === undefined || birthYear <= LAST_COHORT) {
      return { meanMm: interpolate(years, means, birthYear), variance };
    }
    const steps = (birthYear - LAST_COHORT) / COHORT_STEP_YEARS;
    const error = projectionError(trend, steps);
    return { meanMm: projected(means, steps, trend.phi), variance: variance + error ** 2 };
  };
  const at = (gender: Gender, country: string, birthYear: number): CohortStature => {
    const key = `${country}|${gender}`;
    const series = cohorts.get(key);
    const fresh = recent.get(key);
    if (series === undefined) {
      if (fresh === undefined) throw new Error(`no stature of ${country}, ${gender}`);
      return { meanMm: fresh.meanMm, errorMm: Math.sqrt(fresh.variance) };
    }
    const cohort = older(series, birthYear);
    if (fresh === undefined) return { ...cohort, errorMm: Math.sqrt(cohort.variance) };
    const last = older(series, LAST_COHORT);
    const weight = last.variance / (last.variance + fresh.variance);
    const correction = weight * (fresh.meanMm - last.meanMm);
    const share = Math.min(1, Math.max(0, 1 - (LAST_COHORT - birthYear) / FADE_YEARS));
    const kept = 1 - weight * share;
    const variance = kept ** 2 * cohort.variance + (1 - kept) ** 2 * fresh.variance;
    return { meanMm: cohort.meanMm + correction * share, errorMm: Math.sqrt(variance) };
  };
  return { at, trend };
}
