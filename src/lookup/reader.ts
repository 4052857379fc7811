import { column, openTable } from './arrow-file.js';
import {
  ARTIFACT_TYPES,
  CLOTHING_COUNT,
  FILES,
  type Manifest,
  POSTURE_COUNT,
  Z_COUNT,
} from './format.js';
import { checkManifest } from './manifest.js';
import { type PopulationViews, readPopulation } from './population-views.js';

/** Views over the mapped files of one artifact version. `format.ts` has the index of each value. */
export interface ArtifactViews {
  readonly manifest: Manifest;
  /** Quantiles in mm, by `cellIndex`. */
  readonly quantiles: Float32Array;
  /** Block of the grid, by `dimensionRow`; `NO_BLOCK` without a model. */
  readonly block: Int32Array;
  readonly ageMinYears: Float32Array;
  readonly ageMaxYears: Float32Array;
  readonly clothingShiftMm: Float32Array;
  readonly clothingSdMm: Float32Array;
  readonly postureShiftMm: Float32Array;
  readonly postureSdMm: Float32Array;
  /** Correlations of normal scores, by `correlationIndex`. */
  readonly rho: Float32Array;
  /** Years, body mass, evidence and head counts. */
  readonly population: PopulationViews;
}

/** Bytes of the data files of one version, by file name (`DATA_FILES`). */
export type ArtifactBytes = ReadonlyMap<string, Uint8Array>;

/**
 * Turns the bytes of a version into views, without copying them.
 *
 * @throws ArtifactError when a file does not match the manifest or the format
 */
export function readArtifact(manifest: Manifest, bytes: ArtifactBytes): ArtifactViews {
  checkManifest(manifest);
  const { axes } = manifest;
  const rows = axes.measurements.length * axes.genders.length;
  const open = (file: string, type: string) => openTable(file, type, bytes.get(file));
  const dimensions = open(FILES.dimensions, ARTIFACT_TYPES.dimensions);
  const grid = open(FILES.grid, ARTIFACT_TYPES.grid);
  const correlations = open(FILES.correlations, ARTIFACT_TYPES.correlations);
  const block = column(dimensions, FILES.dimensions, 'block', rows, Int32Array);
  const blocks = block.reduce((most, value) => Math.max(most, value + 1), 0);
  const cells = blocks * axes.countries.length * axes.agesYears.length;
  const correlationRows = axes.correlationAgesYears.length * rows;
  const wide = (name: string, width: number) =>
    column(dimensions, FILES.dimensions, name, rows, Float32Array, width);
  return {
    manifest,
    block,
    quantiles: column(grid, FILES.grid, 'quantiles', cells, Float32Array, Z_COUNT),
    ageMinYears: wide('age_min_years', 1),
    ageMaxYears: wide('age_max_years', 1),
    clothingShiftMm: wide('clothing_shift_mm', CLOTHING_COUNT),
    clothingSdMm: wide('clothing_sd_mm', CLOTHING_COUNT),
    postureShiftMm: wide('posture_shift_mm', POSTURE_COUNT),
    postureSdMm: wide('posture_sd_mm', POSTURE_COUNT),
    rho: column(
      correlations,
      FILES.correlations,
      'rho',
      correlationRows,
      Float32Array,
      axes.measurements.length,
    ),
    population: readPopulation(manifest, { dimensions, correlations }, open),
  };
}
