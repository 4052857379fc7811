import { expect, it } from 'vitest';
import { statureSpreads } from '../../pipeline/fit/covariates/stature-spreads.js';
import type { Study } from '../../pipeline/raw-tables/study.js';

const US_CV = 0.04;

/** A sample of a country with a ratio of its coefficient of variation to that of the US. */
const sample = (country: string, ratio: number, people = 'general', family = country): Study => ({
  ...{ id: country, family, country, people, gender: 'Female', n: 3000, year: 2010, rows: [] },
  ...{ ageMean: 30, statureMm: 1600, statureSdMm: 1600 * US_CV * ratio },
  ...{ bmi: undefined, lnBmiSd: undefined },
});
const civilians = [
  ...[sample('KR', 0.75), sample('JP', 0.75), sample('BD', 0.9), sample('NL', 0.95)],
  ...[sample('FR', 0.9), sample('BR', 1), sample('CO', 0.95), sample('ME', 0.9)],
];
const spreads = (studies: readonly Study[]) => statureSpreads([], studies, () => US_CV);

it('the spread of stature of a country is near its survey, and else near that of its region', () => {
  const of = spreads(civilians);
  expect(of.get('US')).toBe(1);
  expect(of.get('KR')).toBeGreaterThan(0.74);
  expect(of.get('KR')).toBeLessThan(0.79);
  expect(of.get('CN')).toBeGreaterThan(of.get('KR') as number);
  expect(of.get('CN')).toBeLessThan(of.get('VN') as number);
  expect(of.get('VN')).toBeLessThan(of.get('DE') as number);
});

it('armies tell no spread, and the samples of one family count once', () => {
  const alone = spreads(civilians);
  expect(spreads([...civilians, sample('CN', 0.5, 'military')])).toEqual(alone);
  const apart = spreads([...civilians, sample('CN', 0.9, 'general', 'two')]).get('TW') as number;
  const twice = [sample('CN', 0.9, 'general', 'two'), sample('CN', 0.9, 'general', 'two')];
  const once = spreads([...civilians, ...twice]).get('TW') as number;
  expect(Math.abs(once - apart)).toBeLessThan(0.001);
  expect(apart).toBeGreaterThan(alone.get('TW') as number);
});
