import { boundaryCases } from '../../src/population/cases.js';
import {
  Factors,
  jointShare,
  keptPeople,
  type Limit,
  scoreLimits,
} from '../../src/population/limits.js';
import { NUDE } from '../../src/population/people-model.js';
import { drawNames, PERSON_NAMES, uniformNumbers } from '../plans/limit-sets.js';
import type { Asked } from './asked.js';
import { DESIGN_AGES, usMarket } from './us-bodies.js';
import { ShareJudge, type ValueLimit } from './us-shares.js';

/** Percentiles between which random limits lie, lower and upper. */
interface LimitRanges {
  readonly name: string;
  readonly low: readonly [number, number];
  readonly high: readonly [number, number];
}

/**
 * Two ranges of limits. The first has the limits of the sets that persons are judged on. The second is wider, so more
 * designs pass.
 */
export const LIMIT_RANGES: readonly LimitRanges[] = [
  { name: 'P1 to P10, P90 to P99', low: [1, 10], high: [90, 99] },
  { name: 'P0.2 to P3, P97 to P99.8', low: [0.2, 3], high: [97, 99.8] },
];

/** How often boundary cases judge random designs rightly and wrongly. The designs have limits of one range. */
export interface CaseCalls {
  /** Name of the range of limits. */
  readonly limits: string;
  readonly designs: number;
  /** `calls` counts designs that fit all cases. `wrong` counts those of them that accommodate less than the share. */
  readonly calls: number;
  readonly wrong: number;
  /** Smallest share that a called design accommodates; NaN if no design was called. */
  readonly least: number;
  /** Designs that accommodate the share, called or not. */
  readonly accommodating: number;
}

/** Share of the people whom the cases stand for. */
export const CASES_SHARE = 0.9;
export const CASES = 16;
/** Number of sets of quantities of each size, and number of designs with each set. */
const SETS = 10;
const SIZES = [2, 3, 4, 5, 6] as const;
const DESIGNS_OF_SET = 20;
const SEED = 2000;
/** Lattice points of a cohort, for the shares of designs that are not called. */
const POINTS = 48;

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
  { low: lows, high: highs }: Pick<LimitRanges, 'low' | 'high'>,
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
    const value = values[i] as number;
    return value >= low && value <= high;
  });
}

/**
 * Judges 16 boundary cases, which stand for 90 % of the adults of the United States, with random designs of 2 to 6
 * quantities. If a design fits all cases, the cases say that it accommodates 90 %: a call. The call is wrong if the
 * joint share is smaller.
 */
export function scoreCaseCalls(us: Asked): CaseCalls[] {
  const { peopleModel, joint } = us;
  const market = usMarket(us, DESIGN_AGES);
  const random = uniformNumbers(SEED);
  const people = keptPeople(peopleModel, market, []);
  const tallies = LIMIT_RANGES.map(() => ({
    designs: 0,
    accommodating: 0,
    called: [] as number[],
  }));
  for (const size of SIZES) {
    for (let set = 0; set < SETS; set++) {
      const quantities = drawNames(PERSON_NAMES, size, random).map((name) =>
        peopleModel.indexOf(name),
      );
      const { cases } = boundaryCases(joint, people, quantities, NUDE, CASES_SHARE, CASES);
      const values = cases.map((one) =>
        quantities.map((quantity) => one.values[quantity] as number),
      );
      const judge = new ShareJudge(peopleModel, market, quantities, POINTS);
      const factors = new Factors(peopleModel, quantities);
      const exact = (limits: readonly ValueLimit[]): number => {
        const all = limits.map(({ low = 0, high = Number.POSITIVE_INFINITY }, i): Limit => {
          return { quantity: quantities[i] as number, min: low, max: high, profiles: NUDE };
        });
        return jointShare(market, factors, scoreLimits(peopleModel, market, all)).share;
      };
      LIMIT_RANGES.forEach((ranges, r) => {
        const tally = tallies[r] as (typeof tallies)[number];
        for (let design = 0; design < DESIGNS_OF_SET; design++) {
          const limits = randomDesign(size, ranges, random).map(({ low, high }, i): ValueLimit => {
            const mixture = judge.mixtures[i];
            return {
              low: low === undefined ? undefined : mixture?.value(low),
              high: high === undefined ? undefined : mixture?.value(high),
            };
          });
          const called = values.every((one) => fits(one, limits));
          const share = called ? exact(limits) : judge.share(limits);
          tally.designs += 1;
          if (share >= CASES_SHARE) tally.accommodating += 1;
          if (called) tally.called.push(share);
        }
      });
    }
  }
  return tallies.map(({ designs, accommodating, called }, r): CaseCalls => {
    const calls = called.length;
    return {
      limits: (LIMIT_RANGES[r] as LimitRanges).name,
      ...{ designs, calls, accommodating },
      wrong: called.filter((share) => share < CASES_SHARE).length,
      least: calls === 0 ? Number.NaN : Math.min(...called),
    };
  });
}
