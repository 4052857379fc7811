import { describe, expect, it } from 'vitest';
import { fitTails, type TailGroup } from '../../../pipeline/fit/covariates/tails.js';
import { fitUsCovariates } from '../../../pipeline/fit/covariates/us-covariates.js';
import { lnQuantile, type Marginal } from '../../../pipeline/numerics/marginal.js';
import type { Moment } from '../../../pipeline/raw-tables/surveys.js';
import { GENDERS } from '../../../src/core/genders.js';
import { zOfPercentile } from '../../../src/lookup/cell.js';
import { fit, populationOf } from './fit.js';

const { model, trend } = fit;

describe('tails of a survey', () => {
  it('have the slope from P95 to P99 over that of the tangent', () => {
    const people: Marginal = { mean: 6, sd: 0.15, skew: 0.4, tails: { low: 1.2, high: 0.7 } };
    const mm = (percentile: number) => Math.exp(lnQuantile(people, zOfPercentile(percentile)));
    const moment = { n: 500, p1: mm(1), p5: mm(5), p50: mm(50), p95: mm(95), p99: mm(99) };
    const groups: TailGroup[] = [8, 9, 10, 30, 40].map((age) => ({
      age,
      moment: moment as Moment,
    }));
    const tails = fitTails(groups);
    for (const age of [8.5, 35]) {
      expect(tails(age).low).toBeCloseTo(1.2, 6);
      expect(tails(age).high).toBeCloseTo(0.7, 6);
    }
  });

  it('are shorter than tangents for the waists of school children', () => {
    for (const gender of GENDERS) {
      const cohort = populationOf(gender, 'US').at(9);
      expect(cohort.marginal('WaistCircumferenceAbdominal').tails?.high).toBeLessThan(0.9);
    }
  });
});

describe('the trend of the United States', () => {
  it('predicts the BMI of the last cycle better than no change; stature has none', () => {
    const { lnStature, lnBmi } = trend.tests;
    expect(lnStature.share).toBe(0);
    expect(lnBmi.share).toBeGreaterThan(0);
    expect(lnBmi.error).toBeLessThan(0.9 * lnBmi.noChange);
    expect(trend.change('Male', 40).lnStature).toBeCloseTo(0, 12);
  });

  it('moves adults from the middle of 2011–2023 to the reference year', () => {
    const pooled = fitUsCovariates(fit.tables, model.heightLoss);
    for (const gender of GENDERS) {
      const [then, now] = [pooled(gender, 40), model.usCovariates(gender, 40)];
      expect(now.lnBmi - then.lnBmi).toBeGreaterThan(0.003);
      expect(now.lnBmi - then.lnBmi).toBeLessThan(0.02);
      expect(now.lnBmi - then.lnBmi).toBeCloseTo(trend.change(gender, 40).lnBmi, 12);
      // No trend of newborns is known.
      expect(model.usCovariates(gender, 0).lnBmi).toBe(pooled(gender, 0).lnBmi);
    }
  });
});

describe('the waist of children', () => {
  it('is at the navel, which differs from the iliac crest by 2 % at most', () => {
    for (const gender of GENDERS) {
      const crest = model.nhanes[gender].get('WaistCircumferenceAbdominal')?.lnOfSurvey;
      for (const age of [2, 5, 10, 15, 17, 30]) {
        expect(Math.abs(crest?.(age) ?? 1)).toBeLessThan(0.02);
      }
      // Adolescents are wider at the crest. In adults, the two widths agree.
      expect(crest?.(16)).toBeGreaterThan(0.01);
      expect(Math.abs(crest?.(30) ?? 1)).toBeLessThan(0.005);
    }
  });
});
