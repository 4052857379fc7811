import { Z_COUNT } from '../lookup/format.js';
import { curveInverse } from '../lookup/quantile-curve.js';
import { type Bodies, CohortCurves, type Dress } from './bodies.js';
import type { Market } from './market.js';
import { Mixture } from './mixture.js';

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
 * The mixture of a quantity over the cohorts of a market.
 *
 * @throws Error for a quantity without a model in a cohort
 */
export function mixtureOf(
  bodies: Bodies,
  { cohorts, weights }: Pick<Market, 'cohorts' | 'weights'>,
  quantity: number,
  dress: Dress,
): Mixture {
  const knots = new Float64Array(cohorts.length * Z_COUNT);
  for (let c = 0; c < cohorts.length; c++) {
    const cohort = cohorts[c];
    const cell = knots.subarray(c * Z_COUNT, (c + 1) * Z_COUNT);
    if (cohort === undefined || !bodies.fill(quantity, cohort, dress, cell)) {
      throw new Error(`no model of ${bodies.names[quantity]} in a cohort`);
    }
  }
  return new Mixture(knots, weights);
}

/**
 * Limits as intervals of normal scores in every cohort. Limits of one quantity become one interval, also
 * in different clothing: a person keeps their score.
 *
 * @throws Error for a quantity without a model in a cohort
 */
export function scoreLimits(
  bodies: Bodies,
  { cohorts }: Pick<Market, 'cohorts'>,
  limits: readonly Limit[],
): ScoreLimits {
  const quantities = [...new Set(limits.map(({ quantity }) => quantity))];
  const n = quantities.length;
  const low = new Float64Array(cohorts.length * n).fill(Number.NEGATIVE_INFINITY);
  const high = new Float64Array(cohorts.length * n).fill(Number.POSITIVE_INFINITY);
  for (const { quantity, min, max, dress } of limits) {
    const i = quantities.indexOf(quantity);
    const curves = new CohortCurves(bodies, dress);
    cohorts.forEach((cohort, c) => {
      curves.at(cohort);
      const knots = curves.of(quantity);
      if (knots === undefined) throw new Error(`no model of ${bodies.names[quantity]}`);
      const at = c * n + i;
      if (min > 0) low[at] = Math.max(low[at] as number, curveInverse(knots, min));
      if (max < Number.POSITIVE_INFINITY) {
        high[at] = Math.min(high[at] as number, curveInverse(knots, max));
      }
    });
  }
  return { quantities, low, high };
}
