import { type Data, type Table, tableFromIPC } from 'apache-arrow';
import { COUNTRY_CODES } from '../core/countries.js';
import { GENDERS } from '../core/genders.js';
import { AGE_LIMITS } from '../core/limits.js';
import { MEASUREMENT_NAMES } from '../core/measurements.js';
import { CLOTHING_IDS, POSTURE_IDS } from '../core/profiles.js';
import { ArtifactError } from './errors.js';
import {
  ARTIFACT_TYPES,
  CLOTHING_COUNT,
  FILES,
  FORMAT_VERSION,
  type Manifest,
  POSTURE_COUNT,
  Z_COUNT,
} from './format.js';

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
}

/** Bytes of the data files of one version, by the names in `FILES`. */
export interface ArtifactBytes {
  readonly grid: Uint8Array;
  readonly dimensions: Uint8Array;
  readonly correlations: Uint8Array;
}

/**
 * Checks the manifest against this program: format version, and the axes name by name.
 *
 * @throws ArtifactError `newer_format`, `wrong_type`, `wrong_axes`, `out_of_range`
 */
export function checkManifest(manifest: Manifest): void {
  checkFormat(FILES.manifest, manifest.formatVersion);
  const { axes, referenceStaturesMm: statures } = manifest;
  checkAxis('measurements', axes.measurements, MEASUREMENT_NAMES);
  checkAxis('genders', axes.genders, GENDERS);
  checkAxis('countries', axes.countries, COUNTRY_CODES);
  checkAxis('clothing', axes.clothing, CLOTHING_IDS);
  checkAxis('postures', axes.postures, POSTURE_IDS);
  checkAges('agesYears', axes.agesYears);
  checkAges('correlationAgesYears', axes.correlationAgesYears);
  if (axes.agesYears[0] !== AGE_LIMITS.minimum || axes.agesYears.at(-1) !== AGE_LIMITS.maximum) {
    throw new ArtifactError(
      'wrong_axes',
      FILES.manifest,
      `agesYears must run from ${AGE_LIMITS.minimum} to ${AGE_LIMITS.maximum}`,
    );
  }
  if (!Array.isArray(statures) || statures.length !== 2 || !statures.every((mm) => mm > 0)) {
    throw new ArtifactError('out_of_range', FILES.manifest, 'reference statures must be above 0');
  }
}

// A manifest is JSON from a disk, so its types must be checked.
function checkFormat(file: string, version: unknown): void {
  const [major, minor] = typeof version === 'string' ? version.split('.').map(Number) : [];
  const known = `${FORMAT_VERSION.major}.${FORMAT_VERSION.minor}`;
  if (major === undefined || minor === undefined || !(major >= 1) || !(minor >= 0)) {
    throw new ArtifactError('wrong_type', file, `no format version; this program reads ${known}`);
  }
  if (major !== FORMAT_VERSION.major || minor > FORMAT_VERSION.minor) {
    const message = `format ${version}, but this program reads ${known}; rebuild or upgrade`;
    throw new ArtifactError('newer_format', file, message);
  }
}

function checkAxis(axis: string, found: unknown, known: readonly string[]): void {
  const names: readonly unknown[] = Array.isArray(found) ? found : [];
  if (names.length !== known.length || !known.every((name, i) => name === names[i])) {
    const message = `axis ${axis} differs from this program's; rebuild with npm run pipeline`;
    throw new ArtifactError('wrong_axes', FILES.manifest, message);
  }
}

function checkAges(axis: string, found: unknown): void {
  const ages: readonly unknown[] = Array.isArray(found) ? found : [];
  const rising = ages.every(
    (age, i) => Number.isFinite(age) && (i === 0 || Number(age) > Number(ages[i - 1])),
  );
  if (ages.length === 0 || ages.length > 250 || !rising) {
    throw new ArtifactError('wrong_axes', FILES.manifest, `axis ${axis} must rise`);
  }
}

/**
 * Turns the bytes of a version into views, without copying them.
 *
 * @throws ArtifactError when a file does not match the manifest or the format
 */
export function readArtifact(manifest: Manifest, bytes: ArtifactBytes): ArtifactViews {
  checkManifest(manifest);
  const { axes } = manifest;
  const rows = axes.measurements.length * axes.genders.length;
  const dimensions = openTable(FILES.dimensions, ARTIFACT_TYPES.dimensions, bytes.dimensions);
  const grid = openTable(FILES.grid, ARTIFACT_TYPES.grid, bytes.grid);
  const correlations = openTable(
    FILES.correlations,
    ARTIFACT_TYPES.correlations,
    bytes.correlations,
  );
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
  };
}

const ARROW_MAGIC = 'ARROW1';

function openTable(file: string, type: string, bytes: Uint8Array): Table {
  const ascii = (from: number) =>
    Buffer.from(bytes.buffer, bytes.byteOffset + from, ARROW_MAGIC.length).toString('latin1');
  if (bytes.length < 16 || ascii(0) !== ARROW_MAGIC) {
    throw new ArtifactError('not_arrow', file, 'does not begin as an Arrow file');
  }
  if (ascii(bytes.length - ARROW_MAGIC.length) !== ARROW_MAGIC) {
    throw new ArtifactError('truncated', file, 'does not end as an Arrow file');
  }
  let table: Table;
  try {
    table = tableFromIPC(bytes);
  } catch (cause) {
    throw new ArtifactError('not_arrow', file, `cannot be read: ${(cause as Error).message}`);
  }
  const found = table.schema.metadata.get('artifact_type');
  if (found !== type) {
    throw new ArtifactError('wrong_type', file, `holds ${found ?? 'no artifact'}, not ${type}`);
  }
  checkFormat(file, table.schema.metadata.get('format_version'));
  return table;
}

type ViewConstructor<View> = { new (): View; readonly name: string };

/** The one contiguous buffer of a column of `rows` numbers, or of `rows` lists of `width`. */
function column<View extends Int32Array | Float32Array>(
  table: Table,
  file: string,
  name: string,
  rows: number,
  View: ViewConstructor<View>,
  width = 1,
): View {
  const vector = table.getChild(name);
  if (vector === null) throw new ArtifactError('missing_column', file, `no column ${name}`);
  const data = vector.data[0] as Data | undefined;
  if (vector.data.length !== 1 || data === undefined || data.length !== rows) {
    const message = `column ${name} has ${vector.length} rows, not ${rows} in one batch`;
    throw new ArtifactError('wrong_rows', file, message);
  }
  const child = data.children[0] as Data | undefined;
  if (data.nullCount > 0 || (child?.nullCount ?? 0) > 0) {
    throw new ArtifactError('not_a_number', file, `column ${name} holds nulls`);
  }
  const values: unknown = child === undefined ? data.values : child.values;
  if (!(values instanceof View)) {
    throw new ArtifactError('missing_column', file, `column ${name} is not of ${View.name}`);
  }
  if (values.byteOffset % 8 !== 0) {
    throw new ArtifactError('misaligned', file, `column ${name} does not begin on 8 bytes`);
  }
  if (values.length !== rows * width || (child !== undefined && child.length !== rows * width)) {
    const message = `column ${name} holds ${values.length} values, not ${rows * width}`;
    throw new ArtifactError('wrong_rows', file, message);
  }
  return values;
}
