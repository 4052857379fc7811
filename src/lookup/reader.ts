import { type Data, type Table, tableFromIPC } from 'apache-arrow';
import { ArtifactError } from './errors.js';
import {
  ARTIFACT_TYPES,
  adultAges,
  CLOTHING_COUNT,
  DRIVER_COLUMNS,
  FILES,
  MASS_QUANTITIES,
  type Manifest,
  PEOPLE_AGES,
  POSTURE_COUNT,
  Z_COUNT,
} from './format.js';
import { checkFormat, checkManifest } from './manifest.js';
import { readShape, type ShapeViews } from './shape-file.js';

/** Views over the mapped files of one artifact version. Functions in `format.ts` compute the index of each value. */
export interface ArtifactViews {
  readonly manifest: Manifest;
  /** Quantiles in mm, by `cellIndex`. */
  readonly quantiles: Float32Array;
  /** Block of the grid, by `dimensionRow`; `NO_BLOCK` if there is no model. */
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
  /** The data of bodies in three dimensions; undefined if the version was built without them. */
  readonly shape?: ShapeViews | undefined;
}

/** Bytes of the data files of one version, by file name. */
export type ArtifactBytes = ReadonlyMap<string, Uint8Array>;

/**
 * Makes views over the bytes of a version, without copying them.
 *
 * @throws ArtifactError if a file does not match the manifest or the format
 */
export function readArtifact(manifest: Manifest, bytes: ArtifactBytes): ArtifactViews {
  checkManifest(manifest);
  const { axes } = manifest;
  const rows = axes.measurements.length * axes.genders.length;
  const open = (file: string, type: string) => openTable(file, type, bytes.get(file));
  const shape = bytes.get(FILES.shape);
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
    shape: shape && readShape(shape),
  };
}

/** Views over years, body mass, evidence and head counts. Functions in `format.ts` compute the index of each value. */
export interface PopulationViews {
  /** Covariates of each population in each year, by `covariateIndex`. */
  readonly covariates: Readonly<Record<(typeof DRIVER_COLUMNS)[number], Float32Array>>;
  /** Slope of a dimension's mean ln D on the mean of ln stature, by `slopeIndex`. */
  readonly slopeStature: Float32Array;
  /** Slope of a dimension's mean ln D on the mean of ln BMI, by `slopeIndex`. */
  readonly slopeBmi: Float32Array;
  /** Square root of the slope of the variance of ln D on the variance of ln BMI, by `slopeIndex`. */
  readonly slopeBmiSpread: Float32Array;
  /** Quantiles of BMI (kg/m²) and body mass (kg), by `bodyIndex`. */
  readonly bodyQuantiles: Float32Array;
  /** Correlation of each dimension with BMI (`rhoBmi`) and body mass (`rhoMass`). The rows are those of `rho`. */
  readonly rhoBmi: Float32Array;
  readonly rhoMass: Float32Array;
  /** Standard error of ln of a median, by `evidenceIndex`; 0 if there is no model. */
  readonly lnMedianSd: Float32Array;
  /** Index in `GRADES`, or `NO_GRADE`, by `evidenceIndex`. */
  readonly grade: Int32Array;
  /** Number of people of each completed year of age in 2022, by `peopleIndex`. */
  readonly people: Float32Array;
}

/** Tables that hold columns of these views beside others. */
interface SharedTables {
  readonly dimensions: Table;
  readonly correlations: Table;
}

/**
 * Makes views over years, body mass, evidence and head counts.
 *
 * @param open opens a data file of a type
 * @throws ArtifactError if a file does not match the manifest or the format
 */
function readPopulation(
  manifest: Manifest,
  shared: SharedTables,
  open: (file: string, type: string) => Table,
): PopulationViews {
  const { axes, population } = manifest;
  const ages = adultAges(manifest).length;
  const countries = axes.countries.length;
  const genders = axes.genders.length;
  const rows = axes.measurements.length * genders;
  const covariateRows = population.years.length * genders * countries * ages;
  const covariates = open(FILES.covariates, ARTIFACT_TYPES.covariates);
  const covariate = (name: string) =>
    column(covariates, FILES.covariates, name, covariateRows, Float32Array);
  const slopes = (name: string) =>
    column(shared.dimensions, FILES.dimensions, name, rows, Float32Array, ages);
  const rhoRows = axes.correlationAgesYears.length * rows;
  const rho = (name: string) =>
    column(shared.correlations, FILES.correlations, name, rhoRows, Float32Array);
  const body = open(FILES.body, ARTIFACT_TYPES.body);
  const cells = MASS_QUANTITIES.length * genders * countries * axes.agesYears.length;
  const evidence = open(FILES.evidence, ARTIFACT_TYPES.evidence);
  const graded = rows + MASS_QUANTITIES.length * genders;
  const evidenceRows = graded * countries * population.evidenceAgesYears.length;
  const people = open(FILES.people, ARTIFACT_TYPES.people);
  const peopleRows = countries * genders * PEOPLE_AGES;
  return {
    covariates: Object.fromEntries(
      DRIVER_COLUMNS.map((name) => [name, covariate(name)]),
    ) as PopulationViews['covariates'],
    slopeStature: slopes('slope_stature'),
    slopeBmi: slopes('slope_bmi'),
    slopeBmiSpread: slopes('slope_bmi_spread'),
    bodyQuantiles: column(body, FILES.body, 'quantiles', cells, Float32Array, Z_COUNT),
    rhoBmi: rho('rho_bmi'),
    rhoMass: rho('rho_mass'),
    lnMedianSd: column(evidence, FILES.evidence, 'ln_median_sd', evidenceRows, Float32Array),
    grade: column(evidence, FILES.evidence, 'grade', evidenceRows, Int32Array),
    people: column(people, FILES.people, 'people', peopleRows, Float32Array),
  };
}

const ARROW_MAGIC = 'ARROW1';

/**
 * Opens an Arrow file without copying it.
 *
 * @throws ArtifactError `not_arrow`, `truncated`, `wrong_type`, `newer_format`
 */
function openTable(file: string, type: string, bytes: Uint8Array = new Uint8Array()): Table {
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

/**
 * The contiguous buffer of a column. The column has `rows` numbers, or `rows` lists of `width` numbers.
 *
 * @throws ArtifactError `missing_column`, `wrong_rows`, `misaligned`, `not_a_number`
 */
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
