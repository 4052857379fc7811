import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { MEASUREMENT_NAMES } from '../../src/core/measurements.js';
import type { ArtifactFault } from '../../src/lookup/errors.js';
import { FILES, type Manifest, type ManifestPopulation } from '../../src/lookup/format.js';
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
  ['years that fall', 'wrong_axes', FILES.manifest, () => setPart({ years: [2035, 2025] })],
  ...['referenceStaturesMm', 'population'].map(
    (name): Case => [
      `a manifest without ${name}`,
      'out_of_range',
      FILES.manifest,
      () => setField(name, undefined),
    ],
  ),
  ...(['measurements', 'genders', 'countries', 'clothing', 'postures'] as const).map(
    (axis): Case => [
      `another order of ${axis}`,
      'wrong_axes',
      FILES.manifest,
      () => setAxis(axis, (values) => [...values].reverse()),
    ],
  ),
  ...[[0, 2, 2, 120], [1, 120], [0, 100], [0, null, 120], [], 'all'].map(
    (ages): Case => [
      `the ages ${JSON.stringify(ages)}`,
      'wrong_axes',
      FILES.manifest,
      () => setAxis('agesYears', () => ages),
    ],
  ),
];

function setField(name: string, value: unknown): void {
  changeManifest(folder, (manifest) => {
    (manifest as Record<string, unknown>)[name] = value;
  });
}
function setAxis(axis: keyof Manifest['axes'], change: (values: readonly unknown[]) => unknown) {
  changeManifest(folder, ({ axes, ...rest }) => ({
    ...rest,
    axes: { ...axes, [axis]: change(axes[axis]) },
  }));
}
function setPart(part: (typeof PARTS)[number][1]): void {
  changeManifest(folder, (manifest) => ({
    ...manifest,
    population: { ...manifest.population, ...part },
  }));
}
function writeManifest(text: string): void {
  writeFileSync(join(folder, FILES.manifest), text);
}

const { grid, correlations, dimensions, covariates, body, evidence, people } = FILES;
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
  ['a mean stature of 3 m', 'out_of_range', covariates, 'ln_stature_mean', 5, 8.1],
  ['a NaN covariate', 'not_a_number', covariates, 'ln_bmi_sd', 5, NaN],
  ['a slope of 40', 'out_of_range', dimensions, 'slope_bmi', 5, 40],
  ['a ρ of 2 with BMI', 'out_of_range', correlations, 'rho_bmi', 5, 2],
  ['a body that falls', 'not_monotone', body, 'quantiles', 5, 1],
  ['an error below 0', 'out_of_range', evidence, 'ln_median_sd', 5, -1],
  ['a fifth grade', 'out_of_range', evidence, 'grade', 5, 4],
  ['people below 0', 'out_of_range', people, 'people', 5, -1],
];

const termOf = (of: string, measurement: string) => ({
  measurement,
  terms: [{ coefficient: 1, of }],
});
const survey = { name: 's', country: 'US', year: 2000, people: [1, 1], role: 'base' };
/** Wrong parts of the population of a manifest. */
const PARTS: [what: string, part: Partial<Record<keyof ManifestPopulation, unknown>>][] = [
  ['years without the reference year', { years: [2000, 2035] }],
  ['an age that is no knot', { yearsFromAge: 19 }],
  ['no derived measurements', { derived: undefined }],
  ['a derived measurement of itself', { derived: [termOf('EyeHeight', 'EyeHeight')] }],
  [
    'two formulas of one measurement',
    { derived: [termOf('Stature', 'EyeHeight'), termOf('Stature', 'EyeHeight')] },
  ],
  ['no identities', { identities: undefined }],
  [
    'an identity before its part',
    { identities: [termOf('LegLength', 'EyeHeight'), termOf('Stature', 'LegLength')] },
  ],
  ['a survey of an unknown measurement', { surveys: [{ ...survey, measurements: [148] }] }],
  ['one region', { regions: ['Europe'] }],
  ['a correlation too few', { rhoBmiMass: [0.9] }],
];
const PART_CASES = PARTS.map(([what, part]): Case => {
  const ruin = () => setPart(part);
  return [what, 'out_of_range', FILES.manifest, ruin];
});

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
  it.each([...MANIFEST_CASES, ...PART_CASES, ...VALUE_CASES, FALLING])(
    'is refused for %s: %s in %s',
    (_, fault, file, ruin) => {
      ruin();
      expect(refused(root)).toMatchObject({ fault, file });
    },
  );
});
