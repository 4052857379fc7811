import {
  blendTails,
  marginalThrough,
  type Tails,
  tangentSlopes,
  Z95,
  Z99,
} from '../../numerics/marginal.js';
import { tricube } from '../../numerics/numbers.js';
import type { Moment } from '../../raw-tables/surveys.js';
import { windowYears } from './smoothing.js';

/** One age group of a survey with the percentiles of a dimension. */
export interface TailGroup {
  readonly age: number;
  readonly moment: Moment;
}

/** Factor on the smoothing window. Few people of a group are beyond its P5 or P95. */
const TAIL_WINDOW = 3;
/**
 * Between these ages, a tail is linear over age. P5, median and P99 are kept from falling there (section
 * 3.11).
 */
const [STRAIGHT_FROM, STRAIGHT_TO] = [10, 25] as const;
/** Limits of a tail's slope over that of the tangent, so that quantiles keep rising. */
const [FLATTEST, STEEPEST] = [0.4, 2] as const;

/**
 * Fits the tails of a dimension by age. A tail is the slope of ln D from P1 to P5, or from P95 to P99, over
 * that of the tangent to the curve through P5, median and P95. Near ages are pooled: the sum of the slopes
 * is divided by that of the tangents, both weighted by people and nearness. A ratio of sums has less bias
 * than a mean of ratios. P0.5 and P99.5 are not used, so that they can judge the tails.
 */
export function fitTails(groups: readonly TailGroup[]): (ageYears: number) => Tails {
  const steps = groups.map(({ age, moment }) => {
    const tangents = tangentSlopes(marginalThrough(moment.p5, moment.p50, moment.p95));
    const rise = (from: number, to: number) => Math.log(to / from) / (Z99 - Z95);
    return {
      age,
      n: moment.n,
      tangents,
      seen: { low: rise(moment.p1, moment.p5), high: rise(moment.p95, moment.p99) },
    };
  });
  const tailsAt = (ageYears: number): Tails => {
    const halfWidth = TAIL_WINDOW * windowYears(ageYears);
    const at = (side: keyof Tails): number => {
      let [seen, tangents] = [0, 0];
      for (const step of steps) {
        const weight = step.n * tricube(Math.abs(step.age - ageYears) / halfWidth);
        seen += weight * step.seen[side];
        tangents += weight * step.tangents[side];
      }
      if (tangents === 0) throw new Error(`no tails near ${ageYears} years`);
      return Math.min(STEEPEST, Math.max(FLATTEST, seen / tangents));
    };
    return { low: at('low'), high: at('high') };
  };
  return (ageYears) => {
    const share = (ageYears - STRAIGHT_FROM) / (STRAIGHT_TO - STRAIGHT_FROM);
    if (share <= 0 || share >= 1) return tailsAt(ageYears);
    const [from, to] = [tailsAt(STRAIGHT_FROM), tailsAt(STRAIGHT_TO)];
    return blendTails(from, to, share) as Tails;
  };
}
