import { describe, expect, it } from 'vitest';
import { COUNTRY_CODES } from '../../src/core/countries.js';
import { curveInverse, curveValue, percentileOfZ } from '../../src/lookup/cell.js';
import { openArtifact } from '../../src/lookup/open-artifact.js';
import { Distributions, mixtureOf } from '../../src/population/distribution.js';
import { JointPeople } from '../../src/population/joint.js';
import {
  Factors,
  jointShare,
  keptPeople,
  type Limit,
  scoreLimits,
  soleFailures,
} from '../../src/population/limits.js';
import { NUDE, PeopleModel, resolveMarket } from '../../src/population/people-model.js';
import { completePerson } from '../../src/population/person.js';
import { TINY_RHO, writeTinyArtifact } from '../support/tiny-artifact.js';
import { TINY_LN_MEDIAN_SD } from '../support/tiny-population.js';

const views = openArtifact(writeTinyArtifact());
const peopleModel = new PeopleModel(views);
const joint = new JointPeople(peopleModel);
const YEAR = 2025;
const headCount = (country: number, gender: number, age: number) => 1 + country + gender + age;
const market = resolveMarket(
  [
    { countries: ['DE', 'JP'], ageMin: 20, ageMax: 24, share: 0.25 },
    { countries: ['DE'], gender: 'Male', ageMin: 22, ageMax: 23, share: 0.75 },
  ],
  YEAR,
  headCount,
);
if (market === undefined) throw new Error('the market is empty');
const { cohorts, weights } = market;
const stature = peopleModel.stature;
const knee = peopleModel.indexOf('KneeHeight');

describe('a market', () => {
  it('weighs groups by share and cohorts by head count', () => {
    expect(market.groups.map(({ share }) => share)).toEqual([0.25, 0.75]);
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
    // Two countries, two genders and five ages. The second group adds no cohort.
    expect(cohorts).toHaveLength(20);
    const de = COUNTRY_CODES.indexOf('DE');
    const [first, second] = market.groups.map(({ part }) => part);
    const counts = [22, 23].map((age) => headCount(de, 0, age));
    expect([...(second?.counts ?? [])]).toEqual(counts);
    const cohort = second?.cohorts[0] ?? -1;
    expect(cohorts[cohort]).toMatchObject({ country: de, gender: 0, ageYears: 22.5 });
    const [one = 0, other = 0] = counts;
    const weight = (0.25 * one) / (first?.people ?? 0) + (0.75 * one) / (one + other);
    expect(weights[cohort]).toBeCloseTo(weight, 12);
    expect(cohorts.every(({ ageYears }) => ageYears % 1 === 0.5)).toBe(true);
  });

  it('is nothing where nobody lives', () => {
    expect(resolveMarket([{ countries: ['DE'], ageMin: 1, ageMax: 2 }], YEAR, () => 0)).toBe(
      undefined,
    );
  });
});

describe('a mixture', () => {
  const mixture = mixtureOf(peopleModel, market, stature, NUDE);

  it('is the weighted sum of its cells', () => {
    const curves = joint.curves();
    const share = cohorts.reduce((sum, cohort, c) => {
      curves.at(cohort);
      const z = curveInverse(curves.of(stature) as Float64Array, 1700);
      return sum + (weights[c] as number) * percentileOfZ(z);
    }, 0);
    expect(mixture.share(1700)).toBeCloseTo(share / 100, 5);
  });

  it.each([0.1, 1, 5, 50, 95, 99.9])('returns P%s from value to percentile', (percentile) => {
    expect(100 * mixture.share(mixture.value(percentile))).toBeCloseTo(percentile, 3);
  });
});

describe('a joint share', () => {
  const distributions = new Distributions(keptPeople(joint.peopleModel, market, []));
  const limit = (quantity: number, from: number, to: number): Limit => {
    const distribution = distributions.of(quantity, NUDE);
    return { quantity, min: distribution.value(from), max: distribution.value(to), profiles: NUDE };
  };
  const shareOf = (limits: readonly Limit[]) => {
    const scores = scoreLimits(peopleModel, market, limits);
    return jointShare(market, new Factors(peopleModel, scores.quantities), scores);
  };

  it('of one measurement is the difference of its percentiles', () => {
    expect(shareOf([limit(knee, 5, 95)]).share).toBeCloseTo(0.9, 4);
  });

  it('of two measurements is more than independence says, with its error', () => {
    const { share, error } = shareOf([limit(stature, 10, 90), limit(knee, 10, 90)]);
    expect(share).toBeGreaterThan(0.64 + 0.01);
    expect(share).toBeLessThan(0.8);
    expect(error).toBeLessThan(0.002);
  });

  it('falls by what each limit alone excludes', () => {
    const limits = [limit(stature, 5, 95), limit(knee, 5, 95)];
    const factors = new Factors(peopleModel, [stature, knee]);
    const [alone = 0] = soleFailures(
      keptPeople(peopleModel, market, []),
      factors,
      [stature, knee],
      limits.map((one) => scoreLimits(peopleModel, market, [one])),
    );
    const without = shareOf(limits.slice(1)).share - shareOf(limits).share;
    expect(Math.abs(alone - without)).toBeLessThan(0.0005);
  });
});

describe('a completed person', () => {
  const cohort = { country: 0, gender: 0, ageYears: 30, year: YEAR };
  const curves = joint.curves();
  curves.at(cohort);
  const at = (quantity: number, z: number) => curveValue(curves.of(quantity) as Float64Array, z);

  it('has the known values, and ρ z elsewhere', () => {
    const known = [{ quantity: knee, value: at(knee, 1.2) }];
    const person = completePerson(joint, cohort, curves, known, 1.645);
    expect(person.of(knee)?.expected).toBeCloseTo(at(knee, 1.2), 3);
    const foot = peopleModel.indexOf('FootLength');
    expect(person.of(foot)?.expected).toBeCloseTo(at(foot, TINY_RHO * 1.2), 3);
    // The medians have errors. Those of stature and BMI reach the foot and the knee alike.
    const error = (quantity: number): number => {
      const { median, sd } = curves.middle(quantity);
      return (TINY_LN_MEDIAN_SD * median) / sd;
    };
    const shared = (TINY_RHO * error(stature)) ** 2 + (0.3 * error(peopleModel.bmi)) ** 2;
    const own = (quantity: number): number => Math.max(0, error(quantity) ** 2 - shared);
    const ofMedians = own(foot) + TINY_RHO ** 2 * own(knee) + (1 - TINY_RHO) ** 2 * shared;
    const spread = 1.645 * Math.sqrt(1 - TINY_RHO ** 2 + ofMedians);
    expect(person.of(foot)?.high).toBeCloseTo(at(foot, TINY_RHO * 1.2 + spread), 2);
    expect(person.distanceSquare).toBeCloseTo(1.44, 4);
  });

  it('keeps sums, also where a sum is known', () => {
    const leg = peopleModel.indexOf('LegLength');
    const sitting = peopleModel.indexOf('SittingHeight');
    const known = [
      { quantity: leg, value: at(stature, 0) - at(sitting, 0) + 20 },
      { quantity: peopleModel.mass, value: 70 },
    ];
    const person = completePerson(joint, cohort, curves, known, 1.645);
    const value = (quantity: number) => person.of(quantity)?.expected as number;
    expect(value(leg)).toBeCloseTo(value(stature) - value(sitting), 6);
    expect(value(leg)).toBeCloseTo(known[0]?.value as number, 2);
    expect(value(peopleModel.mass)).toBeCloseTo(70, 3);
    expect(value(peopleModel.bmi) * (value(stature) / 1000) ** 2).toBeCloseTo(70, 3);
  });
});
