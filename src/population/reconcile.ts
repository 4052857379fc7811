import { Matrix, pseudoInverse } from 'ml-matrix';
import { DEEPEST, DEFINITE_ORDERS } from '../core/constraints.js';
import { MASS_TOLERANCE, TOLERANCE_SD } from '../core/measurement-errors.js';
import type { JointBodies } from './joint.js';
import { freeSum, KnownSpan, plus, type Sum } from './known-span.js';
import type { Cohort, CohortCurves } from './people-model.js';
import type { Known } from './person.js';

/** A known value as it was measured and written; nude and erect. */
export interface Measured extends Known {
  /** Standard deviation of its error, in the unit of the value. */
  readonly errorSd: number;
  /** Half the last digit that is written, in the unit of the value. */
  readonly rounding: number;
}

/** What known values have to meet together in every person. */
export interface Rule {
  /** `identity`: `sum` is 0. `mass`: body mass is BMI × stature², and `sum` is the stature. `order`: `sum` is at least 0. */
  readonly kind: 'identity' | 'mass' | 'order';
  /** A sum of known values by their number. */
  readonly sum: Sum;
  /** Why, where it is an order of two dimensions by their definitions. */
  readonly constraint?: (typeof DEFINITE_ORDERS)[number];
}

/** A rule that known values break. */
export interface BrokenRule extends Rule {
  /** How far the values are apart: mm, or the natural logarithm of a ratio of masses. */
  readonly gap: number;
  /** The gap that errors of measurement and rounding explain. */
  readonly tolerance: number;
  /** The part of `tolerance` that rounding explains. */
  readonly rounding: number;
  /** Numbers of the known values that the rule is about. */
  readonly members: readonly number[];
}

/** Known values that meet every rule. */
export interface Reconciled {
  /** In the order given; those without a conflict stay as they are to the last bit. */
  readonly values: readonly number[];
  /** The rules that the given values break, the worst first. */
  readonly broken: readonly BrokenRule[];
  /** Number of values of which none follows from the others. */
  readonly independent: number;
}

/** Gaps below these are those of rounded answers: mm, and the logarithm of a ratio. */
const [ANSWER_MM, ANSWER_LOG] = [5e-3, 1e-4];
/** Rounds of Newton's method; the identity of mass is the only one that is not linear. */
const ROUNDS = 12;
/** Singular values below this come from rules that repeat each other. */
const REDUNDANT = 1e-9;
const MM_PER_M = 1000;

/** Rule, gap and slopes of the gap near some values: lengths in mm, masses and BMI by their logarithm. */
interface Gap {
  readonly rule: Rule;
  readonly gap: number;
  readonly slopes: Float64Array;
}

/**
 * Moves known values that contradict each other by as little as makes them meet the identities of the model
 * and the orders by definition: the least sum of squares of the moves, each in standard deviations of its
 * error (Lawson and Hanson 1974, Solving Least Squares Problems, chapters 20 and 23).
 *
 * @param curves nude and erect, at the cohort
 * @param known no quantity twice
 */
export function reconcile(
  joint: JointBodies,
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
  // A rounding error is uniform: its variance is a third of the square of its bound.
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

/** The nearest amounts that meet the rules, by Newton's method on those that are broken. */
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
    // The move is from the given amounts, so that rules which are not linear end at the nearest ones, too.
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

/** The least moves, in standard deviations, that change gaps by given amounts. */
function leastMoves(
  held: readonly Gap[],
  needs: readonly number[],
  variances: readonly number[],
): readonly number[] {
  // Each gap is divided by its own standard deviation, for lengths and logarithms differ in size.
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

/** The rules that the known values have to meet, and the number of independent values. */
function rulesOf(
  joint: JointBodies,
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

/** How far amounts are from a rule, and the slopes of that. */
function gapOf(
  rule: Rule,
  at: readonly number[],
  known: readonly Known[],
  { peopleModel }: JointBodies,
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
