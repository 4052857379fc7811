import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { programWords } from '../support/build.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';

/**
 * Paid requests. `most` is the number of source files that a reader of the request may have to follow; `includes` names
 * some of them.
 */
const PATHS = [
  {
    operation: 'predict',
    most: 16,
    includes: ['request/meter', 'operations/predict', 'lookup/cell'],
  },
  {
    operation: 'population_share',
    most: 32,
    includes: ['request/computed-path', 'request/task-thread', 'operations/population-share'],
  },
];

it.each(PATHS)('a paid $operation passes through few source files', async (path) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitruvia-hot-path-'));
  const env = {
    ...process.env,
    ...{ PORT: '0', LOG_LEVEL: 'error', ARTIFACTS_DIR: writeTinyArtifact() },
    DATABASE_URL: `file:${join(folder, 'test.sqlite')}`,
  };
  const { operation, most, includes } = path;
  const words = [...programWords('test/architecture/hot-path-child'), operation, String(most)];
  const { stdout } = await promisify(execFile)(process.execPath, words, { env });
  const files: string[] = JSON.parse(stdout);
  // The list contains both ends of the path, the charging, and the writer thread.
  const ends = ['api/operation-routes', 'request/charging', 'billing/embedded/writer-thread'];
  expect(files).toEqual(expect.arrayContaining([...ends, ...includes]));
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(most);
});
