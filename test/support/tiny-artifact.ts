import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emitArtifact } from '../../pipeline/emit.js';
import { COUNTRY_CODES } from '../../src/core/countries.js';
import { GENDERS } from '../../src/core/genders.js';
import { MEASUREMENT_NAMES } from '../../src/core/measurements.js';
import { CLOTHING_IDS, POSTURE_IDS } from '../../src/core/profiles.js';
import { dimensionRow } from '../../src/lookup/cell.js';
import {
  CURRENT_POINTER,
  FILES,
  NO_BLOCK,
  Z_COUNT,
  Z_FIRST,
  Z_STEP,
} from '../../src/lookup/format.js';
import type { ShapeViews } from '../../src/lookup/shape-file.js';
import { newFolder } from './folders.js';
import { tinyPopulation } from './tiny-population.js';

/** Ages of the tiny artifact's grid. */
export const TINY_AGES_YEARS = [0, 2, 18, 60, 120];
/** A dimension that has a model only from this age on. */
export const AGE_LIMITED = { measurement: 'LegRoom', fromYears: 2 } as const;
/** A dimension without any model. */
export const WITHOUT_MODEL = 'LipLength';
/** Correlation of any two dimensions. */
export const TINY_RHO = 0.5;
/** Adult male medians in mm, assigned to the dimensions in turn. Stature gets 1750. */
const SIZES_MM = [300, 450, 900, 1750, 1200, 600];
const BLOCKS_PER_GENDER = SIZES_MM.length;
/** Places in `SIZES_MM` of dimensions of thighs. With sizes in turn, most levers would be inside the thighs. */
const THIGHS: Readonly<Record<string, number>> = {
  SittingHipBreadth: 0,
  ThighThickness: 0,
  KneeHeight: 1,
};
const ROWS = MEASUREMENT_NAMES.length * GENDERS.length;

/** Options of a tiny artifact. */
export interface TinyOptions {
  /** The artifacts folder for the version. Its `current` stays the same. By default, a new folder. */
  readonly root?: string;
  /** Factor of all quantiles. */
  readonly scale?: number;
  /** Changes the quantiles of the grid in place. */
  readonly spoilGrid?: (quantiles: Float32Array) => void;
  /** Changes, in place, the block of each dimension and gender. */
  readonly spoilBlocks?: (block: Int32Array) => void;
  readonly rho?: number;
  /** Shift of the heaviest clothing, mm. */
  readonly heaviestShiftMm?: number;
  readonly agesYears?: readonly number[];
  /** A mesh of bodies, and adult medians in mm for dimensions that need sizes of their own. */
  readonly bodies?: TinyBodies;
}

/** The shape of bodies, and medians of men and women by dimension. */
export interface TinyBodies {
  readonly shape: ShapeViews;
  readonly sizesMm: ReadonlyMap<string, readonly [male: number, female: number]>;
}

/**
 * Writes a small valid artifact with invented numbers. Every dimension has a skewed curve that grows with age up to 18.
 * In each gender, the dimensions share a few sizes.
 *
 * @returns the folder to give as `ARTIFACTS_DIR`
 */
export function writeTinyArtifact(version = 'tiny', options: TinyOptions = {}): string {
  const root = options.root ?? newFolder('artifact');
  const { scale = 1, rho = TINY_RHO, heaviestShiftMm = 50, agesYears = TINY_AGES_YEARS } = options;
  const folder = join(root, version);
  const own = options.bodies?.sizesMm ?? new Map();
  const quantiles = grid(agesYears, [...own.values()]).map((value) => value * scale);
  options.spoilGrid?.(quantiles);
  const block = blocks([...own.keys()]);
  options.spoilBlocks?.(block);
  const population = tinyPopulation(agesYears);
  const data = {
    ...{ quantiles, block, ageMinYears: ageMins(), rho: correlations(rho), ...population.data },
    ageMaxYears: new Float32Array(ROWS).fill(120),
    clothingShiftMm: repeated([0, 5, 25, 30, heaviestShiftMm, 45]),
    clothingSdMm: repeated([0, 1, 3, 4, 8, 3]),
    postureShiftMm: repeated([0, -10, -20]),
    postureSdMm: repeated([0, 2, 4]),
    shape: options.bodies?.shape,
  };
  emitArtifact(folder, data, {
    referenceYear: 2025,
    buildEpoch: 0,
    axes: {
      measurements: MEASUREMENT_NAMES,
      genders: GENDERS,
      countries: COUNTRY_CODES,
      agesYears,
      clothing: CLOTHING_IDS,
      postures: POSTURE_IDS,
      correlationAgesYears: [18],
    },
    referenceStaturesMm: [1750, 1620],
    sources: [],
    losses: [],
    population: population.manifest,
  });
  const file = join(folder, FILES.manifest);
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...manifest, artifactVersion: version }));
  if (options.root === undefined) writeFileSync(join(root, CURRENT_POINTER), `${version}\n`);
  return root;
}

function grid(
  agesYears: readonly number[],
  own: readonly (readonly [number, number])[],
): Float32Array {
  const curve = Array.from({ length: Z_COUNT }, (_, knot) => {
    const z = Z_FIRST + knot * Z_STEP;
    return Math.exp(0.05 * z + 0.001 * z * z);
  });
  const sizes = [...SIZES_MM.flatMap((size) => [size, 0.93 * size]), ...own.flat()];
  const values = new Float32Array(sizes.length * COUNTRY_CODES.length * agesYears.length * Z_COUNT);
  let at = 0;
  for (const size of sizes) {
    for (let country = 0; country < COUNTRY_CODES.length; country++) {
      for (const age of agesYears) {
        const median = size * (0.3 + 0.7 * Math.min(1, age / 18)) * (1 + country / 5000);
        for (const factor of curve) values[at++] = median * factor;
      }
    }
  }
  return values;
}

function blocks(own: readonly string[]): Int32Array {
  const block = new Int32Array(ROWS);
  MEASUREMENT_NAMES.forEach((name, measurement) => {
    GENDERS.forEach((_, gender) => {
      const kept = own.indexOf(name);
      const turn = THIGHS[name] ?? measurement % BLOCKS_PER_GENDER;
      const size = kept < 0 ? turn : BLOCKS_PER_GENDER + kept;
      const found = dimensionRow(size, gender);
      block[dimensionRow(measurement, gender)] = name === WITHOUT_MODEL ? NO_BLOCK : found;
    });
  });
  const femaleOnly = MEASUREMENT_NAMES.indexOf('FemaleChestCircumferenceBelowBreasts');
  block[dimensionRow(femaleOnly, 0)] = NO_BLOCK;
  return block;
}

function ageMins(): Float32Array {
  const mins = new Float32Array(ROWS);
  const measurement = MEASUREMENT_NAMES.indexOf(AGE_LIMITED.measurement);
  GENDERS.forEach((_, gender) => {
    mins[dimensionRow(measurement, gender)] = AGE_LIMITED.fromYears;
  });
  return mins;
}

function correlations(off: number): Float32Array {
  const size = MEASUREMENT_NAMES.length;
  const rho = new Float32Array(ROWS * size).fill(off);
  for (let row = 0; row < ROWS; row++) rho[row * size + (row % size)] = 1;
  return rho;
}

function repeated(profile: readonly number[]): Float32Array {
  return Float32Array.from(Array.from({ length: ROWS }, () => profile).flat());
}
