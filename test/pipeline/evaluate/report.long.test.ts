import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Evaluation, evaluate } from '../../../pipeline/evaluate/evaluation.js';
import { accuracyRecord, fullReport, reportText } from '../../../pipeline/evaluate/report.js';
import { SUMS } from '../../../pipeline/plans/joint-plan.js';
import { openArtifact } from '../../../src/lookup/open-artifact.js';
import { realArtifacts } from '../../support/servers.js';

const ROOT = join(import.meta.dirname, '../../..');
const STALE = 'docs/accuracy-summary.json is out of date: npm run evaluate';
const kept = readFileSync(join(ROOT, 'docs/accuracy-summary.json'), 'utf8');

let evaluation: Evaluation;

beforeAll(async () => {
  // A million people take a minute; `built-numbers.test.ts` draws thousands.
  const views = openArtifact(await realArtifacts());
  evaluation = await evaluate(join(ROOT, 'data/raw'), views, () => undefined, JSON.parse(kept));
}, 800_000);

describe('docs/accuracy-summary.json', () => {
  it('is up to date with the committed tables and code', () => {
    expect(JSON.parse(kept).inputs, STALE).toEqual(evaluation.inputs);
    expect(reportText(accuracyRecord(evaluation)), STALE).toBe(kept);
  });

  it('has the figures of the full report, which a release carries', () => {
    const full = JSON.parse(fullReport(evaluation));
    const { figures, tables, sampled } = JSON.parse(kept);
    expect(full).toMatchObject({ evaluated: true, summary: figures, sampled });
    expect(full.nhanes.rows).toHaveLength(evaluation.nhanes.length);
    expect(full.byFamily.exact.calibrated.meanAbs).toBe(tables.predictors[3].exact);
    expect(full.sums).toHaveLength(SUMS.length);
  });

  it('scores all predictors on the same rows', () => {
    const { exact, all } = evaluation.byFamily;
    expect(new Set(Object.values(exact).map(({ rows }) => rows)).size).toBe(1);
    // There are 986 rows, because people in two samples count once.
    expect(exact.asIs.rows).toBeGreaterThan(950);
    expect(all.asIs.rows).toBeGreaterThan(exact.asIs.rows);
  });

  it('says what is in-sample', () => {
    const stature = evaluation.nhanes.filter(({ measurement }) => measurement === 'Stature');
    expect(stature.every(({ status }) => status === 'fitted')).toBe(true);
    const hip = evaluation.nhanes.filter(
      (error) => error.measurement === 'HipCircumferenceMax' && error.percentile === 50,
    );
    const of = (wanted: string) => hip.filter(({ status }) => status === wanted);
    expect(of('fitted').length).toBe(of('left out').length);
    const error = (status: string) =>
      of(status).reduce((sum, { errorSd }) => sum + Math.abs(errorSd), 0) / hip.length;
    // A model that has not seen a dimension cannot follow it as closely.
    expect(error('fitted')).toBeLessThan(error('left out') / 2);
    const foot = evaluation.snyder.filter(({ measurement }) => measurement === 'FootLength');
    expect(foot.length).toBeGreaterThan(20);
    expect(foot.every(({ inSample, leftOutSd }) => inSample && leftOutSd !== undefined)).toBe(true);
  });

  it('repeats the projection, which beats no change in two thirds of the countries', () => {
    const { backTests, nhanes } = evaluation.years;
    expect(backTests).toHaveLength(3);
    for (const { better, countries, error, errorOfNoChange, phi } of backTests) {
      expect(countries).toBeGreaterThanOrEqual(175);
      expect(better / countries).toBeGreaterThan(2 / 3);
      expect(error).toBeLessThan(errorOfNoChange / 2);
      expect(phi).toBeGreaterThan(0.5);
    }
    // The United States of 2003 are nearer to the model of 2003 than to the model of the reference year.
    const bmi = nhanes.find(({ quantity }) => quantity.startsWith('mean of ln BMI'));
    expect(bmi?.ownYearAbs).toBeLessThan(0.7 * (bmi?.referenceYearAbs ?? 0));
    const tail = nhanes.find(({ quantity }) => quantity.startsWith('P95'));
    expect(tail?.ownYearAbs).toBeLessThan(0.8 * (tail?.referenceYearAbs ?? 0));
  });

  it('judges at least 500 pairs', () => {
    expect(evaluation.coverage.pairs).toBeGreaterThanOrEqual(500);
  });
});
