import { Int32, makeData } from 'apache-arrow';
import { COUNTRY_CODES } from '../../src/core/countries.js';
import { GENDERS } from '../../src/core/genders.js';
import { MEASUREMENT_NAMES } from '../../src/core/measurements.js';
import {
  ARTIFACT_TYPES,
  DRIVER_COLUMNS,
  FILES,
  MASS_QUANTITIES,
  type Manifest,
  type ManifestPopulation,
  PEOPLE_AGES,
  Z_COUNT,
  Z_FIRST,
  Z_STEP,
} from '../../src/lookup/format.js';
import { lists, numbers, writeTable } from './arrow-table.js';

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

/**
 * Writes the files of years, body mass, evidence and head counts, with invented numbers. Returns the columns for the
 * other files.
 */
export function tinyPopulation(folder: string, agesYears: readonly number[]) {
  const ages = agesYears.filter((age) => age >= FROM_AGE).length;
  const populations = GENDERS.length * COUNTRY_CODES.length;
  const covariates = Object.fromEntries(
    DRIVER_COLUMNS.map((name) => [
      name,
      numbers(
        Float32Array.from(
          YEARS.flatMap((year) =>
            new Array<number>(populations * ages).fill(TINY_DRIVERS[name](year)),
          ),
        ),
      ),
    ]),
  );
  const body = MASS_QUANTITIES.flatMap((_, b) =>
    new Array<number[]>(populations * agesYears.length)
      .fill(
        Array.from({ length: Z_COUNT }, (_value, i) => {
          return (b === 0 ? 26 : 75) * Math.exp(0.2 * (Z_FIRST + i * Z_STEP));
        }),
      )
      .flat(),
  );
  const graded = ROWS + MASS_QUANTITIES.length * GENDERS.length;
  const cells = graded * COUNTRY_CODES.length * EVIDENCE_AGES.length;
  const grades = Int32Array.from({ length: cells }, (_, i) => i % EVIDENCE_AGES.length);
  const write = (file: string, type: string, columns: Parameters<typeof writeTable>[3]) =>
    writeTable(folder, file, type, columns);
  const files: Manifest['files'] = {
    [FILES.covariates]: write(FILES.covariates, ARTIFACT_TYPES.covariates, covariates),
    [FILES.body]: write(FILES.body, ARTIFACT_TYPES.body, {
      quantiles: lists(Float32Array.from(body), Z_COUNT),
    }),
    [FILES.people]: write(FILES.people, ARTIFACT_TYPES.people, {
      people: numbers(
        Float32Array.from({ length: populations * PEOPLE_AGES }, (_, row) => {
          const country = Math.floor(row / PEOPLE_AGES / GENDERS.length);
          return tinyPeople(country, row % PEOPLE_AGES);
        }),
      ),
    }),
    [FILES.evidence]: write(FILES.evidence, ARTIFACT_TYPES.evidence, {
      ln_median_sd: numbers(new Float32Array(cells).fill(TINY_LN_MEDIAN_SD)),
      grade: makeData({ type: new Int32(), data: grades }),
    }),
  };
  const manifest: ManifestPopulation = {
    years: YEARS,
    yearsFromAge: FROM_AGE,
    evidenceAgesYears: EVIDENCE_AGES,
    identities: [
      {
        measurement: 'LegLength',
        terms: [
          { coefficient: 1, of: 'Stature' },
          { coefficient: -1, of: 'SittingHeight' },
        ],
      },
    ],
    derived: [
      {
        measurement: 'LegLength',
        terms: [
          { coefficient: 1, of: 'Stature' },
          { coefficient: -1, of: 'SittingHeight' },
        ],
      },
      {
        measurement: 'EyeHeight',
        terms: [{ coefficient: 1, of: 'Stature' }, { coefficient: -110 }],
      },
    ],
    rhoBmiMass: GENDERS.map(() => 0.9),
    regions: COUNTRY_CODES.map(() => 'Everywhere'),
    surveys: [
      {
        name: 'tiny',
        country: 'US',
        year: 2020,
        people: [100, 90],
        role: 'base',
        measurements: [0, 1],
      },
    ],
  };
  return {
    files,
    manifest,
    dimensions: {
      slope_stature: lists(new Float32Array(ROWS * ages).fill(TINY_SLOPES.stature), ages),
      slope_bmi: lists(new Float32Array(ROWS * ages).fill(TINY_SLOPES.bmi), ages),
      slope_bmi_spread: lists(new Float32Array(ROWS * ages).fill(TINY_SLOPES.bmiSpread), ages),
    },
    correlations: {
      rho_bmi: numbers(new Float32Array(ROWS).fill(0.3)),
      rho_mass: numbers(new Float32Array(ROWS).fill(0.5)),
    },
  };
}
