import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareArtifacts } from '../../../pipeline/compare/compare.js';
import { compareMarkdown } from '../../../pipeline/compare/report.js';
import { COUNTRY_CODES } from '../../../src/core/countries.js';
import { measurementIndex } from '../../../src/core/measurements.js';
import { cellIndex, dimensionRow, gridSize } from '../../../src/lookup/cell.js';
import { NO_BLOCK, Z_COUNT } from '../../../src/lookup/format.js';
import { openArtifact } from '../../../src/lookup/open-artifact.js';
import { changeManifest } from '../../lookup/corrupt.js';
import { programWords } from '../../support/build.js';
import { newFolder } from '../../support/folders.js';
import { type TinyOptions, WITHOUT_MODEL, writeTinyArtifact } from '../../support/tiny-artifact.js';
import { itInWholeRun } from '../../support/whole-run.js';

/** In these ages, adults of the tiny artifact do not change, so a planted step stands out. */
const AGES_YEARS = [0, 10, 18, 20, 30, 40, 50, 120];
const before = openArtifact(writeTinyArtifact('before', { agesYears: AGES_YEARS }));

/** First value of a cell in the block for the Stature of men. */
function cellOfStature(country: string, ageYears: number): number {
  const block = before.block[dimensionRow(measurementIndex('Stature') ?? 0, 0)] as number;
  const index = COUNTRY_CODES.indexOf(country as never);
  const age = AGES_YEARS.indexOf(ageYears);
  return cellIndex(gridSize(before.manifest), block, index, age);
}

function compare(changes: TinyOptions) {
  return compareArtifacts(
    before,
    openArtifact(writeTinyArtifact('after', { agesYears: AGES_YEARS, ...changes })),
  );
}

/** Compares with a version in which one cell of Stature is moved. */
const compareMoved = (country: string, ageYears: number, shiftMm: number) =>
  compare({
    spoilGrid: (mm) => {
      const at = cellOfStature(country, ageYears);
      for (let knot = 0; knot < Z_COUNT; knot++) mm[at + knot] = (mm[at + knot] ?? 0) + shiftMm;
    },
  });

describe('comparing versions', () => {
  it('finds nothing where nothing differs', () => {
    const comparison = compare({});
    expect(comparison).toMatchObject({ cellsMoved: 0, jumps: [], allowances: [] });
    // There are 12 blocks, one for each dimension and gender, however many names they have.
    expect(comparison.cells).toBe(12 * COUNTRY_CODES.length * AGES_YEARS.length);
    expect(compareMarkdown(comparison)).toContain('No number differs.');
  });

  it('finds a median planted in one cell, in mm and SD, and says where', () => {
    const shiftMm = 45;
    const comparison = compareMoved('JP', 40, shiftMm);
    expect(comparison.cellsMoved).toBe(1);
    const [largest] = comparison.largest;
    expect(largest).toMatchObject({ gender: 'Male', country: 'JP', ageYears: 40 });
    expect((largest?.afterMm ?? 0) - (largest?.beforeMm ?? 0)).toBeCloseTo(shiftMm, 2);
    // The SD of the tiny artifact is 5 % of its median, which is about 1750 mm.
    expect(largest?.sd).toBeCloseTo(shiftMm / (0.05 * 1750), 1);
    expect(comparison.jumps.map(({ rule }) => rule).sort()).toEqual(['median', 'step', 'tail']);
    expect(comparison.jumps.find(({ rule }) => rule === 'median')).toMatchObject({ count: 1 });
    expect(comparison.byCountry[0]).toMatchObject({ country: 'JP' });
    expect(compareMarkdown(comparison)).toMatch(/\| median \| .* \| JP, 40 years: P50 /);
  });

  it('calls an even change of 1 % no jump', () => {
    const comparison = compare({ scale: 1.01 });
    expect(comparison.jumps).toEqual([]);
    // The SD is 5 % of the median, so 1 % of the median is a fifth of the SD.
    expect(comparison.overall.p50).toMatchObject({ meanSd: expect.closeTo(0.2, 2) });
    expect(comparison.cellsMoved).toBe(comparison.cells);
  });

  it('counts a cell as moved from 0.01 SD, and still reports smaller movements', () => {
    // The SD is about 87 mm.
    const small = compareMoved('JP', 40, 0.5);
    expect(small).toMatchObject({ cellsMoved: 0, jumps: [] });
    expect(compareMarkdown(small)).not.toContain('No number differs.');
    expect(compareMoved('JP', 40, 1.5).cellsMoved).toBe(1);
  });

  it('leads with the countries and dimensions whose data changed', () => {
    const root = writeTinyArtifact('after', { agesYears: AGES_YEARS, scale: 1.01 });
    const survey = {
      ...{ name: 'a new study', country: 'JP', year: 2024, people: [100, 0] },
      ...{ role: 'country', measurements: [measurementIndex('Stature') ?? 0] },
    };
    changeManifest(join(root, 'after'), (manifest) => {
      const { population } = manifest as unknown as { population: { surveys: object[] } };
      const surveys = [...population.surveys, survey];
      return { ...manifest, population: { ...population, surveys } };
    });
    const comparison = compareArtifacts(before, openArtifact(root));
    expect(comparison.surveys).toEqual([
      { how: 'added', name: 'a new study', country: 'JP', year: 2024, measurements: ['Stature'] },
    ]);
    const text = compareMarkdown(comparison);
    const [lead = ''] = text.split('## Jumps');
    expect(lead).toMatch(/\| a new study \| JP +\| 2024 \| added \| +1 \| Stature/);
    expect(lead).toMatch(/## Countries whose data changed[^#]*\| JP +\|/);
    expect(lead).toMatch(/## Dimensions whose data changed[^#]*\| \w+ Male/);
    expect(lead).not.toContain('| NL');
  });

  it('names models that appeared or vanished, correlations and allowances that moved', () => {
    const [appeared, vanished] = [WITHOUT_MODEL, 'Span'].map((name) =>
      dimensionRow(measurementIndex(name) ?? 0, 0),
    ) as [number, number];
    const comparison = compare({
      rho: 0.7,
      heaviestShiftMm: 56,
      spoilBlocks: (block) => {
        block[appeared] = 0;
        block[vanished] = NO_BLOCK;
      },
    });
    const details = comparison.jumps.map(({ rule, what, detail }) => `${rule} ${what}: ${detail}`);
    expect(details).toContain(`model ${WITHOUT_MODEL} Male: a model appeared, 0 to 120 years`);
    expect(details).toContain('model Span Male: the model vanished');
    expect(details).toContainEqual(
      expect.stringMatching(/^correlation Male, 18 years: .*0\.50 → 0\.70$/),
    );
    expect(details).toContainEqual(
      expect.stringMatching(/^allowance .* shift: .* 50\.0 → 56\.0 mm$/),
    );
    expect(comparison.correlations.meanAbs).toBeCloseTo(0.2, 4);
  });
});

describe('npm run pipeline -- --no-build --compare', () => {
  function run(root: string, ...words: string[]) {
    const program = [...programWords('pipeline/main'), '--artifacts', root, '--no-build'];
    const done = spawnSync(process.execPath, [...program, ...words], { encoding: 'utf8' });
    return { code: done.status, stdout: done.stdout, stderr: done.stderr };
  }

  it('reports in words, in a file and as JSON, and fails on jumps only when asked', () => {
    const root = writeTinyArtifact('new');
    writeTinyArtifact('old', { root, scale: 0.95 });
    const file = join(newFolder('compare'), 'moved.md');
    const words = run(root, '--compare', 'old', '--report', file);
    expect(words).toMatchObject({ code: 0, stderr: '' });
    expect(words.stdout).toContain('# old → new');
    expect(words.stdout.trim()).toBe(readFileSync(file, 'utf8').trim());
    const json = run(root, '--compare', 'old', '--json', '--fail-on-jump');
    expect(json.code).toBe(3);
    expect(JSON.parse(json.stdout).comparison.jumps.length).toBeGreaterThan(0);
    const elsewhere = join(writeTinyArtifact('other'), 'other');
    expect(run(root, '--compare', elsewhere, '--fail-on-jump').code).toBe(0);
  });

  itInWholeRun('refuses what it cannot compare with, and says why', () => {
    const root = writeTinyArtifact('new');
    writeTinyArtifact('ages', { root, agesYears: [0, 2, 18, 61, 120] });
    const none = run(root, '--compare', 'nothing');
    expect(none.code).toBe(1);
    expect(none.stderr).toMatch(/^--compare nothing: neither .* Versions: ages, new\./);
    expect(run(root, '--compare', 'ages').stderr).toMatch(/their agesYears differ/);
    expect(run(root)).toMatchObject({ code: 2, stdout: '' });
  });
});
