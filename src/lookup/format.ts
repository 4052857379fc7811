import { GENDERS } from '../core/genders.js';
import { CLOTHING_IDS, POSTURE_IDS } from '../core/profiles.js';

/**
 * The contract between the pipeline (writer) and the service (reader); `docs/artifact-format.md`
 * describes it in words. Removing a column or changing its type makes a new major version; adding a
 * column makes a new minor version.
 */
export const FORMAT_VERSION = { major: 1, minor: 0 } as const;

/** Value of the `artifact_type` key in the Arrow schema metadata of every file. */
export const ARTIFACT_TYPES = {
  grid: 'vitruvia-grid',
  dimensions: 'vitruvia-dimensions',
  correlations: 'vitruvia-correlations',
} as const;

/** File names inside a version's folder. */
export const FILES = {
  manifest: 'manifest.json',
  /** Written after full verification; it identifies the verified bytes (see `stamp.ts`). */
  stamp: 'verified.json',
  grid: 'grid.arrow',
  dimensions: 'dimensions.arrow',
  correlations: 'correlations.arrow',
} as const;

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
}
