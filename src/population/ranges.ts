import { Distributions } from './distribution.js';
import {
  Factors,
  joinLimits,
  jointShare,
  type KeptPeople,
  type Limit,
  sampleOfCohorts,
  scoreLimits,
} from './limits.js';
import type { Mixture } from './mixture.js';
import type { Profiles } from './people-model.js';

/** Sides of a dimension that a design limits. */
export const SIDES = ['both', 'min', 'max'] as const;

/** A dimension of a design, and the sides that the design limits. */
export interface RangeDimension {
  readonly quantity: number;
  readonly side: (typeof SIDES)[number];
  readonly profiles: Profiles;
}

/** Ranges that accommodate a share of people. */
export interface DesignRanges {
  /** Share of the people beyond each limited side, 0 to 1. */
  readonly tail: number;
  /** One limit for each dimension, in mm, kg/m² or kg. */
  readonly limits: readonly Limit[];
  /** Share of the people inside all ranges, 0 to 1. */
  readonly share: number;
  /** Half width of the 95 % interval of `share`. */
  readonly error: number;
}

/** The share may miss its target by this much. It is far smaller than the numerical error. */
const TOLERANCE = 1e-4;
/** The search stops when the bounds of a tail are this near to each other. */
const LEAST_STEP = 1e-7;
const MOST_ROUNDS = 30;

/**
 * Finds ranges with the same tail probability at every limited side, so that the target share of people is inside all
 * ranges. Every tail is judged with the same lattice points (common random numbers; Glasserman 2003, Monte Carlo
 * Methods in Financial Engineering, 7.1), so the share falls steadily as the tail grows. The search begins with the
 * bounds of Bonferroni and uses the secant method on logarithms. If a step would leave the bounds, it uses bisection
 * (Press 2007, Numerical Recipes, 9.3). If there are very many cohorts, it first uses a sample of them, then all.
 *
 * @param dimensions at least one; no quantity twice
 * @param targetShare 0 to 1, both excluded
 * @throws Error for a quantity without a model in a cohort
 */
export function designRanges(
  people: KeptPeople,
  dimensions: readonly RangeDimension[],
  targetShare: number,
): DesignRanges {
  const sides = dimensions.reduce((sum, { side }) => sum + (side === 'both' ? 2 : 1), 0);
  const distributions = new Distributions(people);
  const mixtures = dimensions.map(({ quantity, profiles }) => distributions.of(quantity, profiles));
  const few = sampleOfCohorts(people);
  // The share outside is at least one side's tail, and at most the sum of all tails. Sampled percentiles need a margin.
  const outside = 1 - targetShare;
  const most = sides > dimensions.length ? 0.499 : 0.999;
  const bounds = [(0.5 * outside) / sides, Math.min(most, 2 * outside)] as const;
  const rough = { tail: outside / Math.sqrt(sides), slope: 1 };
  const start =
    few === people
      ? rough
      : findTail(new TailJudge(few, dimensions, mixtures), targetShare, bounds, rough);
  const judge = new TailJudge(people, dimensions, mixtures);
  return findTail(judge, targetShare, bounds, start).found;
}

/** The start of a search: a tail, and how fast the share outside grows with the tail, both as logarithms. */
interface Start {
  readonly tail: number;
  readonly slope: number;
}

function findTail(
  judge: TailJudge,
  targetShare: number,
  bounds: readonly [low: number, high: number],
  start: Start,
): Start & { found: DesignRanges } {
  const outside = 1 - targetShare;
  let [low, high] = bounds;
  let { tail, slope } = start;
  let before: { x: number; y: number } | undefined;
  for (let round = 1; ; round++) {
    const found = judge.at(tail);
    const miss = found.share - targetShare;
    const [x, y] = [Math.log(tail), Math.log(Math.max(1e-9, 1 - found.share) / outside)];
    if (before !== undefined) slope = (y - before.y) / (x - before.x);
    if (miss > 0) low = tail;
    else high = tail;
    if (Math.abs(miss) < TOLERANCE || high - low < LEAST_STEP || round === MOST_ROUNDS) {
      return { tail, slope, found };
    }
    const next = slope > 0 ? Math.exp(x - y / slope) : Number.NaN;
    before = { x, y };
    tail = next > low && next < high ? next : Math.sqrt(low * high);
  }
}

/** Judges tails. */
class TailJudge {
  private readonly factors: Factors;

  /** @param mixtures distribution of each dimension over all people */
  constructor(
    private readonly people: KeptPeople,
    private readonly dimensions: readonly RangeDimension[],
    private readonly mixtures: readonly Mixture[],
  ) {
    const quantities = dimensions.map(({ quantity }) => quantity);
    const all = new Set([...people.conditions.quantities, ...quantities]);
    this.factors = new Factors(people.peopleModel, [...all]);
  }

  /** The ranges for a tail at every limited side, and the share of people inside them. */
  at(tail: number): DesignRanges {
    const { people } = this;
    const limits = this.dimensions.map(({ quantity, side, profiles }, d): Limit => {
      const mixture = this.mixtures[d];
      const min = side === 'max' ? 0 : mixture.value(100 * tail);
      const max = side === 'min' ? Number.POSITIVE_INFINITY : mixture.value(100 * (1 - tail));
      return { quantity, min, max, profiles };
    });
    const ranges = scoreLimits(people.peopleModel, people, limits);
    const all = joinLimits([people.conditions, ranges], people.cohorts.length);
    const { share, error } = jointShare(people, this.factors, all);
    return { tail, limits, share: Math.min(1, share), error };
  }
}
