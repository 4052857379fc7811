import type { Bodies, Dress } from './bodies.js';
import { ConditionedPeople } from './conditioned.js';
import { type Limit, mixtureOf } from './limits.js';
import type { Market } from './market.js';
import type { Distribution } from './mixture.js';

/**
 * The distributions of a population: exact mixtures, or, with conditions, those of points inside the
 * conditions, which are found once for all quantities.
 */
export class Distributions {
  private conditioned: ConditionedPeople | undefined;

  /** @param keep conditions on nude and erect people */
  constructor(
    private readonly bodies: Bodies,
    private readonly market: Pick<Market, 'cohorts' | 'weights'>,
    private readonly keep: readonly Limit[],
  ) {}

  /**
   * The distribution of a quantity.
   *
   * @throws Error for a quantity without a model in a cohort
   */
  of(quantity: number, dress: Dress): Distribution {
    const { bodies, market, keep } = this;
    if (keep.length === 0) return mixtureOf(bodies, market, quantity, dress);
    this.conditioned ??= new ConditionedPeople(bodies, market, keep);
    return this.conditioned.of(quantity, dress);
  }
}
