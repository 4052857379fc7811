import { memoise } from '../../pipeline/numerics/numbers.js';
import { COUNTRY_CODES } from '../../src/core/countries.js';
import { GENDERS } from '../../src/core/genders.js';
import { MEASUREMENT_NAMES } from '../../src/core/measurements.js';
import {
  DRIVER_COLUMNS,
  MASS_QUANTITIES,
  type ManifestPopulation,
  PEOPLE_AGES,
  Z_COUNT,
  Z_FIRST,
  Z_STEP,
} from '../../src/lookup/format.js';

const ROWS = MEASUREMENT_NAMES.length * GENDERS.length;
const FROM_AGE = 18;

/** Covariates of the tiny artifact in a year. */
export const TINY_DRIVERS = {
  ln_stature_mean: (year: number) => Math.log(1700) + 0.001 * (year - 2025),
  ln_stature_sd: () => 0.04,
  ln_stature_skew: () => 0,
  ln_bmi_mean: (year: number) => Math.log(26) + 0.004 * (year - 2025),
  ln_bmi_sd: (year: number) => 0.2 + 0.001 * (year - 2025),
  ln_bmi_skew: () => 0.5,
  rho: () => -0.1,
} satisfies Record<(typeof DRIVER_COLUMNS)[number], (year: number) => number>;

/** Slopes of every dimension on ln stature and ln BMI. */
export const TINY_SLOPES = { stature: 0.9, bmi: 0.2, bmiSpread: 0.25 };
/** Standard error of ln of every median. */
export const TINY_LN_MEDIAN_SD = 0.02;
const YEARS = [2000, 2025, 2035];
const EVIDENCE_AGES = [0, 18, 60];

/**
 * Number of persons of a completed year of age and one gender in a country.
 *
 * @param country index of the country
 */
export function tinyPeople(country: number, ageYears: number): number {
  return Math.round((1000 + 10 * country) * Math.exp(-((ageYears / 60) ** 3)));
}

/** Invented covariates, body mass, evidence and head counts, and their part of the manifest. */
export const tinyPopulation = memoise((agesYears: readonly number[]) => {
  const ages = agesYears.filter((age) => age >= FROM_AGE).length;
  const populations = GENDERS.length * COUNTRY_CODES.length;
  const filled = (length: number, value: number) => new Float32Array(length).fill(value);
  const graded = ROWS + MASS_QUANTITIES.length * GENDERS.length;
  const cells = graded * COUNTRY_CODES.length * EVIDENCE_AGES.length;
  const legLength = {
    measurement: 'LegLength',
    terms: [
      { coefficient: 1, of: 'Stature' },
      { coefficient: -1, of: 'SittingHeight' },
    ],
  } as const;
  const manifest: ManifestPopulation = {
    years: YEARS,
    yearsFromAge: FROM_AGE,
    evidenceAgesYears: EVIDENCE_AGES,
    identities: [legLength],
    derived: [
      legLength,
      {
        measurement: 'EyeHeight',
        terms: [{ coefficient: 1, of: 'Stature' }, { coefficient: -110 }],
      },
    ],
    rhoBmiMass: GENDERS.map(() => 0.9),
    regions: COUNTRY_CODES.map(() => 'Everywhere'),
    reach: { stretchShare: 0.17, stretchSdMm: 15 },
    surveys: [
      {
        ...{ name: 'tiny', country: 'US', year: 2020, people: [100, 90], role: 'base' },
        measurements: [0, 1],
      },
    ],
  };
  const data = {
    covariates: Object.fromEntries(
      DRIVER_COLUMNS.map((name) => [
        name,
        Float32Array.from(
          YEARS.flatMap((year) => [...filled(populations * ages, TINY_DRIVERS[name](year))]),
        ),
      ]),
    ) as Record<(typeof DRIVER_COLUMNS)[number], Float32Array>,
    bodyQuantiles: Float32Array.from(
      MASS_QUANTITIES.flatMap((_, quantity) => {
        const curve = Array.from({ length: Z_COUNT }, (_, knot) => {
          return (quantity === 0 ? 26 : 75) * Math.exp(0.2 * (Z_FIRST + knot * Z_STEP));
        });
        return Array.from({ length: populations * agesYears.length }, () => curve).flat();
      }),
    ),
    people: Float32Array.from({ length: populations * PEOPLE_AGES }, (_, row) => {
      const country = Math.floor(row / PEOPLE_AGES / GENDERS.length);
      return tinyPeople(country, row % PEOPLE_AGES);
    }),
    lnMedianSd: filled(cells, TINY_LN_MEDIAN_SD),
    grade: Int32Array.from({ length: cells }, (_, i) => i % EVIDENCE_AGES.length),
    slopeStature: filled(ROWS * ages, TINY_SLOPES.stature),
    slopeBmi: filled(ROWS * ages, TINY_SLOPES.bmi),
    slopeBmiSpread: filled(ROWS * ages, TINY_SLOPES.bmiSpread),
    rhoBmi: filled(ROWS, 0.3),
    rhoMass: filled(ROWS, 0.5),
  };
  return { data, manifest };
});
