import { MEASUREMENT_NAMES } from '../../src/core/measurements.js';
import { type Calibration, calibrationGroup } from '../fit/calibration.js';
import { mean } from '../fit/numbers.js';
import { membersOf, REGION_NAMES } from '../model/regions.js';
import type { Study } from '../tables/studies.js';
import { groupBy } from './metrics.js';

/** Uncertainty of the calibration of one country, in SD of the dimensions. */
export interface CountryUncertainty {
  /** Country code, or the region for countries without a study. */
  readonly place: string;
  readonly families: number;
  /** Rows of its studies that the calibration may learn from. */
  readonly rows: number;
  /** Root mean square standard deviation of the shift, by group of dimensions. */
  readonly sd: Readonly<Record<string, number>>;
}

/** Groups of dimensions, each with its names. */
const GROUPS = groupBy(
  MEASUREMENT_NAMES.filter((name) => name !== 'Stature'),
  calibrationGroup,
);

function sdOf(calibration: Calibration, country: string): Record<string, number> {
  const today = { gender: 'Male', country, era: 0 } as const;
  return Object.fromEntries(
    GROUPS.map(([group, names]) => {
      const sds = names.map((name) => calibration.expected(today, name).sd);
      return [group, Math.sqrt(mean(sds.map((sd) => sd * sd)))];
    }),
  );
}

/** Uncertainty of each country with a study, and of a country without one in each region. */
export function countryUncertainty(
  calibration: Calibration,
  studies: readonly Study[],
): CountryUncertainty[] {
  const usable = studies.filter((study) => study.rows.some(({ match }) => match !== 'poor'));
  const own = groupBy(usable, ({ country }) => country).map(([country, samples]) => ({
    place: country,
    families: new Set(samples.map(({ family }) => family)).size,
    rows: samples.flatMap(({ rows }) => rows.filter(({ match }) => match !== 'poor')).length,
    sd: sdOf(calibration, country),
  }));
  const known = new Set(own.map(({ place }) => place));
  const others = REGION_NAMES.flatMap((region) => {
    const without = membersOf(region).find((country) => !known.has(country));
    if (without === undefined) return [];
    const sd = sdOf(calibration, without);
    return [{ place: `no study: ${region}`, families: 0, rows: 0, sd }];
  });
  return [...own, ...others];
}

/** Rows of modern civilians, on which today's general population could be scored. */
export function modernCivilianRows(studies: readonly Study[]): number {
  const modern = studies.filter(({ people, year }) => year >= 1990 && !/military/.test(people));
  return modern.flatMap(({ rows }) => rows.filter(({ match }) => match === 'exact')).length;
}
