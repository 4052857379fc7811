import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type AddedScores,
  addedMarkdown,
  scoreAdded,
} from '../../../pipeline/evaluate/added-study.js';
import { programWords, ROOT } from '../../support/build.js';

const RAW = join(ROOT, 'data/raw');

describe('scores with and without a source', () => {
  let scores: AddedScores;

  beforeAll(async () => {
    scores = await scoreAdded(RAW, ['asran2015']);
  }, 300_000);

  it('are compared on the rows of the other studies only', () => {
    const { common, added, gone } = scores;
    expect(gone).toBe(0);
    expect(common.length).toBeGreaterThan(1500);
    const ids = new Set(common.map(({ after }) => after.study.id));
    expect(ids.has('asran-2015-women-part')).toBe(false);
    expect(common.some(({ beforeSd, afterSd }) => beforeSd !== afterSd)).toBe(true);
    expect(new Set(added.map(({ study }) => study.id))).toEqual(new Set(['asran-2015-women-part']));
  });

  it('are printed for the common rows and for the new study alone', () => {
    const text = addedMarkdown(scores);
    const exact = scores.common.filter(({ after }) => after.row.match === 'exact').length;
    expect(text).toMatch(new RegExp(`\\| exact \\| ${exact} \\| 0\\.\\d{4} \\| 0\\.\\d{4} \\|`));
    expect(text).toContain('## asran2015 alone');
    expect(text).toContain(`all (${scores.added.length} rows)`);
  });
});

describe('npm run evaluate -- --added', () => {
  it('refuses a source without national studies and names those that have some', () => {
    const words = [...programWords('pipeline/evaluate/main'), '--added', 'nhanes'];
    const done = spawnSync(process.execPath, words, { encoding: 'utf8' });
    expect(done.status).toBe(1);
    expect(done.stderr).toContain('no national studies in nhanes; the sources are asran2015');
    expect(done.stdout).toBe('');
  });
});
