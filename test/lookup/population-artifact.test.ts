import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { peopleIndex } from '../../src/lookup/cell.js';
import { DATA_FILES, FILES } from '../../src/lookup/format.js';
import { openArtifact } from '../../src/lookup/open-artifact.js';
import { stampHolds } from '../../src/lookup/version.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';
import { tinyPeople } from '../support/tiny-population.js';
import { changeManifest, refused } from './corrupt.js';

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
