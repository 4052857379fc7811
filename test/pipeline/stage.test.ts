import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CURRENT_POINTER, FILES } from '../../src/lookup/format.js';
import { currentVersion, listVersions } from '../../src/lookup/open-artifact.js';
import { programWords } from '../support/build.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';

const BUILDING_MS = 400_000;
const root = mkdtempSync(join(tmpdir(), 'vitruvia-stage-'));

afterAll(() => rmSync(root, { recursive: true, force: true }));

function run(name: 'pipeline/main' | 'src/cli', words: readonly string[]) {
  const env = { ...process.env, ARTIFACTS_DIR: root };
  const program = [...programWords(name), ...words];
  const done = spawnSync(process.execPath, program, { encoding: 'utf8', env });
  return { code: done.status, stdout: done.stdout, stderr: done.stderr };
}

describe('npm run pipeline -- --stage', () => {
  it(
    'builds a version beside the current one and prints the command that makes it current',
    () => {
      const served = '2021.aaaaaaaaaaaa';
      mkdirSync(join(root, served));
      const tiny = writeTinyArtifact('tiny');
      copyFileSync(join(tiny, 'tiny', FILES.manifest), join(root, served, FILES.manifest));
      writeFileSync(join(root, CURRENT_POINTER), `${served}\n`);
      const staged = run('pipeline/main', ['--stage']);
      expect(staged.code, staged.stderr).toBe(0);
      expect(currentVersion(root)).toBe(served);
      const [version = ''] = listVersions(root).filter((name) => name !== served);
      expect(staged.stdout).toBe(
        `artifacts ${version} are built and verified; ${served} stays current\n` +
          `To make it current: npx vitruvia artifacts use ${version}\n`,
      );
      const words = /npx vitruvia (.*)\n/.exec(staged.stdout)?.[1]?.split(' ') ?? [];
      const used = run('src/cli', words);
      expect(used.code, used.stderr).toBe(0);
      expect(readFileSync(join(root, CURRENT_POINTER), 'utf8')).toBe(`${version}\n`);
    },
    BUILDING_MS,
  );

  it('is refused together with --no-build', () => {
    const refused = run('pipeline/main', ['--stage', '--no-build', '--compare', 'any']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('--stage builds a version; it cannot be used with --no-build');
  });
});
