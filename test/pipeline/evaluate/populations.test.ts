import { describe, expect, it } from 'vitest';
import { fits, randomDesign } from '../../../pipeline/evaluate/boundary-calls.js';
import { marketCurves, ShareJudge } from '../../../pipeline/evaluate/us-shares.js';
import {
  type FoldPeople,
  foldAges,
  foldLimits,
  foldShares,
  placeLimit,
} from '../../../pipeline/import/fold-persons.js';
import { uniformNumbers } from '../../../pipeline/plans/limit-sets.js';
import { foldSets, UNFITTED } from '../../../pipeline/plans/nhanes-folds.js';
import { zOfPercentile } from '../../../src/lookup/cell.js';
import { Factors, jointShare, scoreLimits } from '../../../src/population/limits.js';
import { Mixture } from '../../../src/population/mixture.js';
import { NUDE } from '../../../src/population/people-model.js';
import { TINY_JOINT, tinyMarket } from '../../population/tiny-people.js';

const { peopleModel } = TINY_JOINT;
const market = tinyMarket();
/** Normal numbers, the same in every run. */
function normals(seed: number): () => number {
  const random = uniformNumbers(seed);
  return () => zOfPercentile(100 * Math.min(1 - 1e-9, Math.max(1e-9, random())));
}

describe('shares of limits', () => {
  it('agree with those of population_share', () => {
    const quantities = ['Stature', 'KneeHeight', 'HandLength'].map((name) =>
      peopleModel.indexOf(name),
    );
    const judge = new ShareJudge(peopleModel, market, quantities, 500);
    const limits = marketCurves(peopleModel, market, quantities).map((knots, i) => {
      const mixture = new Mixture({ knots, weights: market.weights });
      return { low: i === 0 ? undefined : mixture.value(5), high: mixture.value(93) };
    });
    const same = scoreLimits(
      peopleModel,
      market,
      limits.map(({ low = 0, high }, i) => {
        return { quantity: quantities[i] as number, min: low, max: high, profiles: NUDE };
      }),
    );
    const { share } = jointShare(market, new Factors(peopleModel, quantities), same);
    expect(judge.share(limits)).toBeCloseTo(share, 2.5);
    expect(share).toBeLessThan(0.9);
    const open = limits.map(() => ({ low: undefined, high: undefined }));
    expect(judge.share(open)).toBeCloseTo(1, 9);
  });
});

describe('calls of cases', () => {
  it('are for designs that every value fits', () => {
    const limits = [
      { low: 1, high: 2 },
      { low: undefined, high: 5 },
    ];
    expect(fits([1, -9], limits)).toBe(true);
    expect(fits([0.9, 0], limits)).toBe(false);
    expect(fits([1.5, 5.1], limits)).toBe(false);
  });

  it('judge random designs that have a limit', () => {
    const random = uniformNumbers(3);
    const ranges = { low: [1, 10], high: [90, 99] } as const;
    const designs = Array.from({ length: 2000 }, () => randomDesign(2, ranges, random));
    const limits = designs.flat();
    const lows = limits.flatMap(({ low }) => low ?? []);
    for (const design of designs) {
      expect(design.some(({ low, high }) => low !== undefined || high !== undefined)).toBe(true);
    }
    // One design in 44 has no limit and is drawn again.
    expect(lows.length / limits.length).toBeCloseTo(0.5 / (1 - 0.15 ** 2), 1);
    expect(Math.min(...lows)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...lows)).toBeLessThan(10);
  });
});

describe('persons of NHANES', () => {
  const normal = normals(4);
  const n = 1200;
  const people: FoldPeople = {
    ...{ gender: 'Male', ages: '20-39' },
    ageYears: Array.from({ length: n }, (_, i) => 20 + (i % 20)),
    // Every second person has three times the weight.
    weights: Array.from({ length: n }, (_, i) => (i % 2 === 0 ? 1 : 3)),
    values: new Map(
      UNFITTED.names.map((name) => [
        name,
        Array.from({ length: n }, (_, i) => Math.round(1000 + 50 * normal() + (i % 2) * 20)),
      ]),
    ),
  };

  it('have limits between readings, with weighted shares', () => {
    const { value, below, fewest } = placeLimit(people, 'Stature', 10);
    expect(value % 1).toBeCloseTo(0.5, 9);
    expect(below).toBeGreaterThanOrEqual(0.1);
    expect(below).toBeLessThan(0.13);
    expect(fewest).toBeGreaterThan(n / 20);
    const unweighted = placeLimit(
      { ...people, weights: people.weights.map(() => 1) },
      'Stature',
      10,
    );
    expect(unweighted.value).toBeLessThan(value);
    // P1 of 1,200 people has 12 people on its smaller side. With unequal weights, there may be fewer than 10.
    expect(foldLimits([people]).rows.length).toBeGreaterThan(60);
  });

  it('have the same sets of limits in every run', () => {
    const sets = foldSets(5);
    expect(sets).toEqual(foldSets(5));
    for (const set of sets) {
      expect(new Set(set.map(({ name }) => name)).size).toBe(5);
      expect(set.some(({ low, high }) => low !== undefined || high !== undefined)).toBe(true);
    }
  });

  it('have shares of independent quantities near the product', () => {
    const { rows } = foldShares([people]);
    for (const row of rows) {
      const [, , size, set, count, effective, share] = row;
      const limits = foldSets(size as 3 | 5)[Number(set)] ?? [];
      const product = limits.reduce(
        (all, { low = 0, high = 100 }) => (all * (high - low)) / 100,
        1,
      );
      expect(Math.abs(Number(share) - product)).toBeLessThan(0.08);
      expect(count).toBe(n);
      // Kish: (Σ w)² ÷ Σ w² is (4 / 2)² ÷ (10 / 2) of the people.
      expect(effective).toBe(0.8 * n);
    }
    const ages = foldAges([people]).rows;
    expect(ages).toHaveLength(20);
    expect(ages.reduce((sum, row) => sum + Number(row[4]), 0)).toBeCloseTo(1, 3);
  });
});
