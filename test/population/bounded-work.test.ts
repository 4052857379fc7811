import { afterEach, describe, expect, it, vi } from 'vitest';
import { COUNTRY_CODES } from '../../src/core/countries.js';
import { Z_COUNT } from '../../src/lookup/format.js';
import { BoxPoints } from '../../src/population/box-probability.js';
import { Distributions, mixtureOf } from '../../src/population/distribution.js';
import { latticePeople } from '../../src/population/lattice-people.js';
import { keptPeople, type Limit } from '../../src/population/limits.js';
import { Mixture } from '../../src/population/mixture.js';
import {
  type MarketGroup,
  NUDE,
  type Profiles,
  resolveMarket,
} from '../../src/population/people-model.js';
import { designRanges } from '../../src/population/ranges.js';
import { TINY_JOINT } from './tiny-people.js';

// Limits on what the largest requests read, draw and hold. `npm run bench` measures times.

const { peopleModel } = TINY_JOINT;
const { stature } = peopleModel;
const quantity = (name: string) => peopleModel.indexOf(name);

function marketOf(groups: readonly MarketGroup[]) {
  const market = resolveMarket(groups, 2025, (country, gender, age) =>
    peopleModel.people(country, gender, age),
  );
  if (market === undefined) throw new Error('nobody lives there');
  return market;
}

const WORLD: MarketGroup = { countries: COUNTRY_CODES, ageMin: 20, ageMax: 90 };
const world = marketOf([WORLD]);
const between = (of: number, min: number, max: number): Limit => {
  return { quantity: of, min, max, profiles: NUDE };
};

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a population of many groups', () => {
  it('holds identical groups once, whatever the order of their countries', () => {
    const again = { ...WORLD, countries: [...COUNTRY_CODES].reverse() };
    const { groups, people, weights } = marketOf([...Array(49).fill(WORLD), again]);
    expect(new Set(groups.map(({ part }) => part)).size).toBe(1);
    expect(people).toBeCloseTo(50 * world.people, 3);
    expect(weights.length).toBe(world.weights.length);
    weights.forEach((weight, c) => {
      expect(weight).toBeCloseTo(world.weights[c] as number, 12);
    });
  });

  it('holds at most 16 bytes for each cell of a group', () => {
    const groups = Array.from({ length: 50 }, (_, i) => ({ ...WORLD, ageMin: 20 + i }));
    const parts = marketOf(groups).groups.map(({ part }) => part);
    for (const { cohorts, counts } of parts) {
      const bytes = cohorts.buffer.byteLength + counts.buffer.byteLength;
      const asked = COUNTRY_CODES.length * 2 * 71;
      expect(bytes).toBeLessThanOrEqual(16 * asked);
      expect(cohorts.length).toBe(counts.length);
    }
  });
});

describe('a mixture of the world', () => {
  const DRESSED: Profiles = { clothing: 4, posture: 0 };

  it.each([
    ['Stature', NUDE],
    ['HandLength', NUDE],
    ['BodyMass', NUDE],
    ['Stature', DRESSED],
  ] as const)('has few curves of %s, and percentiles to 0.1 mm', (name, profiles) => {
    const { cohorts, weights } = world;
    const joined = mixtureOf(peopleModel, world, quantity(name), profiles);
    expect(cohorts.length).toBeGreaterThan(20_000);
    expect(joined.size).toBeLessThan(1000);
    const knots = new Float64Array(cohorts.length * Z_COUNT);
    cohorts.forEach((cohort, c) => {
      const curve = knots.subarray(c * Z_COUNT, (c + 1) * Z_COUNT);
      peopleModel.fill(quantity(name), cohort, profiles, curve);
    });
    const all = new Mixture({ knots, weights });
    for (const percentile of [0.1, 1, 5, 50, 95, 99, 99.9]) {
      expect(Math.abs(joined.value(percentile) - all.value(percentile))).toBeLessThan(0.1);
    }
    expect(Math.abs(joined.moments().sd - all.moments().sd)).toBeLessThan(0.05);
  });
});

describe('people with conditions', () => {
  const exact = mixtureOf(peopleModel, world, stature, NUDE);
  const narrow = between(stature, exact.value(90), exact.value(90.2));

  it('are drawn as many as are wanted, however few people meet the conditions', () => {
    const draw = vi.spyOn(BoxPoints.prototype, 'draw');
    const people = keptPeople(peopleModel, world, [narrow]);
    expect(people.keptShare).toBeCloseTo(0.002, 4);
    const drawn = latticePeople(people, [stature, quantity('KneeHeight')], NUDE, 4096, 7);
    expect(draw).toHaveBeenCalledTimes(4096);
    expect(drawn.count).toBe(4096);
    for (const value of drawn.values[0] as Float64Array) {
      expect(value).toBeGreaterThanOrEqual(narrow.min - 0.01);
      expect(value).toBeLessThanOrEqual(narrow.max + 0.01);
    }
  });

  it('give percentiles of at most 8,192 points, which are drawn once for all quantities', () => {
    const draw = vi.spyOn(BoxPoints.prototype, 'draw');
    const distributions = new Distributions(keptPeople(peopleModel, world, [narrow]));
    for (const name of ['FootLength', 'HandLength', 'HeadGirth', 'BodyMass', 'FootLength']) {
      const distribution = distributions.of(quantity(name), NUDE);
      expect(distribution.error(50)).toBeLessThan(0.05 * distribution.moments().sd);
    }
    expect(draw.mock.calls.length).toBeLessThanOrEqual(8192);
  });

  it('have the percentiles of the whole population between the ends of their condition', () => {
    const [low, high] = [20, 97];
    const keep = [between(stature, exact.value(low), exact.value(high))];
    const distribution = new Distributions(keptPeople(peopleModel, world, keep)).of(stature, NUDE);
    for (const percentile of [0.1, 5, 50, 95, 99.9]) {
      const value = exact.value(low + (percentile / 100) * (high - low));
      const error = distribution.error(percentile);
      expect(Math.abs(distribution.value(percentile) - value)).toBeLessThan(2 * error + 0.1);
      expect(error).toBeLessThan(0.02 * distribution.moments().sd);
    }
  });
});

describe('ranges of a population of many cells', () => {
  it('are searched with a sample of the cells', () => {
    const keep = [between(stature, 1500, 1900)];
    const dimensions = ['SittingHeight', 'KneeHeight', 'HandLength'].map((name) => {
      return { quantity: quantity(name), side: 'both', profiles: NUDE } as const;
    });
    const people = keptPeople(peopleModel, world, keep);
    const fill = vi.spyOn(peopleModel, 'fill');
    const { share } = designRanges(people, dimensions, 0.95);
    expect(share).toBeCloseTo(0.95, 3);
    // All cells are read once for the order of the points, and two or three times for each dimension.
    const rounds = fill.mock.calls.length / people.cohorts.length / dimensions.length;
    expect(rounds).toBeLessThan(8);
  });
});
