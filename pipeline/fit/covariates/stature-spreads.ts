import { groups } from 'd3-array';
import { COUNTRY_CODES } from '../../../src/core/countries.js';
import type { Gender } from '../../../src/core/genders.js';
import type { ByAge } from '../../model/covariates.js';
import { mean } from '../../numerics/numbers.js';
import { REFERENCE_YEAR } from '../../plans/axes.js';
import type { Rows } from '../../raw-tables/source-tables.js';
import type { Study } from '../../raw-tables/study.js';
import { measuredSamples } from './cohort-stature.js';
import { fitLevels } from './survey-levels.js';

/** A sample of adults with the coefficient of variation (CV) of its stature. */
interface Sample {
  readonly country: string;
  readonly family: string;
  readonly gender: Gender;
  readonly ageYears: number;
  readonly people: number;
  readonly cv: number;
}

/** Countries whose SDs contain errors of measurement (SOURCE.md of `stature-sd`). */
const MISMEASURED = ['CD', 'CG'];
/** Age of a sample that gives none. */
const USUAL_YEARS = 35;

/** The women of `stature-sd`, and the samples of civilians among the national studies. Armies select by stature. */
function samplesOf(rows: Rows, studies: readonly Study[]): Sample[] {
  const women = measuredSamples(rows).map(({ country, gender, agesYears, meanMm, sdMm, n }) => ({
    ...{ country, family: country, gender, people: n, cv: sdMm / meanMm },
    ageYears: mean(agesYears) + 0.5,
  }));
  const civilians = studies.flatMap((study): Sample[] => {
    const { country, family, gender, people, n, ageMean, statureMm, statureSdMm } = study;
    if (people !== 'general' || statureMm === undefined || statureSdMm === undefined) return [];
    const about = { country, family, gender, people: n, ageYears: ageMean ?? USUAL_YEARS };
    return [{ ...about, cv: statureSdMm / statureMm }];
  });
  return [...women, ...civilians].filter(({ country }) => !MISMEASURED.includes(country));
}

/**
 * CV of adult stature of each country over that of US adults of the same gender and age. ln of the ratio has parts of
 * the world, the super-region, the region and the country (`fitLevels`), so a country without a survey has the spread
 * of its region. The samples of one survey family count as one figure. The US is 1, and is one of the figures.
 *
 * @param usSd SD of ln stature in the US
 */
export function statureSpreads(
  rows: Rows,
  studies: readonly Study[],
  usSd: ByAge,
): ReadonlyMap<string, number> {
  const abroad = samplesOf(rows, studies).filter(({ country }) => country !== 'US');
  const families = groups(abroad, ({ country, family }) => `${country}|${family}`);
  const surveys = families.map(([, samples]) => {
    const people = samples.reduce((sum, sample) => sum + sample.people, 0);
    const level = samples.reduce((sum, { gender, ageYears, people: n, cv }) => {
      return sum + (n / people) * Math.log(cv / usSd(gender, ageYears));
    }, 0);
    return { country: samples[0].country, year: REFERENCE_YEAR, level, variance: 1 / (2 * people) };
  });
  const { at } = fitLevels([...surveys, { country: 'US', year: REFERENCE_YEAR, level: 0 }]);
  return new Map(
    COUNTRY_CODES.map((country) => [
      country,
      country === 'US' ? 1 : Math.exp(at(country, REFERENCE_YEAR).level),
    ]),
  );
}
