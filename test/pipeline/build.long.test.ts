import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { verifyCoherence } from '../../pipeline/verify.js';
import { FILES } from '../../src/lookup/format.js';
import { currentVersion, listVersions, openArtifact } from '../../src/lookup/open-artifact.js';
import { ROOT } from '../support/build.js';
import { realArtifacts } from '../support/servers.js';
import { buildAll, checksums, runBuild } from './build-process.js';
import { useChangedProgram } from './changed-program.js';

const MIB = 1024 * 1024;
/** A guard against hanging: a build takes half a minute on a quiet machine. */
const BUILDING_MS = 900_000;
const root = mkdtempSync(join(tmpdir(), 'vitruvia-builds-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

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
      // 0 on systems that do not show it.
      expect(outcome.peakBytes).toBeLessThan(2048 * MIB);
    },
    BUILDING_MS,
  );

  it(
    'without a source has another version with coherent numbers',
    async () => {
      const { dir, version } = await build('without', ['--without', 'ncdrisc-2020']);
      expect(version).not.toBe(currentVersion(await realArtifacts()));
      expect(() => verifyCoherence(openArtifact(dir))).not.toThrow();
    },
    BUILDING_MS,
  );
});

describe('a build that is killed while it writes', () => {
  it(
    'leaves half a file in an unfinished folder, and no version',
    async () => {
      const dir = join(root, 'killed');
      const killed = await runBuild('test/pipeline/killed-build-child', [
        join(ROOT, 'data/raw'),
        dir,
        'half',
      ]);
      expect(killed.signal, killed.stderr).toBe('SIGKILL');
      const [unfinished = '', ...others] = readdirSync(dir);
      expect(others).toEqual([]);
      expect(unfinished).toMatch(/^\.building-/);
      expect(readdirSync(join(dir, unfinished))).toEqual([FILES.grid]);
      const whole = join(await realArtifacts(), currentVersion(await realArtifacts()) ?? '');
      const { size } = statSync(join(dir, unfinished, FILES.grid));
      expect(size).toBe(Math.floor(statSync(join(whole, FILES.grid)).size / 2));
      expect(listVersions(dir)).toEqual([]);
    },
    BUILDING_MS,
  );
});

describe('a build that reads a source without listing it', () => {
  const buildWith = useChangedProgram();

  it(
    'is refused, and the message names the list',
    () => {
      const { code, text } = buildWith('pipeline/fit/fit-model.ts', "    'wpp2022',\n", '');
      expect(code).toBe(1);
      expect(text).toContain(
        'The build read wpp2022. Add it to SOURCES in pipeline/fit/fit-model.ts.',
      );
    },
    BUILDING_MS,
  );
});
