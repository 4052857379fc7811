import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runPipeline } from '../../pipeline/run.js';
import { CURRENT_POINTER, FILES } from '../../src/lookup/format.js';
import { currentVersion, listVersions } from '../../src/lookup/open-artifact.js';
import { stampHolds } from '../../src/lookup/version.js';
import { programWords, ROOT } from '../support/build.js';
import { newFolder } from '../support/folders.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';
import { isWholeRun } from '../support/whole-run.js';
import { type BuildOutcome, buildSome } from './build-process.js';

// `npm run test:all` also has a build of a few countries. `build.long.test.ts` has whole builds, and one without some
// sources.

const RAW = join(ROOT, 'data/raw');
/** Current version of a folder before a build: a manifest without data. */
const SERVED = '2021.aaaaaaaaaaaa';

const root = newFolder('build');

/** A folder whose current version is a small substitute. */
function servedFolder(name: string): string {
  const dir = join(root, name);
  mkdirSync(join(dir, SERVED), { recursive: true });
  const tiny = join(writeTinyArtifact('tiny'), 'tiny', FILES.manifest);
  copyFileSync(tiny, join(dir, SERVED, FILES.manifest));
  writeFileSync(join(dir, CURRENT_POINTER), `${SERVED}\n`);
  return dir;
}

describe.runIf(isWholeRun)('a staged build, a day after a build was killed', () => {
  const dir = servedFolder('staged');
  let staged: BuildOutcome;
  let version: string;

  beforeAll(async () => {
    // An unfinished folder, such as `build.long.test.ts` finds after a kill.
    const unfinished = join(dir, '.building-0e8dd1a2-38a1-4b3c-9c5c-2f0f2c9f7e11');
    mkdirSync(unfinished);
    writeFileSync(join(unfinished, FILES.grid), 'half');
    utimesSync(unfinished, 0, 0);
    staged = await buildSome(dir, ['--stage']);
    if (staged.code !== 0) throw new Error(staged.stderr);
    [version = ''] = listVersions(dir).filter((one) => one !== SERVED);
  });

  it('leaves nothing unfinished, and does not change the pointer', () => {
    expect(currentVersion(dir)).toBe(SERVED);
    expect(readdirSync(dir).sort()).toEqual([SERVED, version, CURRENT_POINTER].sort());
    expect(stampHolds(join(dir, version))).toBe(true);
  });

  it('prints the command that makes the staged version current', () => {
    expect(currentVersion(dir)).toBe(SERVED);
    expect(staged.stdout).toContain(
      `artifacts ${version} are built and verified; ${SERVED} stays current\n` +
        `To make it current: ARTIFACTS_DIR=${dir} npx vitruvia artifacts use ${version}\n`,
    );
    const words = /npx vitruvia (.*)\n/.exec(staged.stdout)?.[1]?.split(' ') ?? [];
    const env = { ...process.env, ARTIFACTS_DIR: dir };
    const used = spawnSync(process.execPath, [...programWords('src/cli'), ...words], { env });
    expect(used.status, String(used.stderr)).toBe(0);
    expect(readFileSync(join(dir, CURRENT_POINTER), 'utf8')).toBe(`${version}\n`);
  });
});

describe('a build is refused', () => {
  it.each([
    [['ansur2'], /ansur2 is required by the model; these can be left out: .*ncdrisc-2020/],
    [['nonsense'], /nonsense is not a source; these can be left out: /],
    [['ncdrisc-2016', 'ncdrisc-2020'], /keep one of ncdrisc-2016 and ncdrisc-2020/],
  ])('without %s', async (without, message) => {
    const options = { rawDir: RAW, artifactsDir: root, without, progress: () => undefined };
    await expect(runPipeline(options)).rejects.toThrow(message);
  });

  it('with --stage together with --no-build', async () => {
    const refused = await buildSome(root, ['--stage', '--no-build', '--compare', 'any']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('--stage builds a version; it cannot be used with --no-build');
  });
});
