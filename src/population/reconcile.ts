import { Matrix, pseudoInverse } from 'ml-matrix';
import { DEEPEST, DEFINITE_ORDERS } from '../core/constraints.js';
import { MASS_TOLERANCE, TOLERANCE_SD } from '../core/measurement-errors.js';
import type { JointPeople } from './joint.js';
import type { Cohort, CohortCurves } from './people-model.js';
import type { Known } from './person.js';

/** A known value of a nude and erect person, with its measurement error and rounding. */
export interface Measured extends Known {
  /** Standard deviation of the value's measurement error, in the unit of the value. */
  readonly errorSd: number;
  /** Half the last written digit, in the unit of the value. */
  readonly rounding: number;
}

/** A rule that known values must meet together in every person. */
export interface Rule {
  /** `identity`: `sum` is 0. `mass`: body mass is BMI × stature², and `sum` is the stature. `order`: `sum` is at least 0. */
  readonly kind: 'identity' | 'mass' | 'order';
  /** A sum of known values by their number. */
  readonly sum: Sum;
  /** The constraint, if the rule is one that follows from definitions. */
  readonly constraint?: (typeof DEFINITE_ORDERS)[number];
}

/** A rule that known values break. */
export interface BrokenRule extends Rule {
  /** Size of the gap between the values: mm, or the natural logarithm of a ratio of masses. */
  readonly gap: number;
  /** The gap that errors of measurement and rounding explain. */
  readonly tolerance: number;
  /** The part of `tolerance` that rounding explains. */
  readonly rounding: number;
  /** Indices of the known values in the rule. */
  readonly members: readonly number[];
}

/** Known values that meet every rule. */
export interface Reconciled {
  /** The values in the given order. Values without a conflict do not change, not even in the last bit. */
  readonly values: readonly number[];
  /** The rules that the given values break, the worst first. */
  readonly broken: readonly BrokenRule[];
  /** Number of values that do not follow from each other. */
  readonly independent: number;
}

/** Smaller gaps come from rounded answers: mm, and the logarithm of a ratio. */
const [ANSWER_MM, ANSWER_LOG] = [5e-3, 1e-4];
/** Maximum number of rounds of Newton's method. Only the identity of mass is not linear. */
const ROUNDS = 12;
/** Smaller singular values come from rules that repeat each other. */
const REDUNDANT = 1e-9;
const MM_PER_M = 1000;

/** A rule, its gap, and the slopes of the gap near some values. Lengths are in mm; masses and BMI are logarithms. */
interface Gap {
  readonly rule: Rule;
  readonly gap: number;
  readonly slopes: Float64Array;
}

/**
 * Moves contradictory known values by as little as possible, so that they meet the identities of the model and the
 * constraints by definition. It minimizes the sum of squares of the moves, each in standard deviations of its error
 * (Lawson and Hanson 1974, Solving Least Squares Problems, chapters 20 and 23).
 *
 * @param curves nude and erect, at the cohort
 * @param known no quantity twice
 */
export function reconcile(
  joint: JointPeople,
  cohort: Cohort,
  curves: CohortCurves,
  known: readonly Measured[],
): Reconciled {
  const { rules, independent } = rulesOf(joint, cohort, curves, known);
  const isLog = known.map(({ quantity }) => quantity >= joint.peopleModel.measurements);
  const amounts = known.map(({ value }, i) => (isLog[i] ? Math.log(value) : value));
  const gaps = (at: readonly number[]): Gap[] => rules.map((rule) => gapOf(rule, at, known, joint));
  const share = (i: number, size: number): number => (isLog[i] ? size / known[i].value : size);
  const broken = gaps(amounts)
    .filter(isBroken)
    .map(({ rule, gap, slopes }): BrokenRule => {
      let [variance, rounding] = [0, 0];
      const members: number[] = [];
      slopes.forEach((slope, i) => {
        if (slope === 0) return;
        const one = known[i];
        members.push(i);
        variance += (slope * share(i, one.errorSd)) ** 2;
        rounding += Math.abs(slope) * share(i, one.rounding);
      });
      const errors = rule.kind === 'mass' ? MASS_TOLERANCE : TOLERANCE_SD * Math.sqrt(variance);
      return { ...rule, gap: Math.abs(gap), tolerance: errors + rounding, rounding, members };
    })
    .sort((one, other) => other.gap / other.tolerance - one.gap / one.tolerance);
  if (broken.length === 0) {
    return { values: known.map(({ value }) => value), broken, independent };
  }
  // A rounding error is uniformly distributed. Its variance is a third of the square of its bound.
  const variances = known.map(
    ({ errorSd, rounding }, i) => share(i, errorSd) ** 2 + share(i, rounding) ** 2 / 3,
  );
  const moved = project(amounts, variances, gaps);
  const values = known.map(({ value }, i) => {
    const amount = moved[i];
    if (amount === amounts[i]) return value;
    return isLog[i] ? Math.exp(amount) : amount;
  });
  return { values, broken, independent };
}

function isBroken({ rule, gap }: Gap): boolean {
  const least = rule.kind === 'mass' ? ANSWER_LOG : ANSWER_MM;
  return rule.kind === 'order' ? gap < -least : Math.abs(gap) > least;
}

/** The nearest values that meet the rules, by Newton's method on the broken rules. */
function project(
  from: readonly number[],
  variances: readonly number[],
  gaps: (at: readonly number[]) => Gap[],
): readonly number[] {
  const active = new Set<Rule>();
  let at = from;
  for (let round = 0; round < ROUNDS; round++) {
    const all = gaps(at);
    for (const { rule, gap } of all) {
      if (rule.kind !== 'order' || gap < -1e-9) active.add(rule);
    }
    const held = all.filter(({ rule }) => active.has(rule));
    // The move starts from the given values, so that the nearest values are found for nonlinear rules too.
    const here = at;
    const needs = held.map(({ gap, slopes }) =>
      slopes.reduce((sum, slope, i) => sum + slope * (from[i] - here[i]), gap),
    );
    const moves = leastMoves(held, needs, variances);
    const next = from.map((amount, i) => amount - moves[i]);
    const settled = next.every((amount, i) => Math.abs(amount - here[i]) < 1e-10);
    at = next;
    if (settled) break;
  }
  return at;
}

/** The smallest moves, in standard deviations, that change the gaps by given amounts. */
function leastMoves(
  held: readonly Gap[],
  needs: readonly number[],
  variances: readonly number[],
): readonly number[] {
  // Each gap is divided by its own standard deviation, because lengths and logarithms differ in size.
  const sizes = held.map(({ slopes }) =>
    Math.sqrt(slopes.reduce((sum, slope, i) => sum + slope ** 2 * variances[i], 0)),
  );
  const slopes = new Matrix(
    held.map((one, h) => Array.from(one.slopes, (slope) => slope / sizes[h])),
  );
  const spread = slopes.clone().mulRowVector([...variances]);
  const scaled = needs.map((need, h) => need / sizes[h]);
  const inverse = pseudoInverse(spread.mmul(slopes.transpose()), REDUNDANT);
  return spread
    .transpose()
    .mmul(inverse.mmul(Matrix.columnVector(scaled)))
    .to1DArray();
}

/** The rules that the known values must meet, and the number of independent values. */
function rulesOf(
  joint: JointPeople,
  cohort: Cohort,
  curves: CohortCurves,
  known: readonly Measured[],
): { readonly rules: readonly Rule[]; readonly independent: number } {
  const { peopleModel, deepest, depths, derivedOf } = joint;
  const ratio = joint.sizeRatio(cohort, curves);
  const free = (quantity: number): Sum => freeSum(joint, quantity, ratio);
  const span = new KnownSpan();
  const rules: Rule[] = [];
  known.forEach(({ quantity }, i) => {
    if (quantity >= peopleModel.measurements) return;
    const sum = span.add(i, free(quantity));
    if (sum !== undefined) rules.push({ kind: 'identity', sum });
  });
  const atLeast = (above: Sum, factor: number, below: Sum): Sum | undefined => {
    const sum = span.inKnown(plus(above, -factor, below));
    return sum !== undefined && sum.of.size > 1 ? sum : undefined;
  };
  for (const constraint of DEFINITE_ORDERS) {
    const [above, below] = [
      peopleModel.indexOf(constraint.above),
      peopleModel.indexOf(constraint.below),
    ];
    const sum = atLeast(free(above), constraint.factor, free(below));
    if (sum !== undefined) rules.push({ kind: 'order', sum, constraint });
  }
  for (const quantity of derivedOf.keys()) {
    const sum = span.inKnown(free(quantity));
    if (sum !== undefined && sum.of.size > 1) rules.push({ kind: 'order', sum });
  }
  let { rank } = span;
  const depthSums = depths.flatMap((depth) => {
    const part = plus(free(depth), 1, { of: new Map(), constantMm: DEEPEST.plusMm * ratio });
    return atLeast(free(deepest), 1, part) ?? [];
  });
  for (const sum of depthSums) rules.push({ kind: 'order', sum });
  if (depthSums.length === depths.length) {
    rank -= 1;
    const values = known.map(({ value }) => value);
    const [least] = depthSums.toSorted(
      (one, other) => sumValue(one, values) - sumValue(other, values),
    );
    rules.push({ kind: 'identity', sum: least });
  }
  const stature = span.inKnown(free(peopleModel.stature));
  const masses = [peopleModel.mass, peopleModel.bmi].filter((quantity) =>
    known.some((one) => one.quantity === quantity),
  ).length;
  const isFixed = masses === 2 && stature !== undefined;
  if (isFixed) rules.push({ kind: 'mass', sum: stature });
  return { rules, independent: rank + masses - (isFixed ? 1 : 0) };
}

/** Value in mm of a sum of known values. */
export function sumValue({ of, constantMm }: Sum, values: readonly number[]): number {
  let sum = constantMm;
  for (const [i, coefficient] of of) sum += coefficient * values[i];
  return sum;
}

/** The distance of values from a rule, and the slopes of this distance. */
function gapOf(
  rule: Rule,
  at: readonly number[],
  known: readonly Known[],
  { peopleModel }: JointPeople,
): Gap {
  const slopes = new Float64Array(known.length);
  const gap = sumValue(rule.sum, at);
  for (const [i, coefficient] of rule.sum.of) slopes[i] = coefficient;
  if (rule.kind !== 'mass') return { rule, gap, slopes };
  const statureMm = Math.max(1, gap);
  slopes.forEach((slope, i) => {
    slopes[i] = (-2 * slope) / statureMm;
  });
  const place = (quantity: number) => known.findIndex((one) => one.quantity === quantity);
  const [mass, bmi] = [place(peopleModel.mass), place(peopleModel.bmi)];
  slopes[mass] = 1;
  slopes[bmi] = -1;
  const ratio = at[mass] - at[bmi] - 2 * Math.log(statureMm / MM_PER_M);
  return { rule, gap: ratio, slopes };
}

/** Coefficients below this are rounding errors. */
const ZERO = 1e-9;

/** A sum of coefficient × value, by index of the value, plus a constant in mm. */
export interface Sum {
  readonly of: ReadonlyMap<number, number>;
  readonly constantMm: number;
}

/** A length as a sum of free lengths. The deepest place of the trunk counts as free. */
function freeSum(joint: JointPeople, quantity: number, sizeRatio: number): Sum {
  const terms = joint.derivedOf.get(quantity);
  if (terms === undefined) return { of: new Map([[quantity, 1]]), constantMm: 0 };
  let sum: Sum = { of: new Map(), constantMm: 0 };
  for (const { coefficient, of } of terms) {
    const term = of < 0 ? { of: new Map(), constantMm: sizeRatio } : freeSum(joint, of, sizeRatio);
    sum = plus(sum, coefficient, term);
  }
  return sum;
}

/** sum + factor × other. */
export function plus(sum: Sum, factor: number, other: Sum): Sum {
  const of = new Map(sum.of);
  for (const [index, coefficient] of other.of) {
    const total = (of.get(index) ?? 0) + factor * coefficient;
    if (Math.abs(total) < ZERO) of.delete(index);
    else of.set(index, total);
  }
  return { of, constantMm: sum.constantMm + factor * other.constantMm };
}

/** Finds lengths that follow from known lengths, by Gaussian elimination of their free parts. */
class KnownSpan {
  private readonly rows: {
    readonly pivot: number;
    readonly free: Sum;
    readonly known: Sum;
  }[] = [];

  /** Number of known lengths that do not follow from each other. */
  get rank(): number {
    return this.rows.length;
  }

  /**
   * Adds known length `index`.
   *
   * @returns if the length follows from earlier ones: the sum of known lengths that is 0 in every person
   */
  add(index: number, free: Sum): Sum | undefined {
    const { rest, known } = this.reduce(free);
    const own = plus({ of: new Map([[index, 1]]), constantMm: 0 }, -1, known);
    const [pivot] = rest.of.keys();
    if (pivot === undefined) return plus(own, -1, { of: new Map(), constantMm: rest.constantMm });
    this.rows.push({ pivot, free: rest, known: own });
    return undefined;
  }

  /** A sum of free lengths as a sum of known lengths; undefined if these do not determine it. */
  inKnown(free: Sum): Sum | undefined {
    const { rest, known } = this.reduce(free);
    if (rest.of.size > 0) return undefined;
    return { of: known.of, constantMm: known.constantMm + rest.constantMm };
  }

  /** Splits a sum of free lengths: rest + known. */
  private reduce(free: Sum): { readonly rest: Sum; readonly known: Sum } {
    let rest = free;
    let known: Sum = { of: new Map(), constantMm: 0 };
    for (const row of this.rows) {
      const coefficient = rest.of.get(row.pivot);
      if (coefficient === undefined) continue;
      const factor = coefficient / (row.free.of.get(row.pivot) as number);
      rest = plus(rest, -factor, row.free);
      known = plus(known, factor, row.known);
    }
    return { rest, known };
  }
}
