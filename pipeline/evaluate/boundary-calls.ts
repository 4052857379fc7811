import { boundaryCases } from '../../src/population/cases.js';
import {
  Factors,
  jointShare,
  keptPeople,
  type Limit,
  scoreLimits,
} from '../../src/population/limits.js';
import { Mixture } from '../../src/population/mixture.js';
import { NUDE } from '../../src/population/people-model.js';
import { drawNames, PERSON_NAMES, uniformNumbers } from '../plans/limit-sets.js';
import type { Asked } from './asked.js';
import { DESIGN_AGES, usMarket } from './us-bodies.js';
import { marketCurves, type ValueLimit } from './us-shares.js';

/** Percentiles between which random limits lie, lower and upper. */
interface LimitRanges {
  readonly low: readonly [number, number];
  readonly high: readonly [number, number];
}

/**
 * Two ranges of limits. The first has the limits of the sets that persons are judged on. The second is wider, so more
 * designs pass.
 */
const LIMIT_RANGES = {
  usual: { low: [1, 10], high: [90, 99] },
  wider: { low: [0.2, 3], high: [97, 99.8] },
} as const satisfies Readonly<Record<string, LimitRanges>>;

/** Share of the people whom the cases stand for. */
const CASES_SHARE = 0.9;
export const CASES_PERCENT = 100 * CASES_SHARE;
export const CASES = 16;
/** Number of sets of quantities of each size, and number of designs with each set. */
const SETS = 10;
const SIZES = [2, 3, 4, 5, 6] as const;
const DESIGNS_OF_SET = 20;
const SEED = 2000;

/** Limits on a quantity, as percentiles of the people (0 to 100). */
interface PercentileRange {
  readonly low: number | undefined;
  readonly high: number | undefined;
}

/**
 * Random limits on some quantities: a lower limit with probability 1/2, an upper limit with probability 0.7. A design
 * without any limit is drawn again.
 */
export function randomDesign(
  size: number,
  { low: lows, high: highs }: LimitRanges,
  random: () => number,
): PercentileRange[] {
  const between = ([from, to]: readonly [number, number]): number => from + (to - from) * random();
  for (;;) {
    const design = Array.from({ length: size }, () => {
      const low = random() < 0.5 ? between(lows) : undefined;
      return { low, high: random() < 0.7 ? between(highs) : undefined };
    });
    if (design.some(({ low, high }) => low !== undefined || high !== undefined)) return design;
  }
}

/** Whether values lie inside limits, the ends included. */
export function fits(values: readonly number[], limits: readonly ValueLimit[]): boolean {
  return limits.every(({ low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY }, i) => {
    const value = values[i];
    return value >= low && value <= high;
  });
}

/**
 * Judges 16 boundary cases, which stand for 90 % of the adults of the United States, with random designs of 2 to 6
 * quantities. If a design fits all cases, the cases say that it accommodates 90 %: a call. The call is wrong if the
 * joint share is smaller.
 *
 * @returns share of the designs that are wrongly called, 0 to 1, by range of limits
 */
export function scoreCaseCalls(us: Asked): Record<keyof typeof LIMIT_RANGES, number> {
  const { peopleModel, joint } = us;
  const market = usMarket(us, DESIGN_AGES);
  const random = uniformNumbers(SEED);
  const people = keptPeople(peopleModel, market, []);
  const wrong = { usual: 0, wider: 0 };
  for (const size of SIZES) {
    for (let set = 0; set < SETS; set++) {
      const quantities = drawNames(PERSON_NAMES, size, random).map((name) =>
        peopleModel.indexOf(name),
      );
      const { cases } = boundaryCases(joint, people, quantities, NUDE, CASES_SHARE, CASES);
      const values = cases.map((one) => quantities.map((quantity) => one.values[quantity]));
      const { weights } = market;
      const mixtures = marketCurves(peopleModel, market, quantities).map(
        (knots) => new Mixture({ knots, weights }),
      );
      const factors = new Factors(peopleModel, quantities);
      const shareOf = (limits: readonly ValueLimit[]): number => {
        const all = limits.map(({ low = 0, high = Number.POSITIVE_INFINITY }, i): Limit => {
          return { quantity: quantities[i], min: low, max: high, profiles: NUDE };
        });
        return jointShare(market, factors, scoreLimits(peopleModel, market, all)).share;
      };
      for (const range of ['usual', 'wider'] as const) {
        for (let design = 0; design < DESIGNS_OF_SET; design++) {
          const drawn = randomDesign(size, LIMIT_RANGES[range], random);
          const limits = drawn.map(({ low, high }, i): ValueLimit => {
            const valueAt = (percentile: number | undefined) =>
              percentile === undefined ? undefined : mixtures[i].value(percentile);
            return { low: valueAt(low), high: valueAt(high) };
          });
          const isCalled = values.every((one) => fits(one, limits));
          if (isCalled && shareOf(limits) < CASES_SHARE) wrong[range] += 1;
        }
      }
    }
  }
  const designs = SIZES.length * SETS * DESIGNS_OF_SET;
  return { usual: wrong.usual / designs, wider: wrong.wider / designs };
}
