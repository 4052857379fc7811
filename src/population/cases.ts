import { curveInverse, curveSlope, curveValue, zOfPercentile } from '../lookup/cell.js';
import {
  bisected,
  choleskyInPlace,
  lowerTriangle,
  squareDistance,
  symmetric,
} from '../numerics/numerics.js';
import { shifts } from './box-probability.js';
import {
  isOrdered,
  keptByMedians,
  type QuantityConstraint,
  quantityConstraints,
} from './constraints.js';
import type { JointPeople } from './joint.js';
import { latticePeople, type ScoreSpace, scoreSpace } from './lattice-people.js';
import {
  Factors,
  joinLimits,
  jointShare,
  type KeptPeople,
  type Limit,
  sampleOfCohorts,
  scoreLimits,
} from './limits.js';
import {
  type Cohort,
  CohortCurves,
  NUDE,
  type PeopleModel,
  type Profiles,
  type WeightedCohorts,
} from './people-model.js';
import { completePerson, type Known } from './person.js';

/** Cases, and the share of people whom a design for all of these cases accommodates. */
interface BoundaryCases {
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
  joint: JointPeople,
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

/** If a case reaches at least this share of a quantity's maximum, the quantity needs no case of its own. */
const REACHED = 0.97;
/** If no score along a direction reaches this value, the person at its end is too near the middle to be a case. */
const LEAST_SCORE = 0.3;
/** Points spread over the ellipsoid that may fill gaps. */
const SPREAD = 512;

/**
 * Directions of boundary cases in the space of scores, in opposite pairs. They are points of the ellipsoid of constant
 * density at distance 1 from the centre. First come the first two principal components, which separate small from tall
 * and the main proportions. Then, for the quantities that these reach least, come the points where such a quantity is
 * largest. The rest fill the widest gaps: further components, their diagonals, and points spread over the ellipsoid
 * (Bittner 2000, A-CADRE).
 *
 * @param count number of directions; if it is odd, the last has no opposite
 * @returns scores of each direction, one for each quantity
 */
export function caseDirections({ components, tops }: ScoreSpace, count: number): Float64Array[] {
  const pairs = Math.ceil(count / 2);
  const chosen = components.slice(0, Math.min(2, pairs));
  while (chosen.length < pairs) {
    const reached = tops.map((_, j) => Math.max(...chosen.map((one) => Math.abs(one[j]))));
    const least = reached.indexOf(Math.min(...reached));
    if (reached[least] >= REACHED) break;
    chosen.push(tops[least]);
  }
  const candidates = [
    ...[...components.slice(2), ...tops, ...diagonals(components)],
    ...spreadPoints(components),
  ].filter((candidate) => candidate.some((score) => Math.abs(score) >= LEAST_SCORE));
  const nearness = candidates.map((candidate) =>
    Math.max(...chosen.map((one) => Math.abs(cosine(components, one, candidate)))),
  );
  while (chosen.length < pairs) {
    const next = candidates[nearness.indexOf(Math.min(...nearness))];
    chosen.push(next);
    candidates.forEach((candidate, i) => {
      const near = Math.abs(cosine(components, next, candidate));
      nearness[i] = Math.max(nearness[i], near);
    });
  }
  return chosen.flatMap((one) => [one.map((score) => -score), one]).slice(0, count);
}

/** Cosine of the angle between two points at distance 1. Every component counts as having length 1. */
function cosine(components: readonly Float64Array[], a: Float64Array, b: Float64Array): number {
  return components.reduce((sum, component) => {
    const square = dot(component, component);
    if (square < 1e-9) return sum;
    return sum + (dot(a, component) / square) * (dot(b, component) / square);
  }, 0);
}

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}

/** Points with the same distance along every component, in all combinations of signs except opposites. */
function diagonals(components: readonly Float64Array[]): Float64Array[] {
  return Array.from({ length: 2 ** (components.length - 1) }, (_, signs) =>
    pointAlong(components, (i) => ((signs >> i) % 2 === 0 ? 1 : -1)),
  );
}

/** Points in random directions, the same in every run. */
function spreadPoints(components: readonly Float64Array[]): Float64Array[] {
  const random = shifts(90_001);
  return Array.from({ length: SPREAD }, () =>
    pointAlong(components, () => zOfPercentile(100 * random())),
  );
}

/** The point at distance 1 in a direction. The direction is given by distances along the components. */
function pointAlong(
  components: readonly Float64Array[],
  along: (component: number) => number,
): Float64Array {
  const distances = components.map((_, i) => along(i));
  const length = Math.hypot(...distances);
  const point = new Float64Array(components.length);
  components.forEach((component, i) => {
    component.forEach((score, j) => {
      point[j] += (distances[i] / length) * score;
    });
  });
  return point;
}

/** The people for whom cases stand. */
interface CasePeople {
  readonly joint: JointPeople;
  /** Conditions that the cases meet. */
  readonly keep: readonly Limit[];
}

/** A person on the boundary of the share of people to accommodate. */
interface BoundaryCase {
  readonly cohort: Cohort;
  /** Values of all quantities in the requested clothing and posture; NaN if there is no model. */
  readonly values: Float64Array;
  /** The intended scores of the chosen quantities in the whole population. */
  readonly scores: Float64Array;
}

/** Number of bisections on the way from a person to the centre of the cohort. */
const BISECTIONS = 8;
/** Normal score of the most unusual person of a cohort. One person in 10,000 is as unusual. */
const MOST_UNUSUAL_Z = 3.7;

/** Makes complete people from the scores of a few quantities in a population. */
class CaseMaker {
  private readonly nude: CohortCurves;
  private readonly dressed: CohortCurves;
  private readonly constraints: readonly QuantityConstraint[];

  /** @param curves quantile curve of each chosen quantity in the population, nude and erect */
  constructor(
    private readonly people: CasePeople,
    private readonly quantities: readonly number[],
    private readonly profiles: Profiles,
    private readonly curves: readonly Float64Array[],
  ) {
    const { joint } = people;
    this.nude = joint.curves();
    this.dressed = joint.curves(profiles);
    this.constraints = quantityConstraints(joint.peopleModel);
  }

  /**
   * The most probable person of a cohort at a distance from the centre of the population. If parts of the person would
   * be larger than their wholes, or if fewer than one in 10,000 people of the cohort would be as unusual, the person is
   * moved towards the medians of the cohort.
   *
   * @param direction scores at distance 1
   */
  make(cohort: Cohort, direction: Float64Array, distance: number): BoundaryCase {
    const scores = direction.map((score) => distance * score);
    const aimed = this.complete(cohort, scores, 1);
    const { values } = aimed.exists ? aimed : this.nearest(cohort, scores);
    if (this.profiles.clothing !== 0 || this.profiles.posture !== 0) {
      this.dressed.at(cohort);
      this.people.joint.applyProfiles(this.nude, this.dressed, values, [...values.keys()]);
    }
    return { cohort, values, scores };
  }

  /** The possible person nearest to some scores, on the way to the medians of the cohort. */
  private nearest(cohort: Cohort, scores: Float64Array) {
    const exists = (shrink: number) => this.complete(cohort, scores, shrink).exists;
    return this.complete(cohort, scores, bisected([0, 1], BISECTIONS, exists));
  }

  /** The nude and erect person who meets the conditions, and whether such a person is possible. */
  private complete(cohort: Cohort, scores: Float64Array, shrink: number) {
    this.nude.at(cohort);
    const chosen = this.quantities.map((quantity, j): Known => {
      const aim = curveValue(this.curves[j], scores[j]);
      const median = this.nude.value(quantity, 0);
      return { quantity, value: median + shrink * (aim - median) };
    });
    const first = this.person(cohort, chosen);
    const broken = this.people.keep.flatMap(({ quantity, min, max }): Known[] => {
      const value = first.values[quantity];
      if (this.quantities.includes(quantity) || (value >= min && value <= max)) return [];
      return [{ quantity, value: Math.min(max, Math.max(min, value)) }];
    });
    return broken.length === 0 ? first : this.person(cohort, [...chosen, ...broken]);
  }

  private person(cohort: Cohort, known: readonly Known[]) {
    const { joint } = this.people;
    const { scores } = completePerson(joint, cohort, this.nude, known, 0);
    const basis = joint.basis(cohort);
    const values = new Float64Array(joint.peopleModel.names.length);
    joint.values(cohort, basis, this.nude, scores, values);
    const unusual = squareDistance(basis.factor, scores) > mostUnusual(known.length);
    const constraints = keptByMedians(this.constraints, this.nude);
    const exists = !unusual && isOrdered(constraints, cohort.ageYears, values);
    return { values, exists };
  }
}

/** Chi-square quantile for the degrees of freedom (Wilson and Hilferty 1931, PNAS 17:684). */
function mostUnusual(freedom: number): number {
  const spread = 2 / (9 * freedom);
  return freedom * (1 - spread + MOST_UNUSUAL_Z * Math.sqrt(spread)) ** 3;
}

/** Share of independent variance in each quantity. Without it, quantities that repeat each other would dominate. */
const INDEPENDENT = 0.02;

/**
 * For each point, the most probable cohort of a person with these values. This cohort has the largest weight × density
 * (Bayes' theorem under the normal copula of each cohort).
 *
 * @param points values of the quantities, nude and erect, in mm, kg/m² or kg; [point][quantity]
 * @throws Error for a quantity without a model in a cohort
 */
function likeliestCohorts(
  { peopleModel, cohorts, weights }: WeightedCohorts & { readonly peopleModel: PeopleModel },
  quantities: readonly number[],
  points: readonly (readonly number[])[],
): Cohort[] {
  const curves = new CohortCurves(peopleModel);
  const factors = new Map<string, { factor: Float64Array; logRoot: number }>();
  const k = quantities.length;
  const scores = new Float64Array(k);
  const likeliest = points.map(() => ({ cohort: cohorts[0], most: -Infinity }));
  cohorts.forEach((cohort, c) => {
    curves.at(cohort);
    const key = `${cohort.gender}|${cohort.ageYears}`;
    const known = factors.get(key) ?? factorOf(peopleModel, cohort, quantities);
    factors.set(key, known);
    points.forEach((point, p) => {
      let log = Math.log(weights[c]) - known.logRoot;
      quantities.forEach((quantity, j) => {
        const knots = curves.of(quantity);
        if (knots === undefined) throw new Error(`no model of ${peopleModel.names[quantity]}`);
        const score = curveInverse(knots, point[j]);
        scores[j] = score;
        log -= Math.log(curveSlope(knots, score));
      });
      log -= squareDistance(known.factor, scores) / 2;
      const best = likeliest[p] as { cohort: Cohort | undefined; most: number };
      if (log > best.most) likeliest[p] = { cohort, most: log };
    });
  });
  return likeliest.map(({ cohort }) => cohort);
}

/** Cholesky factor of the correlations in a cohort, and the logarithm of its determinant. */
function factorOf(
  peopleModel: PeopleModel,
  { gender, ageYears }: Cohort,
  quantities: readonly number[],
) {
  const k = quantities.length;
  const factor = lowerTriangle(k, (i, j) => {
    const [a, b] = [quantities[i], quantities[j]];
    return i === j ? 1 : (1 - INDEPENDENT) * peopleModel.rho(gender, ageYears, a, b);
  });
  choleskyInPlace(factor, k);
  const logRoot = quantities.reduce((sum, _, i) => sum + Math.log(symmetric(factor, i, i)), 0);
  return { factor, logRoot };
}
