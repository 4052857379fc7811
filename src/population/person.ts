import { inverse, Matrix } from 'ml-matrix';
import { curveInverse, curveSlope, curveValue, percentileOfZ } from '../lookup/cell.js';
import { symmetric } from '../numerics/numerics.js';
import {
  isBroken,
  keptByMedians,
  type QuantityConstraint,
  quantityConstraints,
} from './constraints.js';
import type { Basis, JointPeople } from './joint.js';
import { LocalSlopes } from './local-slopes.js';
import type { Cohort, CohortCurves, PeopleModel } from './people-model.js';

/** A known value of a person, nude and erect: mm, kg/m² or kg. */
export interface Known {
  readonly quantity: number;
  readonly value: number;
  /** Standard deviation of the error of the value, in its unit; 0 if omitted. It affects only the distances. */
  readonly errorSd?: number;
}

/** A quantity of a completed person. */
export interface Completed {
  /** Value of the most probable person with the known values. */
  readonly expected: number;
  /** Ends of the range. It contains the spread of people and the errors of the medians. */
  readonly low: number;
  readonly high: number;
  /** Percentile of the expected value in the cohort. */
  readonly percentile: number;
}

/** A person completed from known values. */
export interface CompletedPerson {
  /** A quantity of the person; undefined without a model. */
  of(quantity: number): Completed | undefined;
  /** Scores of the free quantities, in the order of the basis. */
  readonly scores: Float64Array;
  /** Squared Mahalanobis distance of the known values from the medians, including their errors. */
  readonly distanceSquare: number;
  /** Squared Mahalanobis distance of the person's values from the medians, as if they had no errors. */
  readonly exactDistanceSquare: number;
  /** Whether the person has the known values. */
  readonly isMet: boolean;
  /** Whether every size of the person is above zero. */
  readonly isPositive: boolean;
  /**
   * For each known value, its distance from the prediction of the others, in standard deviations that include errors.
   */
  readonly misfits: readonly number[];
}

/** Maximum number of Gauss–Newton rounds. A few are enough for all but extreme people. */
const ROUNDS = 50;
/** Change of a score at which the search ends. */
const SETTLED = 1e-10;
/**
 * Variance added to each known value, as a share of its own variance. It prevents a singular system if known values
 * repeat each other, such as two parts and their sum.
 */
const RIDGE = 1e-9;
/** Orders that become equations for one person at most. */
const ORDERS_MOST = 20;
/** In such an equation, the larger dimension exceeds the smaller one by this share of the smaller one's median. */
const LEAST_EXCESS = 1e-4;
/** The difference of two quantities is open if known values leave at least this share of their variances in it. */
const OPEN_SHARE = 1e-5;
/** If a known value is missed by more than this share of its standard deviation, it is not met. */
const MET_SHARE = 1e-4;

/**
 * A quantity as a linear function of the scores, near some scores. Free quantities are measured by their score, sums in
 * mm, and body mass by its logarithm.
 */
interface Linear {
  readonly value: number;
  /** Positions of the free quantities in the basis. `slopes` has the slope with respect to the score of each. */
  readonly at: readonly number[];
  readonly slopes: readonly number[];
}

/** A fact about a person near some scores: a quantity, or a difference of two quantities, with its value. */
interface Fact {
  readonly row: (scores: Float64Array) => Linear;
  readonly target: number;
  /** Variance of the error of a known value near some scores. */
  readonly errorVariance?: (scores: Float64Array) => number;
}

/** The information in known values about a person: rows of slopes and the inverse of their covariance. */
interface Evidence {
  readonly rows: readonly Linear[];
  readonly inverse: Matrix;
}

/** Most probable scores given facts. */
interface Solution {
  readonly scores: Float64Array;
  readonly evidence: Evidence;
}

/**
 * Completes a person: finds the most probable scores of the free quantities given the known values, under the normal
 * copula. A known free quantity fixes a score. A known sum or body mass fixes a combination of scores, which is solved
 * by the Gauss–Newton method (Nocedal and Wright 2006, Numerical Optimization, 10.3). Parts therefore sum to wholes.
 * Ranges come from the conditional covariance at the solution (Laplace's approximation; Tierney and Kadane 1986, JASA
 * 81:82), plus the variance that the errors of the medians cause. If this person would break a constraint, the most
 * probable person who meets it is on its boundary. The
 * constraint then becomes an equation, as in an active-set method (Nocedal and Wright 2006, 16.5). Known values stay as
 * they are.
 *
 * @param curves curves of nude and erect people; this function sets their cohort
 * @param known may be empty; the person is then the median of the cohort
 * @param rangeZ standard normal score at the upper end of the ranges
 * @param softness share of the error variances that the known values get; at 0, the person has exactly the known values
 * @throws Error for a known quantity without a model
 */
export function completePerson(
  joint: JointPeople,
  cohort: Cohort,
  curves: CohortCurves,
  known: readonly Known[],
  rangeZ: number,
  softness = 0,
): CompletedPerson {
  curves.at(cohort);
  const model = new PersonModel(joint, cohort, curves, softness);
  const none = new Float64Array(model.basis.free.length);
  const factsOf = (some: readonly Known[], carrier?: number): Fact[] =>
    some.map(({ quantity, value, errorSd = 0 }) => ({
      row: (scores) => model.linear(quantity, scores, carrier) as Linear,
      target: model.target(quantity, value),
      errorVariance: (scores) => (errorSd * model.targetSlope(quantity, value, scores)) ** 2,
    }));
  const carrier = carrierOf(joint, known, (others) => {
    const { scores } = settle(model, factsOf(others), none);
    return (depth) => model.value(depth, model.linear(depth, scores)?.value as number);
  });
  const facts = factsOf(known, carrier?.deepest);
  const solved = settle(model, facts, none);
  const { evidence } = solved;
  const { scores } = keepConstraints(model, facts, solved, carrier?.constraints ?? []);
  const { distanceSquare, misfits } = model.distances(facts, scores, true);
  const exactDistanceSquare = model.distances(facts, scores, false).distanceSquare;
  const isMet = model.isMet(facts, scores);
  const isPositive = model.values(scores).every((value) => !(value <= 0));
  const of = (quantity: number): Completed | undefined => {
    const linear = model.linear(quantity, scores);
    if (linear === undefined) return undefined;
    const variance =
      model.conditionalVariance(linear, evidence) + model.medianVariance(linear, evidence);
    const reach = rangeZ * Math.sqrt(variance);
    return {
      expected: model.value(quantity, linear.value),
      low: model.value(quantity, linear.value - reach),
      high: model.value(quantity, linear.value + reach),
      percentile: model.percentile(quantity, linear.value),
    };
  };
  return { of, scores, distanceSquare, exactDistanceSquare, misfits, isMet, isPositive };
}

/**
 * For a person whose deepest place of the trunk is known, finds the depth that equals it, and the constraints that keep
 * it the deepest. It is the largest depth that is not known, in a person with the other known values.
 */
function carrierOf(
  { deepest, depths }: JointPeople,
  known: readonly Known[],
  depthsWith: (others: readonly Known[]) => (depth: number) => number,
): { readonly deepest: number; readonly constraints: readonly QuantityConstraint[] } | undefined {
  const isKnown = (quantity: number) => known.some((one) => one.quantity === quantity);
  const open = depths.filter((depth) => !isKnown(depth));
  if (!isKnown(deepest) || open.length === 0) return undefined;
  const depthOf = depthsWith(known.filter(({ quantity }) => quantity !== deepest));
  const carrier = open.reduce((a, b) => (depthOf(b) > depthOf(a) ? b : a));
  const constraints = open
    .filter((depth) => depth !== carrier)
    .map((below) => ({ above: carrier, below, factor: 1, fromYears: 0 }));
  return { deepest: carrier, constraints };
}

/**
 * Solves until the scores settle. Curves bend at their knots, where whole steps may jump to and fro without end. So each
 * step that turns back is half as large as the one before.
 */
function settle(model: PersonModel, facts: readonly Fact[], from: Float64Array): Solution {
  let scores = from;
  let solved = model.solve(scores, facts);
  let [share, before] = [1, new Float64Array(from.length)];
  for (let round = 0; round < ROUNDS; round++) {
    const step = solved.scores.map((score, i) => score - scores[i]);
    if (step.every((size) => Math.abs(share * size) < SETTLED)) break;
    if (step.reduce((sum, size, i) => sum + size * before[i], 0) < 0) share /= 2;
    const taken = share;
    scores = scores.map((score, i) => score + taken * step[i]);
    solved = model.solve(scores, facts);
    before = step;
  }
  return { ...solved, scores };
}

/**
 * Adds the constraints that a person breaks as equations, until the person breaks none that known values leave open. A
 * constraint stays broken if it would move the person away from the known values.
 */
function keepConstraints(
  model: PersonModel,
  facts: readonly Fact[],
  solved: Solution,
  more: readonly QuantityConstraint[],
): Solution {
  let all = facts;
  const tried = new Set<QuantityConstraint>();
  let kept = solved;
  for (let round = 0; round < ORDERS_MOST; round++) {
    const first = model
      .brokenConstraints(kept.scores, more)
      .find((constraint) => !tried.has(constraint) && model.isOpen(constraint, kept));
    if (first === undefined) break;
    tried.add(first);
    const next = [...all, model.equation(first)];
    const found = settle(model, next, kept.scores);
    if (!model.isMet(facts, found.scores) && model.isMet(facts, kept.scores)) continue;
    [all, kept] = [next, found];
  }
  return kept;
}

/** The distance of a quantity from its median at some scores, by its slopes. */
function departure({ at, slopes }: Linear, scores: Float64Array): number {
  return at.reduce((sum, position, j) => sum + slopes[j] * scores[position], 0);
}

/** Errors of the medians of the free quantities, in normal scores. */
interface MedianErrors {
  /** Variances of the part of each that it shares with no other. */
  readonly own: Float64Array;
  /** Change of each by one standard error in the median of stature, or of BMI. */
  readonly ofStature: Float64Array;
  readonly ofBmi: Float64Array;
}

/**
 * Splits the standard errors of the medians. An error in the median of stature or of BMI reaches every quantity that
 * correlates with it. The rest comes from the quantity's own surveys.
 */
function medianErrors(
  peopleModel: PeopleModel,
  cohort: Cohort,
  { free, rho, position }: Basis,
  curves: CohortCurves,
): MedianErrors {
  const sds = free.map((quantity) => {
    const { median, sd } = curves.middle(quantity);
    return (peopleModel.lnMedianSd(quantity, cohort) * median) / sd;
  });
  const shareOf = (quantity: number): Float64Array => {
    const at = position[quantity];
    return Float64Array.from(free, (_, i) => symmetric(rho, at, i) * sds[at]);
  };
  const [ofStature, ofBmi] = [shareOf(peopleModel.stature), shareOf(peopleModel.bmi)];
  ofStature[position[peopleModel.bmi]] = 0;
  ofBmi[position[peopleModel.stature]] = 0;
  const own = Float64Array.from(sds, (sd, i) =>
    Math.max(0, sd ** 2 - ofStature[i] ** 2 - ofBmi[i] ** 2),
  );
  return { own, ofStature, ofBmi };
}

/** The quantities of the people of a cohort as functions of the scores. */
class PersonModel {
  readonly basis: Basis;
  private readonly slopes: LocalSlopes;
  private readonly constraints: readonly QuantityConstraint[];
  private readonly errors: MedianErrors;

  constructor(
    private readonly joint: JointPeople,
    private readonly cohort: Cohort,
    private readonly curves: CohortCurves,
    private readonly softness: number,
  ) {
    this.basis = joint.basis(cohort);
    this.slopes = new LocalSlopes(joint, cohort, this.basis, curves);
    this.constraints = keptByMedians(quantityConstraints(joint.peopleModel), curves);
    this.errors = medianErrors(joint.peopleModel, cohort, this.basis, curves);
  }

  /**
   * A quantity near some scores; undefined if it has no model.
   *
   * @param carrier the depth that is the deepest place; by default the largest depth
   */
  linear(quantity: number, scores: Float64Array, carrier?: number): Linear | undefined {
    const { peopleModel } = this.joint;
    const position = this.basis.position[quantity];
    if (position >= 0) {
      return { value: scores[position], at: [position], slopes: [1] };
    }
    const slopes = new Map<number, number>();
    if (quantity === peopleModel.mass) {
      const bmi = this.slopes.add(peopleModel.bmi, 1, scores, new Map());
      const stature = this.slopes.add(peopleModel.stature, 1, scores, new Map());
      this.slopes.add(peopleModel.bmi, 1 / bmi, scores, slopes);
      this.slopes.add(peopleModel.stature, 2 / stature, scores, slopes);
      const value = Math.log(bmi) + 2 * Math.log(stature / 1000);
      return { value, at: [...slopes.keys()], slopes: [...slopes.values()] };
    }
    if (this.curves.of(quantity) === undefined) return undefined;
    const value = this.slopes.add(quantity, 1, scores, slopes, carrier);
    return { value, at: [...slopes.keys()], slopes: [...slopes.values()] };
  }

  /**
   * The constraints that the person with some scores breaks, and those of `more`. Constraints that the medians break
   * are left out.
   */
  brokenConstraints(
    scores: Float64Array,
    more: readonly QuantityConstraint[],
  ): readonly QuantityConstraint[] {
    const values = this.values(scores);
    const { ageYears } = this.cohort;
    return [...this.constraints, ...more].filter((constraint) =>
      isBroken(constraint, ageYears, values),
    );
  }

  /** Values of all quantities at some scores; NaN if there is no model. */
  values(scores: Float64Array): Float64Array {
    const { joint, cohort, curves } = this;
    const values = new Float64Array(joint.peopleModel.names.length);
    joint.values(cohort, this.basis, curves, scores, values);
    return values;
  }

  /** A constraint as an equation. The larger dimension exceeds the smaller one by a little. */
  equation({ above, below, factor }: QuantityConstraint): Fact {
    const target = LEAST_EXCESS * factor * this.curves.middle(below).median;
    const row = (scores: Float64Array): Linear => {
      const slopes = new Map<number, number>();
      const value =
        this.slopes.add(above, 1, scores, slopes) + this.slopes.add(below, -factor, scores, slopes);
      return { value, at: [...slopes.keys()], slopes: [...slopes.values()] };
    };
    return { row, target };
  }

  /** Whether the known values leave the difference of a constraint open. */
  isOpen(constraint: QuantityConstraint, { scores, evidence }: Solution): boolean {
    const { above, below, factor } = constraint;
    const slopesOf = (quantity: number, coefficient: number): Linear => {
      const slopes = new Map<number, number>();
      const value = this.slopes.add(quantity, coefficient, scores, slopes);
      return { value, at: [...slopes.keys()], slopes: [...slopes.values()] };
    };
    const [whole, part] = [slopesOf(above, 1), slopesOf(below, factor)];
    const before = this.covariance(whole, whole) + this.covariance(part, part);
    const open = this.conditionalVariance(this.equation(constraint).row(scores), evidence);
    return open > OPEN_SHARE * before;
  }

  /** Whether the person with some scores has the known values. */
  isMet(facts: readonly Fact[], scores: Float64Array): boolean {
    return facts.every(({ row, target }) => {
      const linear = row(scores);
      const sd = Math.sqrt(this.covariance(linear, linear));
      return Math.abs(linear.value - target) <= MET_SHARE * sd;
    });
  }

  /** Converts a value of a quantity to the measure of `linear`. */
  target(quantity: number, value: number): number {
    const knots = this.curves.of(quantity);
    if (knots === undefined) throw new Error(`no model of quantity ${quantity}`);
    if (this.basis.position[quantity] >= 0) return curveInverse(knots, value);
    return quantity === this.joint.peopleModel.mass ? Math.log(value) : value;
  }

  /** Slope of `target` by the value. */
  targetSlope(quantity: number, value: number, scores: Float64Array): number {
    const position = this.basis.position[quantity];
    if (position < 0) return quantity === this.joint.peopleModel.mass ? 1 / value : 1;
    return 1 / curveSlope(this.curves.of(quantity) as Float64Array, scores[position]);
  }

  /** How unusual the known values of a person are: together, and each given the others. */
  distances(
    facts: readonly Fact[],
    scores: Float64Array,
    withErrors: boolean,
  ): Pick<CompletedPerson, 'distanceSquare' | 'misfits'> {
    if (facts.length === 0) return { distanceSquare: 0, misfits: [] };
    const rows = facts.map(({ row }) => row(scores));
    const covariance = this.covarianceOf(rows);
    facts.forEach(({ errorVariance }, a) => {
      const own = covariance.get(a, a) * (1 + RIDGE);
      covariance.set(a, a, own + (withErrors ? (errorVariance?.(scores) ?? 0) : 0));
    });
    const known = inverse(covariance);
    const here = Matrix.columnVector(rows.map((row) => departure(row, scores)));
    const weights = known.mmul(here);
    return {
      distanceSquare: here.transpose().mmul(weights).get(0, 0),
      misfits: rows.map((_, a) => weights.get(a, 0) / Math.sqrt(known.get(a, a))),
    };
  }

  /** The inverse of `target`. */
  value(quantity: number, measured: number): number {
    if (this.basis.position[quantity] >= 0) {
      return curveValue(this.curves.of(quantity) as Float64Array, measured);
    }
    return quantity === this.joint.peopleModel.mass ? Math.exp(measured) : measured;
  }

  /** Percentile in the cohort of a value in the measure of `linear`. */
  percentile(quantity: number, measured: number): number {
    const knots = this.curves.of(quantity) as Float64Array;
    return percentileOfZ(curveInverse(knots, this.value(quantity, measured)));
  }

  /** One round: the most probable scores if the quantities are linear near `scores`. */
  solve(scores: Float64Array, facts: readonly Fact[]): Solution {
    const rows = facts.map(({ row }) => row(scores));
    const k = rows.length;
    if (k === 0) {
      const nothing: Evidence = { rows, inverse: new Matrix(0, 0) };
      return { scores: new Float64Array(scores.length), evidence: nothing };
    }
    const covariance = this.covarianceOf(rows);
    const residual = new Matrix(k, 1);
    rows.forEach((row, a) => {
      const { errorVariance } = facts[a];
      const soft = this.softness === 0 ? 0 : this.softness * (errorVariance?.(scores) ?? 0);
      covariance.set(a, a, covariance.get(a, a) * (1 + RIDGE) + soft);
      residual.set(a, 0, facts[a].target - row.value + departure(row, scores));
    });
    const evidence: Evidence = { rows, inverse: inverse(covariance) };
    const weights = evidence.inverse.mmul(residual);
    const next = new Float64Array(scores.length);
    const n = scores.length;
    const { rho } = this.basis;
    rows.forEach(({ at, slopes }, a) => {
      at.forEach((position, j) => {
        const weight = weights.get(a, 0) * slopes[j];
        for (let i = 0; i < n; i++) {
          next[i] += weight * symmetric(rho, position, i);
        }
      });
    });
    return { scores: next, evidence };
  }

  /** Covariances of quantities before anything is known. */
  private covarianceOf(rows: readonly Linear[]): Matrix {
    const covariance = new Matrix(rows.length, rows.length);
    rows.forEach((row, a) => {
      for (let b = 0; b <= a; b++) {
        const value = this.covariance(row, rows[b]);
        covariance.set(a, b, value);
        covariance.set(b, a, value);
      }
    });
    return covariance;
  }

  /** Covariance of two quantities before anything is known. */
  private covariance(a: Linear, b: Linear): number {
    const { rho } = this.basis;
    let sum = 0;
    a.at.forEach((i, x) => {
      b.at.forEach((j, y) => {
        sum += a.slopes[x] * b.slopes[y] * symmetric(rho, i, j);
      });
    });
    return sum;
  }

  /** Variance of a quantity given the known values. */
  conditionalVariance(linear: Linear, { rows, inverse: known }: Evidence): number {
    if (rows.length === 0) return this.covariance(linear, linear);
    const shared = Matrix.columnVector(rows.map((row) => this.covariance(linear, row)));
    const explained = shared.transpose().mmul(known).mmul(shared).get(0, 0);
    return Math.max(0, this.covariance(linear, linear) - explained);
  }

  /**
   * Variance that the errors of the medians cause in a quantity, given the known values. A prediction is
   * median + weights × (known values − their medians), so its error is the quantity's own error less the weighted errors
   * of the known ones.
   */
  medianVariance(linear: Linear, { rows, inverse: known }: Evidence): number {
    const { own, ofStature, ofBmi } = this.errors;
    const net = new Float64Array(own.length);
    linear.at.forEach((position, j) => {
      net[position] += linear.slopes[j];
    });
    if (rows.length > 0) {
      const shared = Matrix.columnVector(rows.map((row) => this.covariance(linear, row)));
      const weights = known.mmul(shared);
      rows.forEach(({ at, slopes }, a) => {
        at.forEach((position, j) => {
          net[position] -= weights.get(a, 0) * slopes[j];
        });
      });
    }
    let [independent, stature, bmi] = [0, 0, 0];
    net.forEach((weight, i) => {
      independent += weight ** 2 * own[i];
      stature += weight * ofStature[i];
      bmi += weight * ofBmi[i];
    });
    return independent + stature ** 2 + bmi ** 2;
  }
}
