import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { programWords } from '../support/build.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';

/** The most source files that a reader of a paid request has to follow. */
const FILES_MAX = 20;

it('a paid request passes through few source files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitruvia-hot-path-'));
  const env = {
    ...process.env,
    ...{ PORT: '0', LOG_LEVEL: 'error', ARTIFACTS_DIR: writeTinyArtifact() },
    DATABASE_URL: `file:${join(folder, 'test.sqlite')}`,
  };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...programWords('test/architecture/hot-path-child'), String(FILES_MAX)],
    {
      env,
    },
  );
  const files: string[] = JSON.parse(stdout);
  // Both ends of the path are there, and the writer thread in between.
  expect(files).toEqual(
    expect.arrayContaining([
      'api/operation-routes',
      'operations/predict',
      'lookup/cell',
      'billing/embedded/writer-thread',
    ]),
  );
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(FILES_MAX);
});
