import { curveInverse } from '../lookup/cell.js';
import { Z_COUNT } from '../lookup/format.js';
import { choleskyInPlace, lowerTriangle } from '../numerics/numerics.js';
import { boxProbability, meanOf, REPETITIONS, shifts } from './box-probability.js';
import {
  type Cohort,
  type PeopleModel,
  type Profiles,
  sampleCohorts,
  type WeightedCohorts,
} from './people-model.js';

/** A range in which a quantity of a person must lie, in mm, kg/m² or kg. */
export interface Limit {
  readonly quantity: number;
  /** −Infinity for none. */
  readonly min: number;
  /** Infinity for none. */
  readonly max: number;
  readonly profiles: Profiles;
}

/** Limits as intervals of normal scores, one for each quantity in each cohort. */
export interface ScoreLimits {
  /** Quantities, all different. */
  readonly quantities: readonly number[];
  /** Lower ends, [cohort][quantity]; −Infinity for none. */
  readonly low: Float64Array;
  /** Upper ends in the same order; Infinity for none. */
  readonly high: Float64Array;
}

/**
 * Converts limits to intervals of normal scores in every cohort. Several limits of one quantity become one interval,
 * even in different clothing, because a person keeps their score.
 *
 * @throws Error for a quantity without a model in a cohort
 */
export function scoreLimits(
  peopleModel: PeopleModel,
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
  for (const { quantity, min, max, profiles } of limits) {
    const i = quantities.indexOf(quantity);
    cohorts.forEach((cohort, c) => {
      if (!peopleModel.fill(quantity, cohort, profiles, knots)) {
        throw new Error(`no model of ${peopleModel.names[quantity]}`);
      }
      const at = c * n + i;
      if (min > 0) low[at] = Math.max(low[at], curveInverse(knots, min));
      if (max < Number.POSITIVE_INFINITY) {
        high[at] = Math.min(high[at], curveInverse(knots, max));
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
        all.low[at] = Math.max(all.low[at], one.low[c * k + i]);
        all.high[at] = Math.min(all.high[at], one.high[c * k + i]);
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
    if (n === 0) return some;
    for (let i = 0; i < cohorts.length; i++) {
      const c = cohorts[i];
      some.set(ends.subarray(c * n, (c + 1) * n), i * n);
    }
    return some;
  };
  return { quantities, low: of(low), high: of(high) };
}

/** An empty list of limits on some quantities. */
function openLimits(quantities: readonly number[], cohorts: number): ScoreLimits {
  const distinct = [...new Set(quantities)];
  const size = cohorts * distinct.length;
  return {
    quantities: distinct,
    low: new Float64Array(size).fill(Number.NEGATIVE_INFINITY),
    high: new Float64Array(size).fill(Number.POSITIVE_INFINITY),
  };
}

/**
 * Number of lattice points of one repetition. Each cohort gets one point; the rest are shared by weight, up to
 * `POINTS_MOST` per cohort.
 */
const POINTS = 6000;
const POINTS_MOST = 2048;

/** Share of people inside limits. */
export interface JointShare {
  readonly share: number;
  /** Half width of the 95 % interval of the share. */
  readonly error: number;
  /** Share inside the limits in each cohort. */
  readonly byCohort: Float64Array;
}

/** Cholesky factors of the correlations of some quantities, for each gender and age. Each is computed once. */
export class Factors {
  private readonly known = new Map<number, Float64Array>();

  constructor(
    private readonly peopleModel: PeopleModel,
    private readonly quantities: readonly number[],
  ) {}

  /** Factor of a cohort, as a triangle. */
  of({ gender, ageYears }: Cohort): Float64Array {
    // Ages are below 1,024 years.
    const key = gender * 1024 + ageYears;
    const found = this.known.get(key);
    if (found !== undefined) return found;
    const { peopleModel, quantities } = this;
    const n = quantities.length;
    const factor = lowerTriangle(n, (i, j) =>
      peopleModel.rho(gender, ageYears, quantities[i], quantities[j]),
    );
    choleskyInPlace(factor, n);
    this.known.set(key, factor);
    return factor;
  }
}

/** Cohorts of people who meet conditions. */
export interface CohortsMeeting extends WeightedCohorts {
  /** Share of each cohort that meets the conditions, 0 to 1. The weights are those of the people who meet them. */
  readonly kept?: Float64Array;
}

/**
 * Share of a population whose normal scores lie inside limits, under the normal copula of the artifact. The share of
 * each cohort is a box probability. Every repetition shifts the lattice of every cohort.
 *
 * @param limits all limits, including those of the conditions
 */
export function jointShare(
  { cohorts, weights, kept }: CohortsMeeting,
  factors: Factors,
  { quantities, low, high }: ScoreLimits,
): JointShare {
  const n = quantities.length;
  const byCohort = new Float64Array(cohorts.length);
  if (n === 0) return { share: 1, error: 0, byCohort: byCohort.fill(1) };
  const random = shifts(20_011);
  const shift = new Float64Array(n);
  const totals = new Float64Array(REPETITIONS);
  cohorts.forEach((cohort, c) => {
    const factor = factors.of(cohort);
    const [from, to] = [low.subarray(c * n, c * n + n), high.subarray(c * n, c * n + n)];
    const weight = weights[c];
    const perPerson = weight / (kept?.[c] ?? 1);
    const points = Math.min(POINTS_MOST, 1 + Math.round(POINTS * weight));
    let sum = 0;
    for (let r = 0; r < REPETITIONS; r++) {
      for (let i = 0; i < n - 1; i++) shift[i] = random();
      const inside = boxProbability(factor, from, to, n, points, shift);
      totals[r] += perPerson * inside;
      sum += inside;
    }
    byCohort[c] = sum / REPETITIONS;
  });
  const { mean: share, error } = meanOf(totals);
  return { share, error: n === 1 ? 0 : error, byCohort };
}

/**
 * Number of lattice points that find the people who fail only one limit. The limits share them, and so do the cohorts
 * by weight.
 */
const ALONE_POINTS = 20_000;

/**
 * Share of a population that fails exactly one limit, for each limit. These people are below or above the limit and
 * inside all others: two box probabilities as in `jointShare`. If there are very many cohorts, a sample represents
 * them.
 *
 * @param factors factors of `quantities`
 * @param quantities quantities of the conditions and of all limits
 * @param limits limits of one quantity each
 */
export function soleFailures(
  people: KeptPeople,
  factors: Factors,
  quantities: readonly number[],
  limits: readonly ScoreLimits[],
): Float64Array {
  const failures = new Float64Array(limits.length);
  const n = quantities.length;
  const inOrder = ({ quantities: some, low, high }: ScoreLimits) => {
    return { places: some.map((quantity) => quantities.indexOf(quantity)), low, high };
  };
  const conditions = inOrder(people.conditions);
  const each = limits.map(inOrder);
  const othersOf = each.map((one) => [conditions, ...each.filter((other) => other !== one)]);
  const [from, to] = [new Float64Array(n), new Float64Array(n)];
  const shift = new Float64Array(n);
  const random = shifts(40_009);
  const sampled = sampleCohorts(people);
  const count = sampled?.length ?? people.cohorts.length;
  for (let i = 0; i < count; i++) {
    const c = sampled?.[i] ?? i;
    const weight = sampled === undefined ? people.weights[c] : 1 / count;
    const perPerson = weight / people.kept[c];
    const points = 1 + Math.round((ALONE_POINTS / limits.length) * weight);
    const factor = factors.of(people.cohorts[c]);
    for (let j = 0; j < n; j++) shift[j] = random();
    each.forEach((one, l) => {
      const place = one.places[0];
      const failing = (ends: Float64Array, end: number): number => {
        from.fill(Number.NEGATIVE_INFINITY);
        to.fill(Number.POSITIVE_INFINITY);
        for (const other of othersOf[l]) narrow(other, c, from, to);
        const reached = ends === to ? Math.min : Math.max;
        ends[place] = reached(ends[place], end);
        return boxProbability(factor, from, to, n, points, shift);
      };
      const [low, high] = [one.low[c], one.high[c]];
      const below = low > Number.NEGATIVE_INFINITY ? failing(to, low) : 0;
      const above = high < Number.POSITIVE_INFINITY ? failing(from, high) : 0;
      failures[l] += perPerson * (below + above);
    });
  }
  return failures;
}

/** Narrows the intervals of scores of a cohort to some limits. */
function narrow(
  { places, low, high }: Pick<ScoreLimits, 'low' | 'high'> & { readonly places: readonly number[] },
  cohort: number,
  from: Float64Array,
  to: Float64Array,
): void {
  places.forEach((place, i) => {
    const at = cohort * places.length + i;
    from[place] = Math.max(from[place], low[at]);
    to[place] = Math.min(to[place], high[at]);
  });
}

/** The people of a population who meet its conditions. Only cohorts with such people are included. */
export interface KeptPeople extends CohortsMeeting {
  readonly peopleModel: PeopleModel;
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

/** Cohorts are left out if a smaller share of them meets the conditions. */
const LEAST_KEPT = 1e-10;

/**
 * Finds the people who meet conditions.
 *
 * @throws Error for a quantity without a model in a cohort
 */
export function keptPeople(
  peopleModel: PeopleModel,
  { cohorts, weights }: WeightedCohorts,
  keep: readonly Limit[],
): KeptPeople {
  const all = scoreLimits(peopleModel, { cohorts }, keep);
  const factors = new Factors(peopleModel, all.quantities);
  const { share, byCohort } = jointShare({ cohorts, weights }, factors, all);
  const left = new Float64Array(cohorts.length);
  const indices = new Int32Array(cohorts.length);
  let length = 0;
  for (let c = 0; c < left.length; c++) {
    left[c] = (weights[c] * byCohort[c]) / share;
    if (byCohort[c] > LEAST_KEPT) indices[length++] = c;
  }
  const inside = indices.subarray(0, length);
  return {
    ...{ peopleModel, keep, indices: inside, keptShare: share },
    cohorts: length === left.length ? cohorts : Array.from(inside, (c) => cohorts[c]),
    weights: pick(left, inside),
    kept: pick(byCohort, inside),
    conditions: limitsAt(all, inside),
  };
}

/** Returns the numbers at the indices. */
function pick(numbers: Float64Array, indices: Int32Array): Float64Array {
  const picked = new Float64Array(indices.length);
  for (let i = 0; i < indices.length; i++) picked[i] = numbers[indices[i]];
  return picked;
}

/** The same people, or a sample of their cohorts if there are very many. */
export function sampleOfCohorts(people: KeptPeople): KeptPeople {
  const sampled = sampleCohorts(people);
  if (sampled === undefined) return people;
  const { cohorts, kept, indices, conditions } = people;
  return {
    ...people,
    cohorts: sampled.map((c) => cohorts[c]),
    weights: new Float64Array(sampled.length).fill(1 / sampled.length),
    kept: Float64Array.from(sampled, (c) => kept[c]),
    indices: Int32Array.from(sampled, (c) => indices[c]),
    conditions: limitsAt(conditions, sampled),
  };
}

/**
 * Share of people inside limits together; 0 if a limit leaves no range.
 *
 * @throws Error for a quantity without a model in a cohort
 */
export function shareWithin(people: KeptPeople, limits: readonly Limit[]): JointShare {
  const { peopleModel, conditions, cohorts } = people;
  if (limits.some(({ min, max }) => min >= max)) {
    return { share: 0, error: 0, byCohort: new Float64Array(cohorts.length) };
  }
  const all = joinLimits([conditions, scoreLimits(peopleModel, people, limits)], cohorts.length);
  const found = jointShare(people, new Factors(peopleModel, all.quantities), all);
  return { ...found, share: Math.min(1, found.share) };
}
