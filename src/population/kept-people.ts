import type { Bodies } from './bodies.js';
import { type Limit, limitsAt, type ScoreLimits, scoreLimits } from './limits.js';
import { sampleCohorts, type WeightedCohorts } from './market.js';
import { type CohortsMeeting, Factors, jointShare } from './share.js';

/** The people of a population who meet its conditions, in the cohorts that have such people. */
export interface KeptPeople extends CohortsMeeting {
  readonly bodies: Bodies;
  /** The conditions, nude and erect. */
  readonly keep: readonly Limit[];
  /** The conditions as intervals of scores in these cohorts. */
  readonly conditions: ScoreLimits;
  readonly kept: Float64Array;
  /** Index of each cohort in the population. */
  readonly indices: Int32Array;
  /** Share of the whole population that meets the conditions, 0 to 1. */
  readonly keptShare: number;
}

/** Cohorts with a smaller share of the people who meet the conditions are left out. */
const LEAST_WEIGHT = 1e-10;

/**
 * Finds the people who meet conditions.
 *
 * @throws Error for a quantity without a model in a cohort
 */
export function keptPeople(
  bodies: Bodies,
  { cohorts, weights }: WeightedCohorts,
  keep: readonly Limit[],
): KeptPeople {
  const all = scoreLimits(bodies, { cohorts }, keep);
  const factors = new Factors(bodies, all.quantities);
  const { share, byCohort } = jointShare({ cohorts, weights }, factors, all);
  const left = (c: number): number => ((weights[c] as number) * (byCohort[c] as number)) / share;
  const indices = Int32Array.from(cohorts.keys()).filter((c) => left(c) > LEAST_WEIGHT);
  return {
    ...{ bodies, keep, indices, keptShare: share },
    cohorts: Array.from(indices, (c) => cohorts[c] as (typeof cohorts)[number]),
    weights: Float64Array.from(indices, left),
    kept: Float64Array.from(indices, (c) => byCohort[c] as number),
    conditions: limitsAt(all, indices),
  };
}

/** The same people, or a sample of their cohorts where they have very many. */
export function sampleOfCohorts(people: KeptPeople): KeptPeople {
  const sampled = sampleCohorts(people);
  if (sampled === undefined) return people;
  const { cohorts, kept, indices, conditions } = people;
  return {
    ...people,
    cohorts: sampled.map((c) => cohorts[c] as (typeof cohorts)[number]),
    weights: new Float64Array(sampled.length).fill(1 / sampled.length),
    kept: Float64Array.from(sampled, (c) => kept[c] as number),
    indices: Int32Array.from(sampled, (c) => indices[c] as number),
    conditions: limitsAt(conditions, sampled),
  };
}
