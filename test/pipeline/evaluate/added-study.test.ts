import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { addedMarkdown, pairRows } from '../../../pipeline/evaluate/added-study.js';
import type { ScoredRow } from '../../../pipeline/evaluate/folds.js';
import { PREDICTOR_NAMES, type PredictorName } from '../../../pipeline/evaluate/predictors.js';
import type { Study, StudyRow } from '../../../pipeline/raw-tables/studies.js';
import { programWords } from '../../support/build.js';

// Scores of invented rows.

type Row = ScoredRow<PredictorName>;

/** A row of a study. All predictors miss it by this number of SD. */
function scored(id: string, match: StudyRow['match'], errorSd: number): Row {
  const tails = { p5Mm: undefined, p95Mm: undefined, sdMm: undefined };
  const flags = { checkDefinition: false, checkFigure: false };
  const row: StudyRow = { measurement: 'FootLength', match, meanMm: 260, ...tails, ...flags };
  const covariates = { statureMm: 1700, statureSdMm: 60, bmi: 22, lnBmiSd: 0.1, ageMean: 25 };
  const about = { family: id, country: 'DE', n: 100, year: 1970, people: 'military' };
  const study: Study = { id, gender: 'Male', ...about, ...covariates, rows: [row] };
  const error = { ...{ mean: errorSd, p5: undefined, p95: undefined }, expectedSd: undefined };
  const errors = Object.fromEntries(PREDICTOR_NAMES.map((name) => [name, error])) as Row['errors'];
  return { study, row, unitMm: 10, errors };
}

describe('scores with and without a source', () => {
  const before = [scored('a', 'exact', 0.4), scored('b', 'close', -0.2), scored('c', 'exact', 0.1)];
  const after = [
    scored('a', 'exact', 0.1),
    scored('b', 'close', -0.3),
    scored('new', 'exact', 0.7),
  ];
  const paired = pairRows(before, after, ({ id }) => id === 'new');

  it('are compared on the rows of the other studies only', () => {
    const { common, added, gone } = paired;
    expect(common.map(({ after: { study }, ...errors }) => [study.id, errors])).toEqual([
      ['a', { beforeSd: 0.4, afterSd: 0.1 }],
      ['b', { beforeSd: -0.2, afterSd: -0.3 }],
    ]);
    expect(added.map(({ study }) => study.id)).toEqual(['new']);
    expect(gone).toBe(1);
  });

  it('are printed for the common rows and for the new study alone', () => {
    const text = addedMarkdown({ sources: ['new'], ...paired });
    expect(text).toContain('| exact | 1 | 0.4000 | 0.1000 | 1 | 0 |');
    expect(text).toContain('| all | 2 | 0.3000 | 0.2000 | 1 | 1 |');
    expect(text).toContain('## new alone');
    expect(text).toContain('all (1 rows)');
    expect(text).toContain('1 rows of before are not scored any more');
  });
});

describe('npm run evaluate -- --added', () => {
  it('refuses a source without national studies and names those that have some', () => {
    const words = [...programWords('pipeline/evaluate'), '--added', 'nhanes'];
    const done = spawnSync(process.execPath, words, { encoding: 'utf8' });
    expect(done.status).toBe(1);
    expect(done.stderr).toContain('no national studies in nhanes; the sources are asran2015');
    expect(done.stdout).toBe('');
  });
});
