import { curveInverse } from '../../src/lookup/cell.js';
import { Z_COUNT } from '../../src/lookup/format.js';
import { boxProbability } from '../../src/population/box-probability.js';
import { Factors } from '../../src/population/limits.js';
import { NUDE, type PeopleModel } from '../../src/population/people-model.js';
import { uniformNumbers } from '../plans/limit-sets.js';
import type { UsMarket } from './us-bodies.js';

/** Limits on one quantity in mm, kg/m² or kg; undefined for none. */
export interface ValueLimit {
  readonly low: number | undefined;
  readonly high: number | undefined;
}

const SHIFT_SEED = 1951;

/**
 * Quantile curves of each quantity, one curve after another for each cohort.
 *
 * @throws Error for a quantity without a model in a cohort
 */
export function marketCurves(
  peopleModel: PeopleModel,
  { cohorts }: UsMarket,
  quantities: readonly number[],
): Float64Array[] {
  return quantities.map((quantity) => {
    const knots = new Float64Array(cohorts.length * Z_COUNT);
    cohorts.forEach((cohort, c) => {
      const curve = knots.subarray(c * Z_COUNT, (c + 1) * Z_COUNT);
      if (peopleModel.fill(quantity, cohort, NUDE, curve)) return;
      throw new Error(`no model of ${peopleModel.names[quantity]} in a cohort`);
    });
    return knots;
  });
}

/**
 * Computes shares of people inside limits on a few quantities, in the way of `population_share` (Genz 1992). It uses
 * the same few lattice points each time. Many limits are therefore judged in little time, and shares change steadily as
 * limits move.
 */
export class ShareJudge {
  private readonly knots: readonly Float64Array[];
  private readonly factors: readonly Float64Array[];
  private readonly shifts: readonly Float64Array[];

  /**
   * @param quantities names, each only once
   * @param points lattice points of each cohort
   * @throws Error for a quantity without a model in a cohort
   */
  constructor(
    peopleModel: PeopleModel,
    private readonly market: UsMarket,
    private readonly quantities: readonly number[],
    private readonly points: number,
  ) {
    const { cohorts } = market;
    this.knots = marketCurves(peopleModel, market, quantities);
    const factors = new Factors(peopleModel, quantities);
    this.factors = cohorts.map((cohort) => factors.of(cohort));
    const random = uniformNumbers(SHIFT_SEED);
    this.shifts = cohorts.map(() => Float64Array.from(quantities, random));
  }

  /**
   * Share of the people inside limits, 0 to 1.
   *
   * @param limits one for each quantity
   */
  share(limits: readonly ValueLimit[]): number {
    const n = this.quantities.length;
    const [from, to] = [new Float64Array(n), new Float64Array(n)];
    let share = 0;
    this.market.weights.forEach((weight, c) => {
      limits.forEach(({ low, high }, i) => {
        const knots = this.knots[i];
        const curve = knots.subarray(c * Z_COUNT, (c + 1) * Z_COUNT);
        from[i] = low === undefined ? Number.NEGATIVE_INFINITY : curveInverse(curve, low);
        to[i] = high === undefined ? Number.POSITIVE_INFINITY : curveInverse(curve, high);
      });
      const [factor, shift] = [this.factors[c], this.shifts[c]] as [Float64Array, Float64Array];
      share += weight * boxProbability(factor, from, to, n, this.points, shift);
    });
    return share;
  }
}
