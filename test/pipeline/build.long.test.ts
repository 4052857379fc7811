import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { verifyCoherence } from '../../pipeline/verify.js';
import { currentVersion, openArtifact } from '../../src/lookup/open-artifact.js';
import { realArtifacts } from '../support/servers.js';
import { buildAll, checksums } from './build-process.js';

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
