import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Field, FixedSizeList, Float32, Float64, Int32, makeData } from 'apache-arrow';
import { beforeEach, describe, expect, it } from 'vitest';
import { MEASUREMENT_NAMES } from '../../src/core/measurements.js';
import { peopleIndex } from '../../src/lookup/cell.js';
import type { ArtifactFault } from '../../src/lookup/errors.js';
import { CURRENT_POINTER, DATA_FILES, FILES, Z_COUNT } from '../../src/lookup/format.js';
import {
  currentVersion,
  listVersions,
  openArtifact,
  verifyVersion,
} from '../../src/lookup/open-artifact.js';
import { stampHolds } from '../../src/lookup/version.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';
import { tinyPeople } from '../support/tiny-population.js';
import {
  changeManifest,
  type LooseColumn,
  moveBuffer,
  refused,
  replaceFile,
  rewriteTable,
  valuesOf,
} from './corrupt.js';

let root: string;
let folder: string;

beforeEach(() => {
  root = writeTinyArtifact();
  folder = join(root, 'tiny');
});

const bytesOf = (file: string) => new Uint8Array(readFileSync(join(folder, file)));
const column = (columns: Map<string, LooseColumn>, name: string) =>
  columns.get(name) as LooseColumn;

type Case = [what: string, fault: ArtifactFault, file: string, spoil: () => void];
const rewritten = (file: string, change: Parameters<typeof rewriteTable>[2]) => () =>
  rewriteTable(folder, file, change);
const versioned = (text: string) =>
  rewritten(FILES.grid, (_, metadata) => metadata.set('format_version', text));

const FILE_CASES: Case[] = [
  ['no manifest', 'missing', FILES.manifest, () => rmSync(join(folder, FILES.manifest))],
  [
    'half a manifest',
    'truncated',
    FILES.manifest,
    () => truncateSync(join(folder, FILES.manifest), 200),
  ],
  ...DATA_FILES.map((file): Case => {
    const remove = () => {
      openArtifact(root);
      rmSync(join(folder, file));
      expect(stampHolds(folder)).toBe(false);
    };
    return ['no file, also with a stamp', 'missing', file, remove];
  }),
  ['half a grid', 'truncated', FILES.grid, () => truncateSync(join(folder, FILES.grid), 5000)],
  ['an empty file', 'truncated', FILES.grid, () => truncateSync(join(folder, FILES.grid), 0)],
  [
    'half a grid with its own checksum',
    'truncated',
    FILES.grid,
    () => replaceFile(folder, FILES.grid, bytesOf(FILES.grid).subarray(0, 5000)),
  ],
  [
    'a grid that is not listed',
    'missing',
    FILES.grid,
    () =>
      changeManifest(folder, (manifest) => {
        const { [FILES.grid]: _, ...files } = manifest.files;
        manifest.files = files;
      }),
  ],
  [
    'a wrong magic',
    'not_arrow',
    FILES.dimensions,
    () => {
      const bytes = bytesOf(FILES.dimensions);
      bytes[0] = 0;
      replaceFile(folder, FILES.dimensions, bytes);
    },
  ],
  [
    'a file that is not Arrow',
    'not_arrow',
    FILES.grid,
    () => replaceFile(folder, FILES.grid, Buffer.from('a quantile, a quantile, a quantile')),
  ],
  [
    'an Arrow file of noise',
    'not_arrow',
    FILES.grid,
    () => replaceFile(folder, FILES.grid, Buffer.from(`ARROW1\0\0${'\x7f'.repeat(64)}ARROW1`)),
  ],
  [
    'one file in place of another',
    'wrong_type',
    FILES.correlations,
    () => replaceFile(folder, FILES.correlations, bytesOf(FILES.dimensions)),
  ],
  [
    'a flipped byte',
    'wrong_checksum',
    FILES.grid,
    () => {
      const bytes = bytesOf(FILES.grid);
      const middle = bytes.length >> 1;
      // The lowest bit of a float32's significand changes, so the numbers still rise.
      bytes[middle - (middle % 4)] = (bytes[middle - (middle % 4)] as number) ^ 1;
      writeFileSync(join(folder, FILES.grid), bytes);
    },
  ],
];

const SCHEMA_CASES: Case[] = [
  ['a newer major format', 'newer_format', FILES.grid, versioned('2.0')],
  ['a newer minor format', 'newer_format', FILES.grid, versioned('1.3')],
  [
    'no format version',
    'wrong_type',
    FILES.grid,
    rewritten(FILES.grid, (_, metadata) => metadata.delete('format_version')),
  ],
  [
    'no artifact type',
    'wrong_type',
    FILES.grid,
    rewritten(FILES.grid, (_, metadata) => metadata.delete('artifact_type')),
  ],
  [
    'a missing column',
    'missing_column',
    FILES.dimensions,
    rewritten(FILES.dimensions, (columns) => columns.delete('clothing_sd_mm')),
  ],
  [
    'a column of another type',
    'missing_column',
    FILES.dimensions,
    () =>
      rewriteTable(folder, FILES.dimensions, (columns) => {
        const block = column(columns, 'block');
        const values = Float64Array.from(valuesOf(block));
        block.field = new Field('block', new Float64(), false);
        block.data = makeData({ type: new Float64(), data: values });
      }),
  ],
  [
    'a missing row',
    'wrong_rows',
    FILES.correlations,
    () =>
      rewriteTable(folder, FILES.correlations, (columns) => {
        for (const one of columns.values()) one.data = one.data.slice(0, one.data.length - 1);
      }),
  ],
  [
    'lists of another width',
    'wrong_rows',
    FILES.grid,
    () =>
      rewriteTable(folder, FILES.grid, (columns) => {
        const quantiles = column(columns, 'quantiles');
        const values = valuesOf(quantiles) as Float32Array;
        const length = values.length / Z_COUNT;
        const narrow = values.slice(0, length * (Z_COUNT - 1));
        const type = new FixedSizeList(Z_COUNT - 1, new Field('item', new Float32(), false));
        const child = makeData({ type: new Float32(), data: narrow });
        quantiles.field = new Field('quantiles', type, false);
        quantiles.data = makeData({ type, length, nullCount: 0, child });
      }),
  ],
  [
    'nulls in a column',
    'not_a_number',
    FILES.dimensions,
    () =>
      rewriteTable(folder, FILES.dimensions, (columns) => {
        const block = column(columns, 'block');
        const data = Int32Array.from(valuesOf(block));
        const nullBitmap = new Uint8Array(Math.ceil(data.length / 8)).fill(0xff);
        nullBitmap[0] = 0xfe;
        block.field = new Field('block', new Int32(), true);
        block.data = makeData({ type: new Int32(), data, nullCount: 1, nullBitmap });
      }),
  ],
  [
    'a misaligned column',
    'misaligned',
    FILES.dimensions,
    () => moveBuffer(folder, FILES.dimensions, MEASUREMENT_NAMES.length * 2 * 4, 4),
  ],
];

describe('opening an artifact', () => {
  it('gives views of the mapped files', () => {
    const views = openArtifact(root);
    expect(views.block).toHaveLength(MEASUREMENT_NAMES.length * 2);
    expect(views.quantiles.length % Z_COUNT).toBe(0);
    expect(views.manifest.artifactVersion).toBe('tiny');
    // Nothing is copied: the view lies inside the bytes of the file, not in a buffer of its own.
    expect(views.quantiles.byteOffset).toBeGreaterThan(0);
    expect(views.quantiles.buffer.byteLength).toBeGreaterThan(views.quantiles.byteLength);
    expect(views.population.covariates.rho[0]).toBeCloseTo(-0.1, 6);
    expect(views.population.people[peopleIndex(3, 1, 40)]).toBe(tinyPeople(3, 40));
    // The stamp is of all files.
    expect(stampHolds(folder)).toBe(true);
    expect(openArtifact(root).population.grade).toHaveLength(views.population.grade.length);
  });

  it('opens an undamaged artifact of the test writer', () => {
    rewriteTable(folder, FILES.dimensions, () => undefined);
    rewriteTable(folder, FILES.grid, () => undefined);
    expect(verifyVersion(folder).manifest.artifactVersion).toBe('tiny');
  });

  it.each([...FILE_CASES, ...SCHEMA_CASES])('refuses %s: %s in %s', (_, fault, file, ruin) => {
    ruin();
    expect(refused(root)).toMatchObject({ fault, file, message: expect.stringContaining(file) });
  });
});

describe('the current pointer', () => {
  it.each([
    ['none', undefined, CURRENT_POINTER],
    ['an empty one', ' \n', CURRENT_POINTER],
    ['one to nothing', 'gone\n', FILES.manifest],
    ['one out of the folder', '../tiny\n', '../tiny'],
    ['one to itself', 'current\n', CURRENT_POINTER],
    ['one of two lines', 'tiny\ntiny\n', 'tiny\ntiny'],
  ])('is refused: %s', (_, text, file) => {
    rmSync(join(root, CURRENT_POINTER));
    if (text !== undefined) writeFileSync(join(root, CURRENT_POINTER), text);
    expect(refused(root)).toMatchObject({ fault: 'missing', file });
  });

  it('is not read when a version is named', () => {
    rmSync(join(root, CURRENT_POINTER));
    expect(currentVersion(root)).toBeUndefined();
    mkdirSync(join(root, 'Current'));
    expect(listVersions(root)).toEqual(['tiny']);
    expect(listVersions(join(root, 'nowhere'))).toEqual([]);
    expect(openArtifact(root, 'tiny').manifest.artifactVersion).toBe('tiny');
  });
});
