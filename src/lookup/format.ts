import { GENDERS } from '../core/genders.js';
import { AGE_LIMITS } from '../core/limits.js';
import { CLOTHING_IDS, POSTURE_IDS } from '../core/profiles.js';

/**
 * The contract between the pipeline (writer) and the service (reader); `docs/artifact-format.md`
 * describes it in words. Removing a column or changing its type makes a new major version; adding a
 * column or a file makes a new minor version.
 */
export const FORMAT_VERSION = { major: 1, minor: 2 } as const;

/** Value of the `artifact_type` key in the Arrow schema metadata of every file. */
export const ARTIFACT_TYPES = {
  grid: 'vitruvia-grid',
  dimensions: 'vitruvia-dimensions',
  correlations: 'vitruvia-correlations',
  covariates: 'vitruvia-drivers',
  body: 'vitruvia-body',
  evidence: 'vitruvia-evidence',
  people: 'vitruvia-people',
  shape: 'vitruvia-shape',
} as const;

/** File names inside a version's folder. */
export const FILES = {
  manifest: 'manifest.json',
  /** Written after full verification; it identifies the verified bytes (see `version.ts`). */
  stamp: 'verified.json',
  grid: 'grid.arrow',
  dimensions: 'dimensions.arrow',
  correlations: 'correlations.arrow',
  covariates: 'drivers.arrow',
  body: 'body.arrow',
  evidence: 'evidence.arrow',
  people: 'people.arrow',
  shape: 'shape.bin',
} as const;

/** The data files of every version. */
export const DATA_FILES = [
  FILES.grid,
  FILES.dimensions,
  FILES.correlations,
  FILES.covariates,
  FILES.body,
  FILES.evidence,
  FILES.people,
] as const;

/** The data files that a version may have: those of optional sources. */
export const OPTIONAL_DATA_FILES = [FILES.shape] as const;

/** Name of the pointer file beside the version folders; it holds the current version's name. */
export const CURRENT_POINTER = 'current';

/**
 * Percentile knots are uniform in the standard normal z over ± 4, a third of a standard deviation apart.
 * A range of 99 % given an anchor at the 1st or 99th percentile reaches
 * |z| = √(2.326² + 2.576²) = 3.47, so no answer is extrapolated.
 */
export const Z_FIRST = -4;
/** Distance of neighbouring z knots. */
export const Z_STEP = 1 / 3;
/** Number of z knots in one cell. */
export const Z_COUNT = 25;
/** Index of the knot at z = 0, the median. */
export const Z_MEDIAN = 12;

/** Value of the column `block` for a dimension and gender without a model. */
export const NO_BLOCK = -1;

/** Number of clothing profiles, the width of the `clothing_*` columns. */
export const CLOTHING_COUNT = CLOTHING_IDS.length;
/** Number of posture profiles, the width of the `posture_*` columns. */
export const POSTURE_COUNT = POSTURE_IDS.length;

/** Row of a measurement and gender in every column of `dimensions.arrow`. */
export function dimensionRow(measurement: number, gender: number): number {
  return measurement * GENDERS.length + gender;
}

/**
 * Index of a profile in a `clothing_*` or `posture_*` column, which holds a list for each dimension row.
 *
 * @param profiles number of profiles, the width of the column
 */
export function profileIndex(profiles: number, row: number, profile: number): number {
  return row * profiles + profile;
}

/** Numbers of countries and of age knots in the grid. */
export interface GridSize {
  readonly countries: number;
  readonly ages: number;
}

/** Size of the grid that a manifest describes. */
export function gridSize({ axes }: Manifest): GridSize {
  return { countries: axes.countries.length, ages: axes.agesYears.length };
}

/** Index in the column `quantiles` of a cell's first knot; the cell's `Z_COUNT` knots follow it. */
export function cellIndex(size: GridSize, block: number, country: number, age: number): number {
  return ((block * size.countries + country) * size.ages + age) * Z_COUNT;
}

/**
 * Index in the column `rho` of the correlation of two measurements.
 *
 * @param measurements number of measurements, the width of a matrix
 * @param age index in `correlationAgesYears`
 */
export function correlationIndex(
  measurements: number,
  age: number,
  gender: number,
  anchor: number,
  linked: number,
): number {
  return ((age * GENDERS.length + gender) * measurements + anchor) * measurements + linked;
}

/** Columns of `drivers.arrow`: distribution of ln stature (mm) and ln BMI (kg/m²), and their correlation. */
export const DRIVER_COLUMNS = [
  ...(['ln_stature_mean', 'ln_stature_sd', 'ln_stature_skew'] as const),
  ...(['ln_bmi_mean', 'ln_bmi_sd', 'ln_bmi_skew', 'rho'] as const),
] as const;

/** The quantities of `body.arrow`: BMI in kg/m² and body mass in kg. */
export const MASS_QUANTITIES = ['BMI', 'BodyMass'] as const;
/** Name of a quantity of `body.arrow`. */
export type MassQuantity = (typeof MASS_QUANTITIES)[number];

/** Change of ln BMI and of ln body mass with ln stature and ln BMI: mass = BMI × stature². */
export const BODY_SLOPES: Readonly<Record<MassQuantity, { stature: number; bmi: number }>> = {
  BMI: { stature: 0, bmi: 1 },
  BodyMass: { stature: 2, bmi: 1 },
};

/** Grades of evidence; the column `grade` holds the index. `NO_GRADE` stands where there is no model. */
export const GRADES = ['A', 'B', 'C', 'D'] as const;
/** What a survey of the manifest may be for. */
export const SURVEY_ROLES = ['base', 'general population', 'growth', 'departure'] as const;
/** A grade of evidence. */
export type Grade = (typeof GRADES)[number];
/** Value of the column `grade` for a dimension, gender and age without a model. */
export const NO_GRADE = -1;

/** The age knots from which years other than the reference year are known. */
export function adultAges({ axes, population }: Pick<Manifest, 'axes' | 'population'>): number[] {
  return axes.agesYears.filter((age) => age >= population.yearsFromAge);
}

/**
 * Row of `drivers.arrow`.
 *
 * @param ages number of `adultAges`
 * @param year index in `population.years`
 * @param age index in `adultAges`
 */
export function covariateIndex(
  countries: number,
  ages: number,
  year: number,
  gender: number,
  country: number,
  age: number,
): number {
  return ((year * GENDERS.length + gender) * countries + country) * ages + age;
}

/** Index in a `slope_*` column, which holds a list over `adultAges` for each dimension row. */
export function slopeIndex(ages: number, row: number, age: number): number {
  return row * ages + age;
}

/** Index in the column `quantiles` of `body.arrow` of a cell's first knot. */
export function bodyIndex(
  size: GridSize,
  body: number,
  gender: number,
  country: number,
  age: number,
): number {
  return cellIndex(size, body * GENDERS.length + gender, country, age);
}

/** Row in `evidence.arrow`'s first axis of a quantity of the body: they follow the measurements. */
export function bodyRow(measurements: number, body: number, gender: number): number {
  return dimensionRow(measurements + body, gender);
}

/** Row of `evidence.arrow`. `ages` is the number of `population.evidenceAgesYears`, `age` an index in it, `row`
 * is by `dimensionRow` or `bodyRow`. */
export function evidenceIndex(
  countries: number,
  ages: number,
  row: number,
  country: number,
  age: number,
): number {
  return (row * countries + country) * ages + age;
}

/** Number of ages in `people.arrow`: completed years from 0 to 120. */
export const PEOPLE_AGES = AGE_LIMITS.maximum - AGE_LIMITS.minimum + 1;
/** No count in `people.arrow` is larger, so that float32 holds every count exactly. */
export const MOST_PEOPLE = 2 ** 24;

/**
 * Row of `people.arrow`.
 *
 * @param country index of the country
 * @param ageYears completed years of age, 0 to 120
 */
export function peopleIndex(country: number, gender: number, ageYears: number): number {
  return (country * GENDERS.length + gender) * PEOPLE_AGES + ageYears;
}

/** A term of an identity: a coefficient times another measurement, or a length in mm. */
export interface ManifestTerm {
  readonly coefficient: number;
  /** Absent for a length in mm, which scales with the median stature over the reference stature. */
  readonly of?: string;
}

/** A measurement that is the sum of its terms. */
export interface ManifestIdentity {
  readonly measurement: string;
  readonly terms: readonly ManifestTerm[];
}

/** A survey or study behind the numbers of an artifact. */
export interface ManifestSurvey {
  readonly name: string;
  readonly country: string;
  /** Year of measurement; the last one where it took several years. */
  readonly year: number;
  /** People by gender. */
  readonly people: readonly [male: number, female: number];
  /**
   * What the survey is for: the regressions on stature, BMI and age (base), the level and spread of the
   * people of the US, the growth of children, or the departure of its country from the base.
   */
  readonly role: (typeof SURVEY_ROLES)[number];
  /** Indices of the measurements that it measured. */
  readonly measurements: readonly number[];
}

/** Weight of a country's own surveys in the departure of one measurement, by gender. */
export interface OwnWeight {
  readonly country: string;
  /** Index of the measurement. */
  readonly measurement: number;
  readonly weights: readonly [male: number, female: number];
}

/** What a manifest says of years, body mass, evidence, head counts and whole people. */
export interface ManifestPopulation {
  /** Years of `drivers.arrow`, rising; the reference year is one of them. */
  readonly years: readonly number[];
  /** Youngest age for which years other than the reference year are known. */
  readonly yearsFromAge: number;
  /** Ages of `evidence.arrow`, rising. */
  readonly evidenceAgesYears: readonly number[];
  /** Medians that follow from other medians, each after those it depends on. */
  readonly identities: readonly ManifestIdentity[];
  /**
   * Measurements that follow from others in every person (aliases, sums and differences), each after
   * those it depends on. All others are free: a person is built from them.
   */
  readonly derived: readonly ManifestIdentity[];
  /** Correlations of the normal scores of BMI and body mass, by correlation age and gender. */
  readonly rhoBmiMass: readonly number[];
  /** Region of each country, in the order of the axis; countries of one region share departures. */
  readonly regions: readonly string[];
  readonly surveys: readonly ManifestSurvey[];
  /**
   * How far departures follow the surveys of their own country, 0 to 1, where it has some; absent in
   * versions before these were known. Another country, measurement or gender has weight 0.
   */
  readonly ownWeights?: readonly OwnWeight[];
}

/** One data file as the manifest lists it. */
export interface ManifestFile {
  readonly sha256: string;
  readonly bytes: number;
  readonly rows: number;
}

/** One survey or published table the build used. */
export interface ManifestSource {
  readonly name: string;
  readonly citation: string;
  readonly licence: string;
  readonly sha256: string;
}

/** `manifest.json` of one artifact version. */
export interface Manifest {
  readonly formatVersion: string;
  readonly artifactVersion: string;
  /** Year the answers describe; birth year = reference year − age. */
  readonly referenceYear: number;
  /** Seconds since the epoch, from the dates of the inputs, not from the clock. */
  readonly buildEpoch: number;
  readonly axes: {
    readonly measurements: readonly string[];
    readonly genders: readonly string[];
    readonly countries: readonly string[];
    /** Age knots in years, rising from 0 to 120. */
    readonly agesYears: readonly number[];
    readonly clothing: readonly string[];
    readonly postures: readonly string[];
    /** Ages in years of the correlation matrices, rising; ρ is interpolated between them. */
    readonly correlationAgesYears: readonly number[];
  };
  /** Adult median statures (male, female) in mm at which clothing and posture shifts are stated. */
  readonly referenceStaturesMm: readonly [number, number];
  readonly files: Readonly<Record<string, ManifestFile>>;
  readonly sources: readonly ManifestSource[];
  /** Sentences on the cost of sources left out of this build; empty for a full build. */
  readonly losses: readonly string[];
  readonly population: ManifestPopulation;
}
