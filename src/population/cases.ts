import { curveValue, zOfPercentile } from '../lookup/cell.js';
import { caseDirections } from './case-directions.js';
import { type BoundaryCase, CaseMaker } from './case-maker.js';
import type { JointBodies } from './joint.js';
import { latticePeople } from './lattice-people.js';
import { likeliestCohorts } from './likeliest-cohorts.js';
import {
  Factors,
  joinLimits,
  jointShare,
  type KeptPeople,
  type Limit,
  sampleOfCohorts,
  scoreLimits,
} from './limits.js';
import { NUDE, type Profiles } from './people-model.js';
import { scoreSpace } from './score-space.js';

/** Cases, and the share of people whom a design for all of these cases accommodates. */
export interface BoundaryCases {
  readonly cases: readonly BoundaryCase[];
  /** 0 to 1. */
  readonly share: number;
  /** Half width of the 95 % interval of `share`. */
  readonly error: number;
}

/** People of the sample that gives the components. */
const PEOPLE = 8192;
const SEED = 70_001;
/** The share may exceed its target by this much. */
const TOLERANCE = 0.002;
const MOST_ROUNDS = 12;
/** Maximum radius in standard deviations. Hardly anybody is beyond it. */
const RADIUS_MAX = 4;
/**
 * Returns cases on the boundary of a share of people: complete people at one distance from the centre of the
 * population, in opposite pairs (Bittner 2000, A-CADRE; HFES 300 Committee 2004). The distance is chosen so that a
 * design for all cases accommodates the target share. In each chosen quantity, this design covers the range from the
 * smallest to the largest case. If there are many quantities, a few cases cannot reach all corners; the share is then
 * below the target.
 *
 * @param quantities 2 to 8, all different
 * @param targetShare 0 to 1, both excluded
 * @throws Error for a quantity without a model in a cohort
 */
export function boundaryCases(
  joint: JointBodies,
  people: KeptPeople,
  quantities: readonly number[],
  profiles: Profiles,
  targetShare: number,
  count: number,
): BoundaryCases {
  const few = sampleOfCohorts(people);
  const space = scoreSpace(latticePeople(few, quantities, NUDE, PEOPLE, SEED));
  const directions = caseDirections(space, count);
  let radius = zOfPercentile(100 * (1 - (1 - targetShare) / (2 * Math.sqrt(quantities.length))));
  const points = directions.map((direction) =>
    quantities.map((_, j) => curveValue(space.curves[j], radius * direction[j])),
  );
  const cohorts = likeliestCohorts(few, quantities, points);
  const maker = new CaseMaker({ joint, keep: people.keep }, quantities, profiles, space.curves);
  const at = (distance: number) =>
    directions.map((direction, i) => maker.make(cohorts[i], direction, distance));
  const judge = new BoxJudge(few, quantities, profiles);
  const goal = reach(targetShare + TOLERANCE / 2);
  let [low, high] = [0, RADIUS_MAX];
  let before: { radius: number; reached: number } | undefined;
  let cases = at(radius);
  for (let round = 1; round < MOST_ROUNDS; round++) {
    const { share } = judge.share(cases);
    if (share >= targetShare && share < targetShare + TOLERANCE) break;
    if (share < targetShare) low = radius;
    else high = radius;
    const reached = reach(share);
    // In the first round, the reach of the box is assumed to be proportional to the radius.
    const slope = before === undefined ? 1 : (reached - before.reached) / (radius - before.radius);
    const next = slope > 0 ? radius + (goal - reached) / slope : Number.NaN;
    before = { radius, reached };
    radius = next > low && next < high ? next : (low + high) / 2;
    cases = at(radius);
  }
  const all = few === people ? judge : new BoxJudge(people, quantities, profiles);
  return { cases, ...all.share(cases) };
}

/** Half width, in standard deviations, of the range that contains a share of one normal quantity. */
function reach(share: number): number {
  return zOfPercentile(50 * (1 + Math.min(share, 1 - 1e-9)));
}

/** Computes the share of people in the box from the smallest to the largest case in each quantity. */
class BoxJudge {
  private readonly factors: Factors;

  constructor(
    private readonly people: KeptPeople,
    private readonly quantities: readonly number[],
    private readonly profiles: Profiles,
  ) {
    const all = new Set([...people.conditions.quantities, ...quantities]);
    this.factors = new Factors(people.peopleModel, [...all]);
  }

  /** Share of the people inside the box, 0 to 1. */
  share(cases: readonly BoundaryCase[]): { share: number; error: number } {
    const { people } = this;
    const box = this.quantities.map((quantity): Limit => {
      const values = cases.map((one) => one.values[quantity]);
      return {
        quantity,
        min: Math.min(...values),
        max: Math.max(...values),
        profiles: this.profiles,
      };
    });
    const sides = scoreLimits(people.peopleModel, people, box);
    const limits = joinLimits([people.conditions, sides], people.cohorts.length);
    const { share, error } = jointShare(people, this.factors, limits);
    return { share: Math.min(1, share), error };
  }
}
