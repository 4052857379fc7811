import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { programWords } from '../support/build.js';
import { newSqliteUrl } from '../support/folders.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';

/** The number of source files that a reader of a paid request may have to follow. */
const MOST = 16;
const INCLUDED = ['request/meter', 'operations/predict', 'lookup/cell'];

it('a paid prediction passes through few source files', async () => {
  const env = {
    ...process.env,
    ...{ PORT: '0', LOG_LEVEL: 'error', ARTIFACTS_DIR: writeTinyArtifact() },
    DATABASE_URL: newSqliteUrl(),
  };
  const words = [...programWords('test/architecture/hot-path-child'), 'predict', String(MOST)];
  const { stdout } = await promisify(execFile)(process.execPath, words, { env });
  const files: string[] = JSON.parse(stdout);
  // The list contains both ends of the path, the charging, and the writer thread.
  const ends = ['api/operation-routes', 'request/charging', 'billing/embedded/writer-thread'];
  expect(files).toEqual(expect.arrayContaining([...ends, ...INCLUDED]));
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(MOST);
});
