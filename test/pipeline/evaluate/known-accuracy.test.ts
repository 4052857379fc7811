import { appendFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { keepAccuracy, knownAccuracy } from '../../../pipeline/evaluate/known-accuracy.js';
import { projectDir } from '../../../src/core/project-dir.js';
import { newFolder } from '../../support/folders.js';

it('an evaluation is made once for the same tables, and again when a table changes', () => {
  const root = newFolder('accuracy');
  const rawDir = join(root, 'raw');
  cpSync(join(projectDir(), 'data/raw/asran2015'), join(rawDir, 'asran2015'), { recursive: true });
  const folder = join(root, 'evaluations');
  expect(knownAccuracy(rawDir, folder)).toBeUndefined();
  const accuracy = '{ "exact": 0.3 }\n';
  keepAccuracy(rawDir, folder, accuracy);
  expect(knownAccuracy(rawDir, folder)).toBe(accuracy);
  appendFileSync(join(rawDir, 'asran2015/studies.csv'), '\n');
  expect(knownAccuracy(rawDir, folder)).toBeUndefined();
});
