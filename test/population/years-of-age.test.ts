import { describe, expect, it } from 'vitest';
import { COUNTRY_CODES } from '../../src/core/countries.js';
import { agesWithin } from '../../src/core/years-of-age.js';
import { Z_COUNT } from '../../src/lookup/format.js';
import { openArtifact } from '../../src/lookup/open-artifact.js';
import { mixtureOf } from '../../src/population/distribution.js';
import { Mixture } from '../../src/population/mixture.js';
import { NUDE, PeopleModel, resolveMarket } from '../../src/population/people-model.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';

const CHILDREN = Array.from({ length: 20 }, (_, age) => age);

describe('the ages of a year', () => {
  it.each(CHILDREN)('have the mean and variance of uniform ages at %s years', (age) => {
    const ages = agesWithin(age);
    const mean = (of: (ageYears: number) => number) =>
      ages.reduce((sum, { ageYears, share }) => sum + share * of(ageYears), 0);
    expect(mean(() => 1)).toBeCloseTo(1, 12);
    expect(mean((at) => at)).toBeCloseTo(age + 0.5, 12);
    expect(mean((at) => (at - age - 0.5) ** 2)).toBeCloseTo(1 / 12, 12);
    expect(ages.every(({ ageYears }) => Math.floor(ageYears) === age)).toBe(true);
  });

  it('are one age from 20 years', () => {
    expect(agesWithin(20)).toEqual([{ ageYears: 20.5, share: 1 }]);
    expect(agesWithin(99)).toEqual([{ ageYears: 99.5, share: 1 }]);
  });
});

describe('a population of one completed year', () => {
  const peopleModel = new PeopleModel(openArtifact(writeTinyArtifact()));
  const year = peopleModel.views.manifest.referenceYear;
  const marketOf = (age: number) => {
    const group = { countries: ['DE'] as const, gender: 'Male' as const, ageMin: age, ageMax: age };
    const found = resolveMarket([group], year, () => 7001);
    if (found === undefined) throw new Error('nobody lives in the tiny artifact');
    return found;
  };

  it.each([2, 5, 12])('is that of many exact ages at %s years', (age) => {
    const market = marketOf(age);
    expect(market.people).toBe(7001);
    expect(market.weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
    const mixture = mixtureOf(peopleModel, market, peopleModel.stature, NUDE);
    const n = 200;
    const knots = new Float64Array(n * Z_COUNT);
    const country = COUNTRY_CODES.indexOf('DE');
    for (let i = 0; i < n; i++) {
      const curve = knots.subarray(i * Z_COUNT, (i + 1) * Z_COUNT);
      const cohort = { country, gender: 0, ageYears: age + (i + 0.5) / n, year };
      expect(peopleModel.fill(peopleModel.stature, cohort, NUDE, curve)).toBe(true);
    }
    const exact = new Mixture({ knots, weights: new Float64Array(n).fill(1 / n) });
    const { sd } = exact.moments();
    for (const percentile of [1, 5, 50, 95, 99]) {
      const error = (mixture.value(percentile) - exact.value(percentile)) / sd;
      expect(Math.abs(error), `P${percentile}`).toBeLessThan(0.003);
    }
  });
});
