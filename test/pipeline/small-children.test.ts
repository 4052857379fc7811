import { describe, expect, it } from 'vitest';
import {
  type ChildSurvey,
  childSurveys,
  fitSdOfZ,
  fitStunting,
  stuntedShare,
} from '../../pipeline/fit/covariates/small-child-stature.js';

const SD = 1.2;

/** Surveys of countries whose mean z is the same at all ages. */
function surveysOf(meanZ: Readonly<Record<string, number>>): ChildSurvey[] {
  return Object.entries(meanZ).flatMap(([country, z]) =>
    [2012, 2016, 2020].map((year) => ({
      ...{ country, year, id: `${country}${year}` },
      shares: [0, 1, 2, 3, 4, 5].map(() => stuntedShare(z, SD)),
    })),
  );
}

describe('the level of small children', () => {
  const levels = { NG: -1.4, GH: -0.8, KE: -1.1, IN: -1.5, BD: -1.3, PE: -0.9, TH: -0.5 };
  const surveys = surveysOf(levels);
  const fit = fitStunting(surveys, SD);

  it('follows the surveys of a country', () => {
    for (const [country, z] of Object.entries(levels)) {
      const { bands, se } = fit.at(country, 2020);
      for (const band of bands) expect(band, country).toBeCloseTo(z, 0.8);
      expect(se).toBeGreaterThan(0.05);
    }
  });

  it('is that of the region, less certain, in a country without a survey', () => {
    const [own, near, far] = ['BD', 'PK', 'UY'].map((country) => fit.at(country, 2020));
    expect(near?.bands[5]).toBeCloseTo(-1.3, 0);
    expect(near?.se).toBeGreaterThan(own?.se ?? 1);
    expect(far?.se).toBeGreaterThan(near?.se ?? 1);
  });

  it('is read from the share, and the share from the level', () => {
    for (const z of [-2, -1, 0]) expect(fit.meanZ(stuntedShare(z, SD))).toBeCloseTo(z, 8);
  });

  it('has the SD of z that agrees with the table of heights', () => {
    const table = (country: string) => levels[country as keyof typeof levels];
    expect(fitSdOfZ(surveys, table)).toBeCloseTo(SD, 6);
  });
});

it('takes surveys with at least four bands', () => {
  const rows = [0, 6, 12, 24].map((months) => ({
    ...{ country: 'NG', year: 2018, survey: '1', indicator: 'stunting' },
    ...{ age_min_months: months, share: 0.3 },
  }));
  const overweight = rows.map((row) => ({ ...row, indicator: 'overweight', survey: '2' }));
  const few = rows.slice(1).map((row) => ({ ...row, survey: '3' }));
  expect(childSurveys([...rows, ...overweight, ...few])).toEqual([
    { country: 'NG', year: 2018, id: '1', shares: [0.3, 0.3, 0.3, 0.3, undefined, undefined] },
  ]);
});
