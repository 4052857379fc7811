import { MEASUREMENT_NAMES } from '../../src/core/measurements.js';
import { membersOf, REGION_NAMES } from '../../src/core/regions.js';
import { type Calibration, calibrationGroup } from '../fit/calibration/calibration.js';
import { departuresOf, type SampleContext } from '../fit/calibration/study-regression.js';
import { mean } from '../numerics/numbers.js';
import type { Study } from '../raw-tables/studies.js';
import { groupBy } from './metrics.js';

/** Uncertainty of the calibration of one country, in SD of the dimensions. */
export interface CountryUncertainty {
  /** Country code. For countries without a study, the name of the region. */
  readonly place: string;
  readonly families: number;
  /** Number of rows in its studies that the calibration may learn from. */
  readonly rows: number;
  /** Standard deviation of the shift by group of dimensions, as root mean square. */
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

/**
 * Uncertainty of each country with a study, and in each region of a country without a study. A study does not count if
 * it lacks its own stature and BMI, or if it has no dimension besides stature: the calibration learns nothing from such
 * a study.
 */
export function countryUncertainty(
  calibration: Calibration,
  samples: SampleContext,
  studies: readonly Study[],
): CountryUncertainty[] {
  const own = groupBy(departuresOf(samples, studies), ({ country }) => country).map(
    ([country, rows]) => ({
      place: country,
      families: new Set(rows.map(({ family }) => family)).size,
      rows: rows.length,
      sd: sdOf(calibration, country),
    }),
  );
  const known = new Set(own.map(({ place }) => place));
  const others = REGION_NAMES.flatMap((region) => {
    const without = membersOf(region).find((country) => !known.has(country));
    if (without === undefined) return [];
    const sd = sdOf(calibration, without);
    return [{ place: `no study: ${region}`, families: 0, rows: 0, sd }];
  });
  return [...own, ...others];
}
