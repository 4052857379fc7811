import chiSquareShare from '@stdlib/stats-base-dists-chisquare-cdf';
import Type, { type Static } from 'typebox';
import { fault, field, Problem, said } from '../core/errors.js';
import { measurementError } from '../core/measurement-errors.js';
import { fromMm, roundPercentile } from '../core/units.js';
import { curveInverse, curveSlope, curveValue } from '../lookup/cell.js';
import { type CompletedPerson, completePerson } from '../population/person.js';
import {
  type BrokenRule,
  type Measured,
  reconcile,
  type Sum,
  sumValue,
} from '../population/reconcile.js';
import { answerFields } from './fields.js';
import { BELIEVED_Z, believedText, type GivenValue, type KnownOf } from './known-values.js';
import { toAnswer, type Units, unitOf } from './population-request.js';

/** If a smaller share of people has the known values together, they are refused. */
const RAREST_SHARE = 1e-7;
/**
 * If a known value is farther than this from the prediction of the others, in standard deviations, the answer names it
 * as doubtful.
 */
const DOUBTFUL_SD = 3.5;
/** Standard deviation of a rounding error, as a share of its bound. The error is uniformly distributed. */
const UNIFORM_SD = 1 / Math.sqrt(3);

/** Smaller gaps are not mentioned: mm, or a share of the mass. */
const SEEN = { identity: 1, order: 1, mass: 1e-3 } as const;

/** Messages round lengths to this number of decimals of their unit. */
const DECIMALS = { mm: 1, cm: 2, in: 2 } as const;

/** How known values fit together. */
export const plausibilityField = Type.Object(
  {
    percentile: answerFields.number(
      'Percent of people whose values of the known measurements are less unusual together. 50: as usual as most. Over 99: fewer than one person in 100 is as unusual. Values that fewer than one person in ten million has are refused.',
    ),
    note: Type.Optional(answerFields.text('What is unusual or was moved, in words.')),
    doubtful: Type.Optional(
      answerFields.bodyMeasurement(
        'The known measurement that does not fit the others: 3.5 standard deviations or more from what they predict.',
      ),
    ),
    moved: Type.Optional(
      Type.Record(Type.String(), answerFields.number('Value that the answer uses.'), {
        description:
          'Values that the answer uses in place of known ones, by measurement. The known ones contradicted each other within the errors of measurement, and were moved as little as possible until parts sum to wholes and BodyMass is BMI × Stature².',
      }),
    ),
  },
  {
    description:
      'Whether the known values fit together. Look at `note` first: it is there only if something is to be checked.',
  },
);

/** How known values fit together. */
export type Plausibility = Static<typeof plausibilityField>;

/** Known values that agree, and the changes that made them agree. */
interface Agreeing {
  /** In the order given. */
  readonly values: readonly number[];
  /** The conflicts in words; empty without any. */
  readonly notes: string[];
  readonly independent: number;
}

const measuredOf = (
  { measurement, quantity, value, rounding }: GivenValue,
  of: KnownOf,
): Measured => {
  const error = measurementError(measurement);
  const errorSd = quantity < of.joint.peopleModel.measurements ? error : error * value;
  return { quantity, value, errorSd, rounding };
};

/**
 * Reconciles known values.
 *
 * @throws Problem `value_implausible` if they contradict each other by more than measurement errors
 */
export function agreeing(given: readonly GivenValue[], of: KnownOf): Agreeing {
  const { joint, cohort, curves } = of;
  const measured = given.map((one) => measuredOf(one, of));
  const { values, broken, independent } = reconcile(joint, cohort, curves, measured);
  const [worst] = broken;
  if (worst !== undefined && worst.gap > worst.tolerance) throw contradiction(worst, given, of);
  // A gap needs no note if it is within the rounding of the values or too small for a tape.
  const notes = broken
    .filter(({ kind, gap, rounding }) => gap > rounding + SEEN[kind])
    .map((rule) => `${ruleText(rule, given, of)}, which errors of measurement explain.`);
  return { values, notes, independent };
}

/** The values that differ from the known ones, in the form of answers, by measurement. */
export function movedOf(
  given: readonly GivenValue[],
  used: readonly number[],
  { shown }: KnownOf,
): Readonly<Record<string, number>> {
  const moved = given.flatMap(({ measurement, quantity, value }, i) => {
    const after = shown(quantity, used[i] as number);
    return after === shown(quantity, value) ? [] : [[measurement, after] as const];
  });
  return Object.fromEntries(moved);
}

/** The values that are used, in words. */
export function usedText(moved: Readonly<Record<string, number>>, { units }: KnownOf): string {
  const texts = Object.entries(moved).map(
    ([measurement, value]) => `${measurement} of ${value} ${unitOf(measurement, units)}`,
  );
  return `The answer uses ${listOf(texts)}.`;
}

/** The refusal of values that break a rule. */
function contradiction(rule: BrokenRule, given: readonly GivenValue[], of: KnownOf): Problem {
  const members = rule.members.map((i) => given[i] as GivenValue);
  const texts = listOf(members.map(({ text }) => text));
  const message = `${texts} contradict each other. ${ruleText(rule, given, of)}. Errors of measurement and rounding explain ${toleranceText(rule, of)} at most.`;
  return pairProblem(message, worstPair(members, of));
}

/**
 * The most probable person with the known values.
 *
 * @param rangeZ standard normal score at the upper end of the ranges
 * @throws Problem `value_implausible` for known values that contradict each other, or that fewer than one person in ten
 * million has together
 */
export function personOf(
  given: readonly GivenValue[],
  of: KnownOf,
  rangeZ: number,
): {
  readonly person: CompletedPerson;
  readonly values: readonly number[];
  readonly plausibility: Plausibility;
} {
  const { joint, cohort, curves } = of;
  const { values, notes, independent } = agreeing(given, of);
  const known = given.map((one, i) => {
    const { errorSd, rounding } = measuredOf(one, of);
    const sd = Math.hypot(errorSd, rounding * UNIFORM_SD);
    return { quantity: one.quantity, value: values[i] as number, errorSd: sd };
  });
  const isRare = (distanceSquare: number) =>
    1 - chiSquareShare(distanceSquare, independent) < RAREST_SHARE;
  const complete = (softness: number) =>
    completePerson(joint, cohort, curves, known, rangeZ, softness);
  let person = complete(0);
  if (given.length < 2)
    return { person, values, plausibility: plausibilityOf(person, independent) };
  if (isRare(person.distanceSquare)) throw tooRare(given, of);
  let used = values;
  if (isRare(person.exactDistanceSquare) || !person.isMet) {
    person = softest(complete, (one) => isRare(one.exactDistanceSquare));
    used = known.map(({ quantity }) => person.of(quantity)?.expected as number);
    notes.push('No person has exactly these values, but errors of measurement explain it.');
  }
  if (!person.isPositive) throw tooRare(given, of);
  const moved = movedOf(given, used, of);
  if (notes.length > 0) notes.push(usedText(moved, of));
  const doubt = doubtOf(given, person.misfits);
  if (doubt !== undefined) notes.push(doubt.note);
  const plausibility = {
    ...plausibilityOf(person, independent),
    ...(notes.length === 0 ? {} : { note: notes.join(' ') }),
    ...(doubt === undefined ? {} : { doubtful: doubt.doubtful }),
    ...(Object.keys(moved).length === 0 ? {} : { moved }),
  };
  return { person, values: used, plausibility };
}

const plausibilityOf = ({ distanceSquare }: CompletedPerson, independent: number) => ({
  percentile:
    independent === 0 ? 0 : roundPercentile(100 * chiSquareShare(distanceSquare, independent)),
});

/** Number of rounds. Each round halves the share of the errors, from 1 to about 0.001. */
const SOFT_ROUNDS = 10;

/** The person with the smallest share of the errors who is not too rare. Each round halves the share. */
function softest(
  complete: (softness: number) => CompletedPerson,
  isRare: (person: CompletedPerson) => boolean,
): CompletedPerson {
  let person = complete(1);
  for (let round = 1; round <= SOFT_ROUNDS; round++) {
    const next = complete(2 ** -round);
    if (isRare(next)) break;
    person = next;
  }
  return person;
}

/** The known value that does not fit the prediction from the others, if there is one. */
function doubtOf(given: readonly GivenValue[], misfits: readonly number[]) {
  const worst = misfits.reduce((most, misfit, i) => {
    return Math.abs(misfit) > Math.abs(misfits[most] as number) ? i : most;
  }, 0);
  const misfit = misfits[worst] ?? 0;
  if (given.length < 2 || Math.abs(misfit) < DOUBTFUL_SD) return undefined;
  const doubtful = given[worst]?.measurement as string;
  const side = misfit > 0 ? 'above' : 'below';
  const note = `${doubtful} lies ${Math.abs(misfit).toFixed(1)} standard deviations ${side} what the other known values predict. Check it and its unit.`;
  return { doubtful, note };
}

/** The refusal of values that nobody has together. */
function tooRare(given: readonly GivenValue[], of: KnownOf): Problem {
  const pair = worstPair(given, of);
  const [one, other] = pair;
  const believed = believedWith(one, other, of) ?? believedWith(other, one, of) ?? '';
  const message = `Fewer than one person in ten million of this gender, age and country has these values together. ${one.text} and ${other.text} fit each other least.${believed}`;
  return pairProblem(message, pair);
}

type Pair = readonly [GivenValue, GivenValue];

function pairProblem(message: string, [one, other]: Pair): Problem {
  const sentence = said`${message} Check ${field(one.entry)} and ${field(other.entry)} and their units, or leave one of them out.`;
  const misfit = (a: GivenValue, b: GivenValue) =>
    fault(a.pointer)`${field(a.entry)}, ${a.text}, does not fit ${b.text}.`;
  const errors = [misfit(one, other), misfit(other, one)];
  return new Problem('value_implausible', sentence, { errors });
}

/** A value as a normal score in its cohort, and the standard deviation of its error as a score. */
function scoreOf(one: GivenValue, of: KnownOf): { readonly z: number; readonly errorSd: number } {
  const knots = of.curves.of(one.quantity) as Float64Array;
  const z = curveInverse(knots, one.value);
  return { z, errorSd: measuredOf(one, of).errorSd / curveSlope(knots, z) };
}

const rhoOf = (one: GivenValue, other: GivenValue, { joint, cohort }: KnownOf): number =>
  joint.peopleModel.rho(cohort.gender, cohort.ageYears, one.quantity, other.quantity);

/** The two values that are most unusual together. They have the largest squared Mahalanobis distance. */
function worstPair(given: readonly GivenValue[], of: KnownOf): Pair {
  const scores = given.map((one) => scoreOf(one, of));
  let worst: Pair = [given[0] as GivenValue, given[1] as GivenValue];
  let most = Number.NEGATIVE_INFINITY;
  given.forEach((other, j) => {
    given.slice(0, j).forEach((one, i) => {
      const [a, b] = [scores[i], scores[j]] as [
        { z: number; errorSd: number },
        { z: number; errorSd: number },
      ];
      const [va, vb] = [1 + a.errorSd ** 2, 1 + b.errorSd ** 2];
      const rho = rhoOf(one, other, of);
      const distance = (vb * a.z ** 2 - 2 * rho * a.z * b.z + va * b.z ** 2) / (va * vb - rho ** 2);
      if (distance > most) [worst, most] = [[one, other], distance];
    });
  });
  return worst;
}

/** The values of `other` that would be believed together with `one`. Undefined if the given value is among them. */
function believedWith(one: GivenValue, other: GivenValue, of: KnownOf): string | undefined {
  const [a, b] = [scoreOf(one, of), scoreOf(other, of)];
  const rho = rhoOf(one, other, of);
  const reach = BELIEVED_Z * Math.sqrt(Math.max(0, 1 - rho ** 2) + b.errorSd ** 2);
  if (Math.abs(b.z - rho * a.z) <= reach) return undefined;
  const knots = of.curves.of(other.quantity) as Float64Array;
  const [low, high] = [-reach, reach].map((z) =>
    believedText(of.shown(other.quantity, Math.max(0, curveValue(knots, rho * a.z + z))), z),
  );
  return ` With ${one.text}, ${other.measurement} of ${low} to ${high} ${unitOf(other.measurement, of.units)} would be believed.`;
}

function listOf(texts: readonly string[]): string {
  const last = texts.at(-1) ?? '';
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} and ${last}`;
}

/**
 * Describes a rule that known values break, and the size of the gap, such as `Stature is SittingHeight + LegLength in
 * every person, and the values are 100 mm apart`.
 */
function ruleText(
  rule: BrokenRule,
  given: readonly GivenValue[],
  { joint, units }: KnownOf,
): string {
  const { kind, sum, constraint, gap } = rule;
  const length = (mm: number) => lengthText(mm, units);
  if (kind === 'mass') {
    const { peopleModel } = joint;
    const valueAt = (quantity: number) =>
      given.find((one) => one.quantity === quantity)?.value as number;
    const statureM =
      sumValue(
        sum,
        given.map(({ value }) => value),
      ) / 1000;
    const [due, is] = [valueAt(peopleModel.bmi) * statureM ** 2, valueAt(peopleModel.mass)].map(
      (kg) => round(toAnswer(joint, peopleModel.mass, kg, units), 2),
    );
    const { left, right } = sides(sum, given, length);
    const alone = right === '' && !/[+−×]/.test(left);
    const stature = alone ? left : `(${left}${right === '' ? '' : ` − ${right}`})`;
    return `BodyMass is BMI × ${stature}² in every person: ${due} ${units.massUnit}, not ${is} ${units.massUnit}`;
  }
  const apart = `and the values are ${length(gap)} apart`;
  if (constraint !== undefined) {
    const { above, below, factor, why } = constraint;
    const times = factor === 1 ? '' : `${factor} times `;
    return `${above} is at least ${times}${below} in every person: ${why.join(', and ')}; ${apart}`;
  }
  const { left, right } = sides(sum, given, length);
  if (kind === 'order') return `${left} is at least ${right || '0'} in every person, ${apart}`;
  const [short, long] = left.length <= right.length ? [left, right] : [right, left];
  return `${short} is ${long} in every person, ${apart}`;
}

/** The gap that measurement errors and rounding explain, such as `32.3 mm` or `7.9 %`. */
function toleranceText({ kind, tolerance }: BrokenRule, { units }: KnownOf): string {
  return kind === 'mass' ? `${round(100 * tolerance, 1)} %` : lengthText(tolerance, units);
}

const lengthText = (mm: number, { unit }: Units): string =>
  `${round(fromMm(mm, unit), DECIMALS[unit])} ${unit}`;

/** The terms of a sum as texts: first those with a plus, then those with a minus. */
function sides(
  sum: Sum,
  given: readonly GivenValue[],
  length: (mm: number) => string,
): { readonly left: string; readonly right: string } {
  const [left, right]: [string[], string[]] = [[], []];
  for (const [i, coefficient] of sum.of) {
    const size = round(Math.abs(coefficient), 3);
    const name = given[i]?.measurement as string;
    (coefficient > 0 ? left : right).push(size === 1 ? name : `${size} × ${name}`);
  }
  if (Math.abs(sum.constantMm) > 1e-6) {
    (sum.constantMm > 0 ? left : right).push(length(Math.abs(sum.constantMm)));
  }
  return { left: left.join(' + '), right: right.join(' + ') };
}

const round = (value: number, decimals: number): number => Number(value.toFixed(decimals));
