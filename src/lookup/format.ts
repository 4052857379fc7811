import { AGE_LIMITS } from '../core/limits.js';
import { CLOTHING_IDS, POSTURE_IDS } from '../core/profiles.js';

/**
 * The format of the files that the pipeline writes and the service reads; `docs/artifact-format.md` describes it in
 * words. If a column is removed or changes its type, the major version rises. If a column or a file is added, the minor
 * version rises.
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
  /** Written after full verification. It identifies the verified bytes (see `version.ts`). */
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

/** Optional data files of a version. They come from optional sources. */
export const OPTIONAL_DATA_FILES = [FILES.shape] as const;

/** Name of the pointer file beside the version folders. It contains the current version's name. */
export const CURRENT_POINTER = 'current';

/**
 * Percentile knots are uniform in the standard normal z over ± 4, a third of a standard deviation apart. The 99 % range
 * given an anchor at the 1st or 99th percentile reaches |z| = √(2.326² + 2.576²) = 3.47, so no answer is extrapolated.
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

/** Columns of `drivers.arrow`: the distributions of ln stature (mm) and ln BMI (kg/m²), and their correlation. */
export const DRIVER_COLUMNS = [
  ...(['ln_stature_mean', 'ln_stature_sd', 'ln_stature_skew'] as const),
  ...(['ln_bmi_mean', 'ln_bmi_sd', 'ln_bmi_skew', 'rho'] as const),
] as const;

/** The quantities of `body.arrow`: BMI in kg/m² and body mass in kg. */
export const MASS_QUANTITIES = ['BMI', 'BodyMass'] as const;
/** Name of a quantity of `body.arrow`. */
export type MassQuantity = (typeof MASS_QUANTITIES)[number];

/** Slopes of ln BMI and of ln body mass on ln stature and ln BMI, because mass = BMI × stature². */
export const BODY_SLOPES: Readonly<Record<MassQuantity, { stature: number; bmi: number }>> = {
  BMI: { stature: 0, bmi: 1 },
  BodyMass: { stature: 2, bmi: 1 },
};

/** Grades of evidence. The column `grade` contains an index in this list, or `NO_GRADE` if there is no model. */
export const GRADES = ['A', 'B', 'C', 'D'] as const;
/** Roles of surveys in the manifest. */
export const SURVEY_ROLES = ['base', 'general population', 'growth', 'departure'] as const;
/** A grade of evidence. */
export type Grade = (typeof GRADES)[number];
/** Value of the column `grade` for a dimension, gender and age without a model. */
export const NO_GRADE = -1;

/** The age knots for which the artifact also has years other than the reference year. */
export function adultAges({ axes, population }: Pick<Manifest, 'axes' | 'population'>): number[] {
  return axes.agesYears.filter((age) => age >= population.yearsFromAge);
}

/** Number of ages in `people.arrow`: completed years from 0 to 120. */
export const PEOPLE_AGES = AGE_LIMITS.maximum - AGE_LIMITS.minimum + 1;
/** Maximum count in `people.arrow`. float32 represents every count up to this one exactly. */
export const MOST_PEOPLE = 2 ** 24;

/** A term of an identity: a coefficient times another measurement, or a length in mm. */
export interface ManifestTerm {
  readonly coefficient: number;
  /**
   * Name of the measurement. Absent for a length in mm, which is multiplied by the median stature over the reference
   * stature.
   */
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
  /** Year of measurement. If the survey took several years, the last one. */
  readonly year: number;
  /** People by gender. */
  readonly people: readonly [male: number, female: number];
  /**
   * The use of the survey: the regressions on stature, BMI and age (base), the level and spread of the people of the
   * US, the growth of children, or the difference of its country from the base.
   */
  readonly role: (typeof SURVEY_ROLES)[number];
  /** Indices of the measurements that it measured. */
  readonly measurements: readonly number[];
}

/** Weight of a country's own surveys in its difference from the base, for one measurement and by gender. */
export interface OwnWeight {
  readonly country: string;
  /** Index of the measurement. */
  readonly measurement: number;
  readonly weights: readonly [male: number, female: number];
}

/** The model of the shoulder stretched forward. The other reaches are dimensions. */
export interface ManifestReach {
  /** How far the shoulder goes forward, as a share of `ShoulderBreadthBiacromial`. */
  readonly stretchShare: number;
  /** Standard deviation about this share, in mm. */
  readonly stretchSdMm: number;
}

/** The part of a manifest about years, body mass, evidence, head counts and complete people. */
export interface ManifestPopulation {
  /** Years of `drivers.arrow`, ascending. The reference year is one of them. */
  readonly years: readonly number[];
  /** Minimum age for which years other than the reference year are known. */
  readonly yearsFromAge: number;
  /** Ages of `evidence.arrow`, rising. */
  readonly evidenceAgesYears: readonly number[];
  /** Medians that are computed from other medians. Each comes after those that it depends on. */
  readonly identities: readonly ManifestIdentity[];
  /**
   * Measurements that follow from others in every person (aliases, sums and differences). Each comes after those that
   * it depends on. All other measurements are free: a person is built from them.
   */
  readonly derived: readonly ManifestIdentity[];
  /** Correlations of the normal scores of BMI and body mass, by correlation age and gender. */
  readonly rhoBmiMass: readonly number[];
  /**
   * Region of each country, in the order of the axis. Countries of one region share their differences from the base.
   */
  readonly regions: readonly string[];
  readonly surveys: readonly ManifestSurvey[];
  /**
   * Weights, from 0 to 1, of a country's own surveys in its differences from the base. Absent in versions before these
   * were known. If there is no entry for a country, measurement and gender, its weight is 0.
   */
  readonly ownWeights?: readonly OwnWeight[];
  /** Absent in versions before reach was known. */
  readonly reach?: ManifestReach;
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
  /** Year that the answers describe. The birth year is the reference year minus the age. */
  readonly referenceYear: number;
  /** Seconds since the epoch. They come from the dates of the inputs, not from the clock. */
  readonly buildEpoch: number;
  readonly axes: {
    readonly measurements: readonly string[];
    readonly genders: readonly string[];
    readonly countries: readonly string[];
    /** Age knots in years, rising from 0 to 120. */
    readonly agesYears: readonly number[];
    readonly clothing: readonly string[];
    readonly postures: readonly string[];
    /** Ages in years of the correlation matrices, ascending. ρ is interpolated between them. */
    readonly correlationAgesYears: readonly number[];
  };
  /** Adult median statures (male, female) in mm, to which the clothing and posture shifts refer. */
  readonly referenceStaturesMm: readonly [number, number];
  readonly files: Readonly<Record<string, ManifestFile>>;
  readonly sources: readonly ManifestSource[];
  /** Sentences about the effect of sources that this build left out. The list is empty for a full build. */
  readonly losses: readonly string[];
  readonly population: ManifestPopulation;
}
