import { Z_COUNT, Z_MEDIAN } from '../lookup/format.js';
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
  const merged = new Float64Array(cohorts.length);
  const first = new Float64Array(Z_COUNT);
  const cell = new Float64Array(Z_COUNT);
  let cells = 0;
  cohorts.forEach((cohort, c) => {
    if (!bodies.fill(quantity, cohort, dress, cell)) {
      throw new Error(`no model of ${bodies.names[quantity]} in a cohort`);
    }
    const weight = weights[c] as number;
    const sum = merged[cells - 1] as number;
    const last = knots.subarray((cells - 1) * Z_COUNT, cells * Z_COUNT);
    if (cells > 0 && sum + weight > 0 && areAlike(first, cell)) {
      const share = weight / (sum + weight);
      for (let i = 0; i < Z_COUNT; i++) {
        last[i] = (last[i] as number) + share * ((cell[i] as number) - (last[i] as number));
      }
      merged[cells - 1] = sum + weight;
      return;
    }
    knots.set(cell, cells * Z_COUNT);
    first.set(cell);
    merged[cells++] = weight;
  });
  return new Mixture(knots.subarray(0, cells * Z_COUNT), merged.subarray(0, cells));
}

/** Cells whose knots differ by less than this share of an SD are one in a mixture. */
const ALIKE = 0.1;

/**
 * Whether two cells, mostly of neighbouring ages, are alike. Cells that are merged lose their variance
 * between them, at most (0.1 SD)² ÷ 4; that moves P99 by 0.003 SD at most, by 0.03 mm in mixtures of the artifact.
 */
function areAlike(one: Float64Array, other: Float64Array): boolean {
  const sd = ((one[Z_MEDIAN + 3] as number) - (one[Z_MEDIAN - 3] as number)) / 2;
  const most = ALIKE * sd;
  for (let i = 0; i < Z_COUNT; i++) {
    if (Math.abs((one[i] as number) - (other[i] as number)) > most) return false;
  }
  return true;
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
