import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { REFERENCE_YEAR } from '../../pipeline/plans/axes.js';
import {
  CURRENT_POINTER,
  DATA_FILES,
  FILES,
  OPTIONAL_DATA_FILES,
} from '../../src/lookup/format.js';
import { currentVersion, listVersions, openArtifact } from '../../src/lookup/open-artifact.js';
import { ROOT } from '../support/build.js';
import { newFolder } from '../support/folders.js';
import { realArtifacts } from '../support/servers.js';
import { buildAll, buildSome, checksums, LEFT_OUT, ofCountry, runBuild } from './build-process.js';

const MIB = 1024 * 1024;
/** Time limit for a build that hangs. On a quiet machine, a build takes half a minute. */
const BUILDING_MS = 900_000;
const root = newFolder('builds');

async function build(name: string, options: readonly string[] = []) {
  const dir = join(root, name);
  const outcome = await buildAll(dir, options);
  if (outcome.code !== 0) throw new Error(outcome.stderr);
  return { dir, version: currentVersion(dir) ?? '', outcome };
}

describe('a build of all countries', () => {
  it(
    'gives the same bytes again, in at most 2 GiB of memory',
    async () => {
      const folder = await realArtifacts();
      const { dir, version, outcome } = await build('again');
      expect(version).toBe(currentVersion(folder));
      expect(checksums(dir, version)).toEqual(checksums(folder, version));
      // The peak is 0 on systems that do not show it.
      expect(outcome.peakBytes).toBeLessThan(2048 * MIB);
    },
    BUILDING_MS,
  );
});

describe('a build that is killed', () => {
  it(
    'before it is verified leaves no version',
    async () => {
      const dir = join(root, 'not-verified');
      const words = [join(ROOT, 'data/raw'), dir];
      const killed = await runBuild('test/pipeline/killed-build-child', words);
      expect(killed.signal, killed.stderr).toBe('SIGKILL');
      const [unfinished = '', ...others] = readdirSync(dir);
      expect(unfinished).toMatch(/^\.building-[0-9a-f-]{36}$/);
      expect(others).toEqual([]);
      expect(listVersions(dir)).toEqual([]);
      expect(readdirSync(join(dir, unfinished)).sort()).toEqual(
        [...DATA_FILES, ...OPTIONAL_DATA_FILES, FILES.manifest].sort(),
      );
    },
    BUILDING_MS,
  );
});

describe('a build without six sources', () => {
  const dir = join(root, 'without');

  it('names the losses and is current', async () => {
    const outcome = await buildSome(dir, ['--json', '--without', ...LEFT_OUT]);
    expect(outcome.code, outcome.stderr).toBe(0);
    const { version, losses } = JSON.parse(outcome.stdout);
    expect(readdirSync(dir).sort()).toEqual([version, CURRENT_POINTER].sort());
    expect(currentVersion(dir)).toBe(version);
    const [grid, whole] = [openArtifact(dir), openArtifact(await realArtifacts())];
    const { manifest } = grid;
    expect(losses).toEqual(manifest.losses);
    for (const name of LEFT_OUT) {
      expect(losses).toContainEqual(expect.stringContaining(`Without ${name}`));
      expect(manifest.sources.map((source) => source.name)).not.toContain(name);
    }
    expect(manifest.population.years).toEqual([REFERENCE_YEAR]);
    const [less, all] = [grid, whole].map(({ quantiles, manifest: one }) =>
      ofCountry(quantiles, one, 'JP'),
    ) as [Buffer, Buffer];
    expect(less.equals(all)).toBe(false);
    expect(grid.shape).toBeUndefined();
  });
});
