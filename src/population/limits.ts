import { Z_COUNT } from '../lookup/format.js';
import { curveInverse } from '../lookup/quantile-curve.js';
import type { Bodies, Dress } from './bodies.js';
import type { WeightedCohorts } from './market.js';

/** A range that a quantity of a person must lie in: mm, kg/m² or kg. */
export interface Limit {
  readonly quantity: number;
  /** −Infinity for none. */
  readonly min: number;
  /** Infinity for none. */
  readonly max: number;
  readonly dress: Dress;
}

/** What limits leave of the normal scores: an interval for each quantity in each cohort. */
export interface ScoreLimits {
  /** No two alike. */
  readonly quantities: readonly number[];
  /** Lower ends, [cohort][quantity]; −Infinity for none. */
  readonly low: Float64Array;
  /** Upper ends, the same; Infinity for none. */
  readonly high: Float64Array;
}

/**
 * Limits as intervals of normal scores in every cohort. Limits of one quantity become one interval, also
 * in different clothing: a person keeps their score.
 *
 * @throws Error for a quantity without a model in a cohort
 */
export function scoreLimits(
  bodies: Bodies,
  { cohorts }: Pick<WeightedCohorts, 'cohorts'>,
  limits: readonly Limit[],
): ScoreLimits {
  const all = openLimits(
    limits.map(({ quantity }) => quantity),
    cohorts.length,
  );
  const { quantities, low, high } = all;
  const n = quantities.length;
  const knots = new Float64Array(Z_COUNT);
  for (const { quantity, min, max, dress } of limits) {
    const i = quantities.indexOf(quantity);
    cohorts.forEach((cohort, c) => {
      if (!bodies.fill(quantity, cohort, dress, knots)) {
        throw new Error(`no model of ${bodies.names[quantity]}`);
      }
      const at = c * n + i;
      if (min > 0) low[at] = Math.max(low[at] as number, curveInverse(knots, min));
      if (max < Number.POSITIVE_INFINITY) {
        high[at] = Math.min(high[at] as number, curveInverse(knots, max));
      }
    });
  }
  return all;
}

/** All limits together. */
export function joinLimits(each: readonly ScoreLimits[], cohorts: number): ScoreLimits {
  const all = openLimits(
    each.flatMap(({ quantities }) => quantities),
    cohorts,
  );
  const n = all.quantities.length;
  for (const one of each) {
    const k = one.quantities.length;
    one.quantities.forEach((quantity, i) => {
      const column = all.quantities.indexOf(quantity);
      for (let c = 0; c < cohorts; c++) {
        const at = c * n + column;
        all.low[at] = Math.max(all.low[at] as number, one.low[c * k + i] as number);
        all.high[at] = Math.min(all.high[at] as number, one.high[c * k + i] as number);
      }
    });
  }
  return all;
}

/** The limits of some of the cohorts. */
export function limitsAt(
  { quantities, low, high }: ScoreLimits,
  cohorts: ArrayLike<number>,
): ScoreLimits {
  const n = quantities.length;
  const of = (ends: Float64Array): Float64Array => {
    const some = new Float64Array(cohorts.length * n);
    for (let i = 0; i < cohorts.length; i++) {
      const c = cohorts[i] as number;
      some.set(ends.subarray(c * n, (c + 1) * n), i * n);
    }
    return some;
  };
  return { quantities, low: of(low), high: of(high) };
}

/** No limits on some quantities. */
function openLimits(quantities: readonly number[], cohorts: number): ScoreLimits {
  const distinct = [...new Set(quantities)];
  const size = cohorts * distinct.length;
  return {
    quantities: distinct,
    low: new Float64Array(size).fill(Number.NEGATIVE_INFINITY),
    high: new Float64Array(size).fill(Number.POSITIVE_INFINITY),
  };
}
