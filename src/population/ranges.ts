import { Z_COUNT } from '../lookup/format.js';
import { curveInverse } from '../lookup/quantile-curve.js';
import type { Bodies, Dress } from './bodies.js';
import { type Limit, mixtureOf, type ScoreLimits, scoreLimits } from './limits.js';
import { type Market, sampleCohorts } from './market.js';
import type { Distribution } from './mixture.js';
import { Factors, jointShare } from './share.js';

/** Sides of a dimension that a design limits. */
export const SIDES = ['both', 'min', 'max'] as const;

/** A dimension of a design, and the sides on which the design limits it. */
export interface RangeDimension {
  readonly quantity: number;
  readonly side: (typeof SIDES)[number];
  readonly dress: Dress;
}

/** The people that a design is for. */
export interface RangePeople {
  readonly bodies: Bodies;
  readonly market: Pick<Market, 'cohorts' | 'weights'>;
  /** Conditions that the people meet. */
  readonly keep: readonly Limit[];
  /** Share of the market that meets them, 0 to 1. */
  readonly keptShare: number;
  /** Distributions among the people who meet them. */
  readonly distributions: {
    of(quantity: number, dress: Dress): Pick<Distribution, 'value'>;
  };
}

/** Ranges that accommodate a share of people. */
export interface DesignRanges {
  /** Share of the people beyond each limited side, 0 to 1. */
  readonly tail: number;
  /** One for each dimension, in mm, kg/m² or kg. */
  readonly limits: readonly Limit[];
  /** Share of the people inside all ranges, 0 to 1. */
  readonly share: number;
  /** Half width of the 95 % interval of `share`. */
  readonly error: number;
}

/** The share may miss its target by this much; it is far below the numerical error. */
const TOLERANCE = 1e-4;
const MOST_ROUNDS = 30;

/**
 * Ranges with one equal tail probability at every limited side, such that the share of the people inside
 * all of them is the target. Every tail is judged with the same lattice points (common random numbers;
 * Glasserman 2003, Monte Carlo Methods in Financial Engineering, 7.1), so the share falls steadily as the
 * tail grows. The tail is found between the bounds of Bonferroni by the secant method on logarithms, with
 * bisection where a step would leave the bounds (Press 2007, Numerical Recipes, 9.3).
 *
 * @param dimensions at least one; no quantity twice
 * @param targetShare 0 to 1, both excluded
 * @throws Error for a quantity without a model in a cohort
 */
export function designRanges(
  people: RangePeople,
  dimensions: readonly RangeDimension[],
  targetShare: number,
): DesignRanges {
  const sides = dimensions.reduce((sum, { side }) => sum + (side === 'both' ? 2 : 1), 0);
  const { market, keep, bodies } = people;
  let start = (1 - targetShare) / Math.sqrt(sides);
  const few = sampleCohorts(market);
  if (few !== market && keep.length === 0) {
    const distributions = {
      of: (quantity: number, dress: Dress) => mixtureOf(bodies, few, quantity, dress),
    };
    const judge = new TailJudge({ ...people, market: few, distributions }, dimensions);
    start = findTail(judge, targetShare, sides, start).tail;
  }
  return findTail(new TailJudge(people, dimensions), targetShare, sides, start);
}

function findTail(
  judge: TailJudge,
  targetShare: number,
  sides: number,
  start: number,
): DesignRanges {
  const outside = 1 - targetShare;
  // At most the sum of all tails is outside, and at least one side's. Sampled percentiles need room.
  let [low, high] = [(0.5 * outside) / sides, Math.min(0.499, 2 * outside)];
  let tail = start;
  let before: { x: number; y: number } | undefined;
  for (let round = 1; ; round++) {
    const found = judge.at(tail);
    const miss = found.share - targetShare;
    if (Math.abs(miss) < TOLERANCE || round === MOST_ROUNDS) return found;
    if (miss > 0) low = tail;
    else high = tail;
    const [x, y] = [Math.log(tail), Math.log(Math.max(1e-9, 1 - found.share) / outside)];
    // At first, the share outside is taken to grow in proportion to the tail.
    const slope = before === undefined ? 1 : (y - before.y) / (x - before.x);
    const next = slope > 0 ? Math.exp(x - y / slope) : Number.NaN;
    before = { x, y };
    tail = next > low && next < high ? next : Math.sqrt(low * high);
  }
}

/** Judges tails: reads the curves of all cohorts once, since only the ends of the ranges move. */
class TailJudge {
  private readonly distributions: readonly Pick<Distribution, 'value'>[];
  /** Quantile curves of each dimension, `Z_COUNT` values for each cohort. */
  private readonly knots: readonly Float64Array[];
  /** Intervals of the conditions alone, over the quantities of conditions and dimensions. */
  private readonly kept: ScoreLimits;
  private readonly columns: readonly number[];
  private readonly factors: Factors;

  constructor(
    private readonly people: RangePeople,
    private readonly dimensions: readonly RangeDimension[],
  ) {
    const { bodies, market, keep, distributions } = people;
    this.distributions = dimensions.map(({ quantity, dress }) => distributions.of(quantity, dress));
    this.knots = dimensions.map(({ quantity, dress }) => readCurves(people, quantity, dress));
    const open = dimensions.map(({ quantity, dress }): Limit => {
      return { quantity, min: 0, max: Number.POSITIVE_INFINITY, dress };
    });
    this.kept = scoreLimits(bodies, market, [...keep, ...open]);
    this.columns = dimensions.map(({ quantity }) => this.kept.quantities.indexOf(quantity));
    this.factors = new Factors(bodies, this.kept.quantities);
  }

  /** The ranges with a tail at every limited side, and the share inside them. */
  at(tail: number): DesignRanges {
    const { market, keptShare } = this.people;
    const limits = this.dimensions.map(({ quantity, side, dress }, d): Limit => {
      const distribution = this.distributions[d] as Pick<Distribution, 'value'>;
      const min = side === 'max' ? 0 : distribution.value(100 * tail);
      const max = side === 'min' ? Number.POSITIVE_INFINITY : distribution.value(100 * (1 - tail));
      return { quantity, min, max, dress };
    });
    const { share, error } = jointShare(market, this.factors, this.scores(limits));
    return { tail, limits, share: Math.min(1, share / keptShare), error: error / keptShare };
  }

  /** The conditions and limits as intervals of scores. */
  private scores(limits: readonly Limit[]): ScoreLimits {
    const { quantities } = this.kept;
    const [low, high] = [this.kept.low.slice(), this.kept.high.slice()];
    limits.forEach(({ min, max }, d) => {
      const knots = this.knots[d] as Float64Array;
      const column = this.columns[d] as number;
      for (let c = 0; c * Z_COUNT < knots.length; c++) {
        const curve = knots.subarray(c * Z_COUNT, (c + 1) * Z_COUNT);
        const at = c * quantities.length + column;
        if (min > 0) low[at] = Math.max(low[at] as number, curveInverse(curve, min));
        if (max < Number.POSITIVE_INFINITY) {
          high[at] = Math.min(high[at] as number, curveInverse(curve, max));
        }
      }
    });
    return { quantities, low, high };
  }
}

/** Quantile curves of a quantity in all cohorts, `Z_COUNT` values for each. */
function readCurves({ bodies, market }: RangePeople, quantity: number, dress: Dress): Float64Array {
  const knots = new Float64Array(market.cohorts.length * Z_COUNT);
  market.cohorts.forEach((cohort, c) => {
    const curve = knots.subarray(c * Z_COUNT, (c + 1) * Z_COUNT);
    if (!bodies.fill(quantity, cohort, dress, curve)) {
      throw new Error(`no model of ${bodies.names[quantity]} in a cohort`);
    }
  });
  return knots;
}
