import { createHash } from 'node:crypto';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import { BoundedMap } from '../core/bounded-map.js';
import {
  choleskyInPlace,
  firstIndex,
  lowerTriangle,
  rowStart,
  scoreOfShare,
  symmetric,
} from '../numerics/numerics.js';
import {
  isBroken,
  keptByMedians,
  type QuantityConstraint,
  quantityConstraints,
} from './constraints.js';
import type { Basis, JointPeople } from './joint.js';
import { LocalSlopes } from './local-slopes.js';
import type { Cohort, CohortCurves, WeightedCohorts } from './people-model.js';

/** A condition that people must meet, in mm, kg/m² or kg, nude and erect. */
interface Condition {
  readonly quantity: number;
  readonly min: number;
  readonly max: number;
}

/**
 * Maximum number of bodies drawn for one person, until a body meets the constraints. Scores that decide conditions
 * stay.
 */
const BODIES_MAX = 20;
/**
 * Maximum number of people drawn for one person, until one meets the conditions. At least a thousandth of people meet
 * them.
 */
const PEOPLE_MAX = 100_000;
/** Minimum probability of a score. */
const LEAST = 1e-12;
/** Maximum number of bases for conditions that are kept. Each takes 60 kB. */
const BASES_MAX = 384;

/** A basis whose first scores decide the conditions. */
interface OrderedBasis {
  readonly basis: Basis;
  /** Quantity of each score. */
  readonly order: readonly number[];
  /** Position in the basis of each score. */
  readonly position: Int32Array;
  /** The inverse of `position`. */
  readonly rank: Int32Array;
  /** Cholesky factor of the scores in this order, as a triangle. */
  readonly factor: Float64Array;
  /** Number of scores that decide the conditions. */
  readonly deciding: number;
}

/** A person drawn from a population. */
export interface Person {
  readonly cohort: Cohort;
  /** Values of all quantities, nude and erect. The next person uses the same memory. */
  readonly values: Float64Array;
}

/**
 * Draws people from a population. Person i depends only on the artifact, the population, the seed and i. A hash of the
 * seed and i gives each person their own random numbers. The scores that decide the conditions are drawn first, until a
 * cohort and scores meet the conditions. The other scores follow, until the body meets the constraints of parts and
 * wholes.
 */
export class PeopleSource {
  private readonly cumulative: Float64Array;
  private readonly mirror: ConstraintMirror;
  private readonly values: Float64Array;
  private readonly curves: CohortCurves;
  private readonly bases = new BoundedMap<string, OrderedBasis>(BASES_MAX);
  /** Free quantities that decide the conditions. */
  private readonly deciding: ReadonlySet<number>;
  private readonly independent: Float64Array;
  private readonly scores: Float64Array;

  constructor(
    private readonly joint: JointPeople,
    private readonly market: WeightedCohorts,
    private readonly keep: readonly Condition[],
    private readonly seed: number,
  ) {
    let sum = 0;
    this.cumulative = market.weights.map((weight) => {
      sum += weight;
      return sum;
    });
    const size = joint.peopleModel.names.length;
    this.mirror = new ConstraintMirror(joint);
    this.values = new Float64Array(size);
    this.curves = joint.curves();
    this.deciding = new Set(keep.flatMap(({ quantity }) => joint.partsOf(quantity)));
    this.independent = new Float64Array(size);
    this.scores = new Float64Array(size);
  }

  /**
   * Person i of the population, 0 to 2³² − 1.
   *
   * @throws Error if no body meets the conditions and the constraints
   */
  person(i: number): Person {
    const { joint, market, values, curves } = this;
    const uniform = randomNumbers(this.seed, i);
    for (let drawn = 0; drawn < PEOPLE_MAX; drawn++) {
      const cohort = market.cohorts[this.cohortAt(uniform())];
      const ordered = this.basisOf(cohort);
      curves.at(cohort);
      this.draw(ordered, uniform, 0, ordered.deciding);
      if (!this.meetsConditions(ordered, cohort)) continue;
      const isFixed = (position: number) => ordered.rank[position] < ordered.deciding;
      for (let body = 0; body < BODIES_MAX; body++) {
        this.draw(ordered, uniform, ordered.deciding, ordered.order.length);
        joint.values(cohort, ordered.basis, curves, this.scores, values);
        const { basis } = ordered;
        if (this.mirror.mirror(cohort, basis, curves, this.scores, values, isFixed)) {
          return { cohort, values };
        }
      }
      if (this.keep.length === 0) throw new Error('no body keeps the orders of parts and wholes');
    }
    throw new Error('nobody meets the conditions of the population');
  }

  /**
   * Orders people `from` (included) to `to` (excluded) so that those of one cohort follow each other. The curves of a
   * cohort, half of the work, are then read once. With conditions, a person may get another cohort than this order
   * assumes.
   */
  byCohort(from: number, to: number): Int32Array {
    const cohorts = Int32Array.from({ length: to - from }, (_, row) =>
      this.cohortAt(randomNumbers(this.seed, from + row)()),
    );
    return Int32Array.from(cohorts.keys())
      .sort((a, b) => cohorts[a] - cohorts[b])
      .map((row) => from + row);
  }

  /** Draws the scores `from` (included) to `to` (excluded) of an ordered basis. */
  private draw(ordered: OrderedBasis, uniform: () => number, from: number, to: number): void {
    const { independent, scores } = this;
    const { factor, position } = ordered;
    for (let i = from; i < to; i++) independent[i] = scoreOfShare(Math.max(LEAST, uniform()));
    for (let i = from; i < to; i++) {
      const row = rowStart(i);
      let sum = 0;
      for (let j = 0; j <= i; j++) {
        sum += factor[row + j] * independent[j];
      }
      scores[position[i]] = sum;
    }
  }

  private meetsConditions({ order, position, deciding }: OrderedBasis, cohort: Cohort): boolean {
    const { joint, keep, values, curves, scores } = this;
    for (let i = 0; i < deciding; i++) {
      const quantity = order[i];
      values[quantity] = curves.value(quantity, scores[position[i]]);
    }
    return keep.every(({ quantity, min, max }) => {
      const value = joint.valueOf(quantity, cohort, curves, values);
      return value >= min && value <= max;
    });
  }

  private basisOf(cohort: Cohort): OrderedBasis {
    const key = `${cohort.gender}|${cohort.ageYears}`;
    const known = this.bases.get(key);
    if (known !== undefined) return known;
    const basis = this.joint.basis(cohort);
    const ordered = inOrder(basis, this.deciding);
    this.bases.set(key, ordered);
    return ordered;
  }

  /** The cohort at a position of the cumulative weights. */
  private cohortAt(place: number): number {
    const { cumulative } = this;
    const last = cumulative.length - 1;
    const target = place * cumulative[last];
    return firstIndex(last, (cohort) => cumulative[cohort] > target);
  }
}

/** The basis with some quantities first. */
function inOrder(basis: Basis, first: ReadonlySet<number>): OrderedBasis {
  const { free } = basis;
  const n = free.length;
  const places = [...free.keys()];
  const deciding = places.filter((place) => first.has(free[place]));
  if (deciding.length === 0) {
    return {
      basis,
      order: free,
      position: Int32Array.from(places),
      rank: Int32Array.from(places),
      factor: basis.factor,
      deciding: 0,
    };
  }
  const position = Int32Array.from([
    ...deciding,
    ...places.filter((place) => !first.has(free[place])),
  ]);
  const { rho } = basis;
  const factor = lowerTriangle(n, (i, j) => symmetric(rho, position[i], position[j]));
  choleskyInPlace(factor, n);
  const order = Array.from(position, (place) => free[place]);
  const rank = new Int32Array(n);
  position.forEach((place, i) => {
    rank[place] = i;
  });
  return { basis, order, position, rank, factor, deciding: deciding.length };
}

/** Uniform random numbers of one person, from 0 (included) to 1 (excluded). */
function randomNumbers(seed: number, i: number): () => number {
  const hash = createHash('sha256').update(`${seed}/${i}`).digest();
  const state = [0, 4, 8, 12].map((at) => hash.readInt32LE(at));
  const generator = xoroshiro128plusFromState(state);
  return () => uniformFloat64(generator);
}

/** Maximum number of times that one person is mirrored. Once or twice is enough for nearly everybody. */
const MIRRORED_MOST = 60;

/** A constraint that a person breaks, linearised near the person's scores. */
interface Breach {
  /** Distance of the scores from meeting the constraint, along the shortest way in their space. */
  readonly distance: number;
  /** For each free quantity that changes in this direction: its position, and its change. */
  readonly way: ReadonlyMap<number, number>;
}

/**
 * Mirrors people who break a constraint at the boundary of those who meet it. Only the quantities of the constraint
 * move, each in proportion to its slope, so that the way is the shortest in standard deviations. The reflection method
 * ends after a few steps if people with all constraints exist (Motzkin and Schoenberg 1954, Canad. J. Math. 6:393). No
 * person is removed, so no kind of people becomes rarer, and no person is put on the boundary itself.
 */
export class ConstraintMirror {
  private readonly constraints: readonly QuantityConstraint[];

  constructor(private readonly joint: JointPeople) {
    this.constraints = quantityConstraints(joint.peopleModel);
  }

  /**
   * Mirrors a person until all constraints hold that the medians of the cohort meet.
   *
   * @param scores one for each quantity of `basis.free`; they are changed in place
   * @param values values of all quantities at the scores; they are changed in place
   * @param isFixed whether the free quantity at a position of the basis must stay
   * @returns whether the person meets the constraints and all values are positive
   */
  mirror(
    cohort: Cohort,
    basis: Basis,
    curves: CohortCurves,
    scores: Float64Array,
    values: Float64Array,
    isFixed: (position: number) => boolean,
  ): boolean {
    const slopes = new LocalSlopes(this.joint, cohort, basis, curves);
    for (let done = 0; done <= MIRRORED_MOST; done++) {
      const broken = this.constraints.filter((constraint) =>
        isBroken(constraint, cohort.ageYears, values),
      );
      const breached = broken.length === 0 ? broken : keptByMedians(broken, curves);
      if (breached.length === 0) return values.every((value) => !(value <= 0));
      const breaches = breached.map((constraint) => breachOf(constraint, slopes, scores, isFixed));
      const worst = breaches.reduce((a, b) => (b.distance > a.distance ? b : a));
      if (worst.way.size === 0) return false;
      for (const [position, change] of worst.way) {
        scores[position] += 2 * change;
      }
      this.joint.values(cohort, basis, curves, scores, values);
    }
    return false;
  }
}

function breachOf(
  { above, below, factor }: QuantityConstraint,
  slopes: LocalSlopes,
  scores: Float64Array,
  isFixed: (position: number) => boolean,
): Breach {
  const bySlope = new Map<number, number>();
  const missing =
    -slopes.add(above, 1, scores, bySlope) - slopes.add(below, -factor, scores, bySlope);
  const way = new Map(
    [...bySlope].filter(([position, slope]) => slope !== 0 && !isFixed(position)),
  );
  let square = 0;
  for (const slope of way.values()) square += slope * slope;
  for (const [position, slope] of way) way.set(position, (slope * missing) / square);
  return { distance: missing / Math.sqrt(square), way };
}
