import { describe, expect, it } from 'vitest';
import { Distributions } from '../../src/population/distribution.js';
import { Factors, jointShare, keptPeople, scoreLimits } from '../../src/population/limits.js';
import { NUDE } from '../../src/population/people-model.js';
import { designRanges, type RangeDimension } from '../../src/population/ranges.js';
import { sampleTinyPeople, TINY_JOINT, tinyMarket } from './tiny-people.js';

const { peopleModel } = TINY_JOINT;
const market = tinyMarket();
const dimension = (name: string, side: RangeDimension['side']): RangeDimension => {
  return { quantity: peopleModel.indexOf(name), side, profiles: NUDE };
};
const everybody = keptPeople(peopleModel, market, []);
const distributions = new Distributions(everybody);

describe('designRanges', () => {
  it('gives each side of one dimension half of those outside', () => {
    const { tail, limits } = designRanges(everybody, [dimension('SittingHeight', 'both')], 0.9);
    expect(tail).toBeCloseTo(0.05, 4);
    const distribution = distributions.of(peopleModel.indexOf('SittingHeight'), NUDE);
    expect(distribution.share(limits[0]?.min ?? 0)).toBeCloseTo(0.05, 4);
    expect(distribution.share(limits[0]?.max ?? 0)).toBeCloseTo(0.95, 4);
  });

  it.each([0.5, 0.95, 0.999])('contains the share %d of people drawn apart', (target) => {
    const dimensions = [
      dimension('Stature', 'both'),
      dimension('SittingHeight', 'max'),
      dimension('KneeHeight', 'both'),
      dimension('HandLength', 'min'),
    ];
    const { limits, share } = designRanges(everybody, dimensions, target);
    expect(share).toBeCloseTo(target, 3);
    const people = sampleTinyPeople(
      market,
      dimensions.map(({ quantity }) => quantity),
      20_000,
    );
    const inside = people.filter((values) =>
      limits.every(({ min, max }, i) => {
        const value = values[i] as number;
        return value >= min && value <= max;
      }),
    );
    expect(Math.abs(inside.length / people.length - target)).toBeLessThan(0.01);
  });

  it('counts only the people who meet the conditions', () => {
    const stature = distributions.of(peopleModel.stature, NUDE);
    const keep = [
      {
        quantity: peopleModel.stature,
        min: stature.value(30),
        max: stature.value(70),
        profiles: NUDE,
      },
    ];
    const people = keptPeople(peopleModel, market, keep);
    const dimensions = [dimension('KneeHeight', 'both'), dimension('HandLength', 'both')];
    const { limits, share, tail } = designRanges(people, dimensions, 0.9);
    const all = scoreLimits(peopleModel, market, [...keep, ...limits]);
    const again =
      jointShare(market, new Factors(peopleModel, all.quantities), all).share / people.keptShare;
    expect(share).toBeCloseTo(0.9, 3);
    expect(again).toBeCloseTo(share, 3);
    // In people of about one stature, the other dimensions correlate less, so the tails are smaller. They are not
    // smaller than those of independent dimensions.
    expect(tail).toBeLessThan(designRanges(everybody, dimensions, 0.9).tail);
    expect(tail).toBeGreaterThan((1 - Math.sqrt(0.9)) / 2);
  });
});
