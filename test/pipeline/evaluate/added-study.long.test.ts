import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type AddedScores,
  addedMarkdown,
  scoreAdded,
} from '../../../pipeline/evaluate/added-study.js';
import { ROOT } from '../../support/build.js';

/** Time limit for a test that hangs. Two fits and two evaluations take a minute on a quiet machine. */
const BOTH_MS = 900_000;
const RAW = join(ROOT, 'data/raw');

describe('scores with and without a real source', () => {
  let scores: AddedScores;

  beforeAll(async () => {
    scores = await scoreAdded(RAW, ['asran2015']);
  }, BOTH_MS);

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
