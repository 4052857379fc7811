import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DataType,
  Field,
  FixedSizeList,
  Float32,
  Int32,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  tableToIPC,
} from 'apache-arrow';
import {
  ARTIFACT_TYPES,
  adultAges,
  CLOTHING_COUNT,
  DRIVER_COLUMNS,
  FILES,
  FORMAT_VERSION,
  type Manifest,
  type ManifestFile,
  POSTURE_COUNT,
  Z_COUNT,
} from '../src/lookup/format.js';
import { type ShapeViews, writeShape } from '../src/lookup/shape-file.js';
import { contentName } from '../src/lookup/version.js';
import type { ProfileColumns } from './fit/profiles.js';

/** Contents of the data files. */
export interface ArtifactData extends ProfileColumns {
  readonly quantiles: Float32Array;
  readonly block: Int32Array;
  readonly ageMinYears: Float32Array;
  readonly ageMaxYears: Float32Array;
  readonly rho: Float32Array;
  readonly rhoBmi: Float32Array;
  readonly rhoMass: Float32Array;
  readonly slopeStature: Float32Array;
  readonly slopeBmi: Float32Array;
  readonly slopeBmiSpread: Float32Array;
  readonly covariates: Readonly<Record<(typeof DRIVER_COLUMNS)[number], Float32Array>>;
  readonly bodyQuantiles: Float32Array;
  readonly lnMedianSd: Float32Array;
  readonly grade: Int32Array;
  readonly people: Float32Array;
  /** The body; undefined in a build without it. */
  readonly shape?: ShapeViews | undefined;
}

type Column = readonly [name: string, values: Float32Array | Int32Array, width: number];

/** An Arrow IPC file with one uncompressed record batch of contiguous, aligned columns. */
function arrowFile(columns: readonly Column[], metadata: Map<string, string>): Uint8Array {
  const fields: Field[] = [];
  const children = columns.map(([name, values, width]) => {
    const item = values instanceof Int32Array ? new Int32() : new Float32();
    const data = makeData({ type: item, data: values } as Parameters<typeof makeData>[0]);
    const type: DataType =
      width === 1 ? item : new FixedSizeList(width, new Field('item', item, false));
    fields.push(new Field(name, type, false));
    if (width === 1) return data;
    const length = values.length / width;
    return makeData({ type, length, nullCount: 0, child: data } as Parameters<typeof makeData>[0]);
  });
  const schema = new Schema(fields, metadata);
  const length = children[0]?.length ?? 0;
  const struct = makeData({ type: new Struct(fields), length, nullCount: 0, children });
  return tableToIPC(new Table([new RecordBatch(schema, struct)]), 'file');
}

function writeDurably(path: string, bytes: Uint8Array): void {
  const descriptor = openSync(path, 'w');
  try {
    let written = 0;
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Writes the data files and the manifest of a version into `folder` and flushes them to the disk. The
 * version's name contains the reference year and a hash of the content, so that equal builds have equal
 * names.
 *
 * @returns the name of the version
 */
export function emitArtifact(
  folder: string,
  data: ArtifactData,
  manifest: Omit<Manifest, 'files' | 'formatVersion' | 'artifactVersion'>,
): string {
  const formatVersion = `${FORMAT_VERSION.major}.${FORMAT_VERSION.minor}`;
  const sources = createHash('sha256').update(JSON.stringify(manifest.sources)).digest('hex');
  const metadata = (type: string) =>
    new Map([
      ['artifact_type', type],
      ['format_version', formatVersion],
      ['build_epoch', String(manifest.buildEpoch)],
      ['sources_sha256', sources],
    ]);
  const ages = adultAges(manifest).length;
  const tables: [string, string, readonly Column[]][] = [
    [FILES.grid, ARTIFACT_TYPES.grid, [['quantiles', data.quantiles, Z_COUNT]]],
    [
      FILES.dimensions,
      ARTIFACT_TYPES.dimensions,
      [
        ['block', data.block, 1],
        ['age_min_years', data.ageMinYears, 1],
        ['age_max_years', data.ageMaxYears, 1],
        ['clothing_shift_mm', data.clothingShiftMm, CLOTHING_COUNT],
        ['clothing_sd_mm', data.clothingSdMm, CLOTHING_COUNT],
        ['posture_shift_mm', data.postureShiftMm, POSTURE_COUNT],
        ['posture_sd_mm', data.postureSdMm, POSTURE_COUNT],
        ['slope_stature', data.slopeStature, ages],
        ['slope_bmi', data.slopeBmi, ages],
        ['slope_bmi_spread', data.slopeBmiSpread, ages],
      ],
    ],
    [
      FILES.correlations,
      ARTIFACT_TYPES.correlations,
      [
        ['rho', data.rho, manifest.axes.measurements.length],
        ['rho_bmi', data.rhoBmi, 1],
        ['rho_mass', data.rhoMass, 1],
      ],
    ],
    [
      FILES.covariates,
      ARTIFACT_TYPES.covariates,
      DRIVER_COLUMNS.map((name): Column => [name, data.covariates[name], 1]),
    ],
    [FILES.body, ARTIFACT_TYPES.body, [['quantiles', data.bodyQuantiles, Z_COUNT]]],
    [
      FILES.evidence,
      ARTIFACT_TYPES.evidence,
      [
        ['ln_median_sd', data.lnMedianSd, 1],
        ['grade', data.grade, 1],
      ],
    ],
    [FILES.people, ARTIFACT_TYPES.people, [['people', data.people, 1]]],
  ];
  mkdirSync(folder, { recursive: true });
  const files: Record<string, ManifestFile> = {};
  const write = (file: string, bytes: Uint8Array, rows: number): void => {
    writeDurably(join(folder, file), bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    files[file] = { sha256, bytes: bytes.length, rows };
  };
  for (const [file, type, columns] of tables) {
    const [, values, width] = columns[0] as Column;
    write(file, arrowFile(columns, metadata(type)), values.length / width);
  }
  if (data.shape !== undefined) {
    write(FILES.shape, writeShape(data.shape, formatVersion), data.shape.header.vertices);
  }
  const artifactVersion = contentName({ ...manifest, files });
  const whole: Manifest = { formatVersion, artifactVersion, ...manifest, files };
  writeDurably(join(folder, FILES.manifest), Buffer.from(`${JSON.stringify(whole, null, 2)}\n`));
  return artifactVersion;
}
