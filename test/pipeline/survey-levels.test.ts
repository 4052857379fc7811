import { expect, it } from 'vitest';
import { fitLevels, type Surveyed } from '../../pipeline/fit/covariates/survey-levels.js';
import { seeded } from '../support/random.js';

it('finds how much of a level is of the country and how much of the survey', () => {
  const { normal } = seeded(7);
  const countries = 'NG GH SN ML NE BJ TG KE TZ UG RW ET MW ZM IN BD NP PK PE BO CO HN EG JO'.split(
    ' ',
  );
  const [countrySd, surveySd] = [0.5, 0.2];
  const surveys: Surveyed[] = countries.flatMap((country) => {
    const own = countrySd * normal();
    return [2002, 2006, 2010, 2014, 2018].map((year) => ({
      ...{ country, year, level: -1 + own + surveySd * normal() },
    }));
  });
  const { variances, at } = fitLevels(surveys);
  const { superregion, region, country, countryThen, survey } = variances;
  expect(survey / surveySd ** 2).toBeGreaterThan(0.6);
  expect(survey / surveySd ** 2).toBeLessThan(1.5);
  const between = superregion + region + country + countryThen;
  expect(between / countrySd ** 2).toBeGreaterThan(0.5);
  expect(between / countrySd ** 2).toBeLessThan(2);
  // A country without a survey is as uncertain as countries differ; one with five is as sure as they are.
  expect(at('UY', 2018).variance).toBeGreaterThan(0.15);
  expect(at('NG', 2018).variance).toBeLessThan(0.02);
});
