import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { peopleIndex } from '../../src/lookup/cell.js';
import type { ArtifactFault } from '../../src/lookup/errors.js';
import { DATA_FILES, FILES, type ManifestPopulation } from '../../src/lookup/format.js';
import { openArtifact } from '../../src/lookup/open-artifact.js';
import { stampHolds } from '../../src/lookup/version.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';
import { tinyPeople } from '../support/tiny-population.js';
import { changeManifest, refused, rewriteTable, valuesOf } from './corrupt.js';

let root: string;
let folder: string;

beforeEach(() => {
  root = writeTinyArtifact();
  folder = join(root, 'tiny');
});

describe('an artifact', () => {
  it('opens with years, body mass and evidence, and is stamped with all files', () => {
    const { population } = openArtifact(root);
    expect(population.covariates.rho[0]).toBeCloseTo(-0.1, 6);
    expect(population.people[peopleIndex(3, 1, 40)]).toBe(tinyPeople(3, 40));
    expect(stampHolds(folder)).toBe(true);
    expect(openArtifact(root).population.grade.length).toBe(population.grade.length);
  });

  it.each(DATA_FILES)('without %s is refused, also with a stamp', (file) => {
    openArtifact(root);
    rmSync(join(folder, file));
    expect(stampHolds(folder)).toBe(false);
    expect(refused(root)).toMatchObject({ fault: 'missing', file });
  });

  it('whose manifest has no population is refused', () => {
    changeManifest(folder, (manifest) => ({ ...manifest, population: undefined }));
    expect(refused(root)).toMatchObject({ fault: 'out_of_range', file: FILES.manifest });
  });
});

const set = (file: string, name: string, value: number) => () =>
  rewriteTable(folder, file, (columns) => {
    const column = columns.get(name);
    if (column === undefined) throw new Error(`no column ${name}`);
    valuesOf(column)[5] = value;
  });
const change = (part: Partial<Record<keyof ManifestPopulation, unknown>>) => () =>
  changeManifest(folder, (manifest) => ({
    ...manifest,
    population: { ...manifest.population, ...part },
  }));

type Case = [what: string, fault: ArtifactFault, file: string, spoil: () => void];
const CASES: Case[] = [
  [
    'a mean stature of 3 m',
    'out_of_range',
    FILES.covariates,
    set(FILES.covariates, 'ln_stature_mean', 8.1),
  ],
  ['a NaN covariate', 'not_a_number', FILES.covariates, set(FILES.covariates, 'ln_bmi_sd', NaN)],
  ['a slope of 40', 'out_of_range', FILES.dimensions, set(FILES.dimensions, 'slope_bmi', 40)],
  ['a ρ of 2 with BMI', 'out_of_range', FILES.correlations, set(FILES.correlations, 'rho_bmi', 2)],
  ['a body that falls', 'not_monotone', FILES.body, set(FILES.body, 'quantiles', 1)],
  ['an error below 0', 'out_of_range', FILES.evidence, set(FILES.evidence, 'ln_median_sd', -1)],
  ['a fifth grade', 'out_of_range', FILES.evidence, set(FILES.evidence, 'grade', 4)],
  ['years that fall', 'wrong_axes', FILES.manifest, change({ years: [2035, 2025] })],
  [
    'years without the reference year',
    'out_of_range',
    FILES.manifest,
    change({ years: [2000, 2035] }),
  ],
  ['an age that is no knot', 'out_of_range', FILES.manifest, change({ yearsFromAge: 19 })],
  ['people below 0', 'out_of_range', FILES.people, set(FILES.people, 'people', -1)],
  ['no derived measurements', 'out_of_range', FILES.manifest, change({ derived: undefined })],
  [
    'a derived measurement of itself',
    'out_of_range',
    FILES.manifest,
    change({
      derived: [{ measurement: 'EyeHeight', terms: [{ coefficient: 1, of: 'EyeHeight' }] }],
    }),
  ],
  [
    'two formulas of one measurement',
    'out_of_range',
    FILES.manifest,
    change({
      derived: [
        { measurement: 'EyeHeight', terms: [{ coefficient: 0.9, of: 'Stature' }] },
        { measurement: 'EyeHeight', terms: [{ coefficient: 0.9, of: 'Stature' }] },
      ],
    }),
  ],
  ['no identities', 'out_of_range', FILES.manifest, change({ identities: undefined })],
  [
    'an identity before its part',
    'out_of_range',
    FILES.manifest,
    change({
      identities: [
        { measurement: 'EyeHeight', terms: [{ coefficient: 1, of: 'LegLength' }] },
        { measurement: 'LegLength', terms: [{ coefficient: 1, of: 'Stature' }] },
      ],
    }),
  ],
  [
    'a survey of an unknown measurement',
    'out_of_range',
    FILES.manifest,
    change({
      surveys: [
        { name: 's', country: 'US', year: 2000, people: [1, 1], role: 'base', measurements: [148] },
      ],
    }),
  ],
  ['one region', 'out_of_range', FILES.manifest, change({ regions: ['Europe'] })],
  ['a correlation too few', 'out_of_range', FILES.manifest, change({ rhoBmiMass: [0.9] })],
];

describe('years, body mass, evidence and head counts', () => {
  it.each(CASES)('with %s are refused', (_, fault, file, spoil) => {
    spoil();
    expect(refused(root)).toMatchObject({ fault, file });
  });
});
