import normalCdf from '@stdlib/stats-base-dists-normal-cdf';
import { describe, expect, it } from 'vitest';
import { servedCoverage } from '../../pipeline/evaluate/served.js';
import { scoreWeightForHeight } from '../../pipeline/evaluate/weight-for-height.js';
import { weightShares, weightZ } from '../../pipeline/fit/covariates/small-child-bmi.js';
import {
  type ChildSurvey,
  childSurveys,
  fitSdOfZ,
  fitStunting,
  STUNTED_Z,
  stuntedScore,
} from '../../pipeline/fit/covariates/small-child-stature.js';
import { seeded } from '../support/random.js';

const SD = 1.2;
/** Score of boys minus that of girls. */
const GAP = -0.2;

/** Surveys of countries whose mean z is the same at all ages. */
function surveysOf(meanZ: Readonly<Record<string, number>>): ChildSurvey[] {
  return Object.entries(meanZ).flatMap(([country, z]) => {
    const bands = (by: number) => [0, 1, 2, 3, 4, 5].map(() => normalCdf(-(z + 2) / SD - by, 0, 1));
    const shares = { Both: bands(0), Male: bands(GAP / 2), Female: bands(-GAP / 2) };
    return [2012, 2016, 2020].map((year) => ({ country, year, id: `${country}${year}`, shares }));
  });
}

describe('the level of small children', () => {
  const levels = { NG: -1.4, GH: -0.8, KE: -1.1, IN: -1.5, BD: -1.3, PE: -0.9, TH: -0.5 };
  const fit = fitStunting(surveysOf(levels));

  it('follows the surveys of a country, and their gap of the genders', () => {
    for (const [country, z] of Object.entries(levels)) {
      const { bands, gaps, se } = fit.at(country, 2020);
      for (const band of bands) expect(STUNTED_Z + SD * band, country).toBeCloseTo(z, 0.8);
      for (const gap of gaps) expect(gap, country).toBeCloseTo(GAP, 3);
      expect(se).toBeGreaterThan(0.05);
    }
  });

  it('is that of the region, less certain, in a country without a survey', () => {
    const [own, near, far] = ['BD', 'PK', 'UY'].map((country) => fit.at(country, 2020));
    expect(STUNTED_Z + SD * (near?.bands[5] ?? 0)).toBeCloseTo(-1.3, 0);
    expect(near?.se).toBeGreaterThan(own?.se ?? 1);
    expect(far?.se).toBeGreaterThan(near?.se ?? 1);
  });

  it('has a score that tells the share, within limits', () => {
    for (const share of [0.01, 0.3, 0.9]) {
      expect(normalCdf(-stuntedScore(share), 0, 1)).toBeCloseTo(share, 8);
    }
    expect(stuntedScore(0)).toBeCloseTo(2.65, 2);
  });

  it('has the SD of z that agrees with the table of heights', () => {
    const scores = [0.4, 0.9, 1.3].map((q) => ({ q, se: 0.2, z: STUNTED_Z + SD * q }));
    const vague = { q: 2, se: 1e6, z: 3 };
    expect(fitSdOfZ([...scores, vague])).toBeCloseTo(SD, 8);
  });
});

describe('weight for height', () => {
  it('is read from the shares of wasted and overweight children, and they from it', () => {
    // P2.275 and P97.725 lie 2 SD below and above the mean.
    const healthy = weightZ({ wasting: 0.02275, overweight: 0.02275 });
    expect(healthy.mean).toBeCloseTo(0, 3);
    expect(healthy.sd).toBeCloseTo(1, 3);
    const shares = weightShares({ mean: -0.7, sd: 1.3 });
    expect(weightZ(shares).mean).toBeCloseTo(-0.7, 8);
    expect(weightZ(shares).sd).toBeCloseTo(1.3, 8);
  });

  it('has errors in surveys that are left out, which its interval covers', () => {
    const random = seeded(3).unit;
    const countries = 'NG GH KE TZ IN BD PE BO EG JO TH VN'.split(' ');
    const surveys = countries.flatMap((country, i) =>
      [2005, 2010, 2015].map((year) => ({
        ...{ country, year, id: String(year) },
        ...weightShares({ mean: (i % 4) / 3 - 0.6 + 0.2 * random(), sd: 1.2 }),
      })),
    );
    const scores = scoreWeightForHeight({
      smallBmi: { surveys, surveySd: 0, shift: () => 0, lnSe: () => 0 },
    });
    expect(servedCoverage(scores?.served ?? [])[0]?.held).toBeGreaterThan(0.7);
    expect(scores?.wastingPoints).toBeLessThan(3);
    expect(Math.abs(scores?.overweightBiasPoints ?? 9)).toBeLessThan(1);
  });
});

it('takes surveys with at least four bands of both genders', () => {
  const rows = [0, 6, 12, 24].map((months) => ({
    ...{ country: 'NG', year: 2018, survey: '1', indicator: 'stunting', gender: 'Both' },
    ...{ age_min_months: months, share: 0.3 },
  }));
  const overweight = rows.map((row) => ({ ...row, indicator: 'overweight', survey: '2' }));
  const few = rows.slice(1).map((row) => ({ ...row, survey: '3' }));
  const boys = [{ ...rows[2], gender: 'Male', age_min_months: 12, share: 0.4 }];
  const none = [undefined, undefined, undefined];
  const shares = {
    Both: [0.3, 0.3, 0.3, 0.3, undefined, undefined],
    Male: [undefined, undefined, 0.4, ...none],
    Female: [...none, ...none],
  };
  expect(childSurveys([...rows, ...overweight, ...few, ...boys])).toEqual([
    { country: 'NG', year: 2018, id: '1', shares },
  ]);
});
