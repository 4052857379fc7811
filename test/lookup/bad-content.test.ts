import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { MEASUREMENT_NAMES } from '../../src/core/measurements.js';
import type { ArtifactFault } from '../../src/lookup/errors.js';
import { FILES } from '../../src/lookup/format.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';
import { changeManifest, type LooseColumn, refused, rewriteTable, valuesOf } from './corrupt.js';

let root: string;
let folder: string;

beforeEach(() => {
  root = writeTinyArtifact();
  folder = join(root, 'tiny');
});

const column = (columns: Map<string, LooseColumn>, name: string) =>
  columns.get(name) as LooseColumn;
const spoil = (file: string, name: string, change: (values: Float32Array | Int32Array) => void) =>
  rewriteTable(folder, file, (columns) => change(valuesOf(column(columns, name))));
const statureRow = MEASUREMENT_NAMES.indexOf('Stature') * 2;

type Case = [what: string, fault: ArtifactFault, file: string, spoil: () => void];

const MANIFEST_CASES: Case[] = [
  ['a newer manifest', 'newer_format', FILES.manifest, () => setField('formatVersion', '2.0')],
  ['a manifest without version', 'wrong_type', FILES.manifest, () => setField('formatVersion', 1)],
  ['a manifest of null', 'truncated', FILES.manifest, () => writeManifest('null')],
  ['a manifest of a list', 'truncated', FILES.manifest, () => writeManifest('[]')],
  ['a manifest without axes', 'truncated', FILES.manifest, () => setField('axes', null)],
  ['a manifest of empty axes', 'wrong_axes', FILES.manifest, () => setField('axes', {})],
  ['a manifest without files', 'truncated', FILES.manifest, () => setField('files', null)],
  [
    'a manifest without reference statures',
    'out_of_range',
    FILES.manifest,
    () => setField('referenceStaturesMm', undefined),
  ],
  ...(['measurements', 'genders', 'countries', 'clothing', 'postures'] as const).map(
    (axis): Case => [
      `another order of ${axis}`,
      'wrong_axes',
      FILES.manifest,
      () =>
        changeManifest(folder, (manifest) => {
          manifest.axes = { ...manifest.axes, [axis]: [...manifest.axes[axis]].reverse() };
        }),
    ],
  ),
  ...[[0, 2, 2, 120], [1, 120], [0, 100], [0, null, 120], [], 'all'].map(
    (ages): Case => [
      `the ages ${JSON.stringify(ages)}`,
      'wrong_axes',
      FILES.manifest,
      () =>
        changeManifest(folder, (manifest) => {
          manifest.axes = { ...manifest.axes, agesYears: ages as number[] };
        }),
    ],
  ),
];

function setField(name: string, value: unknown): void {
  changeManifest(folder, (manifest) => {
    (manifest as Record<string, unknown>)[name] = value;
  });
}
function writeManifest(text: string): void {
  writeFileSync(join(folder, FILES.manifest), text);
}

const { grid, correlations, dimensions } = FILES;
/** A value at a place of a column. */
const VALUES: [what: string, fault: ArtifactFault, file: string, name: string, number, number][] = [
  ['a NaN quantile', 'not_a_number', grid, 'quantiles', 777, NaN],
  ['a quantile of 0', 'out_of_range', grid, 'quantiles', 0, 0],
  ['a quantile of 5 m', 'out_of_range', grid, 'quantiles', 24, 5000],
  ['an infinite quantile', 'out_of_range', grid, 'quantiles', 24, Infinity],
  ['an asymmetric matrix', 'out_of_range', correlations, 'rho', 1, 0.4],
  ['a diagonal of 0', 'out_of_range', correlations, 'rho', 0, 0],
  ['a NaN ρ', 'not_a_number', correlations, 'rho', 1, NaN],
  ['a block below −1', 'out_of_range', dimensions, 'block', 3, -2],
  ['no model of stature', 'out_of_range', dimensions, 'block', statureRow, -1],
  ['reversed ages', 'out_of_range', dimensions, 'age_min_years', 4, 121],
  ['a NaN shift', 'not_a_number', dimensions, 'clothing_shift_mm', 7, NaN],
  ['a shift of a metre', 'out_of_range', dimensions, 'posture_shift_mm', 7, -1000],
  ['a negative spread', 'out_of_range', dimensions, 'posture_sd_mm', 7, -1],
];

const VALUE_CASES = VALUES.map(([what, fault, file, name, at, value]): Case => {
  const ruin = () =>
    spoil(file, name, (values) => {
      values[at] = value;
    });
  return [what, fault, file, ruin];
});

const FALLING: Case = [
  'falling quantiles',
  'not_monotone',
  grid,
  () =>
    spoil(grid, 'quantiles', (values) => {
      values[310] = values[309] as number;
    }),
];

describe('an artifact with bad content', () => {
  it.each([...MANIFEST_CASES, ...VALUE_CASES, FALLING])(
    'is refused for %s: %s in %s',
    (_, fault, file, ruin) => {
      ruin();
      const error = refused(root);
      expect({ fault: error.fault, file: error.file }).toEqual({ fault, file });
    },
  );
});
