import { fromMm } from '../core/units.js';
import { type BrokenRule, type Sum, sumValue } from '../population/reconcile.js';
import type { GivenValue, KnownOf } from './known-values.js';
import { toAnswer, type Units } from './population-request.js';

/** Messages round lengths to this number of decimals of their unit. */
const DECIMALS = { mm: 1, cm: 2, in: 2 } as const;

/**
 * Describes a rule that known values break, and the size of the gap, such as `Stature is SittingHeight + LegLength in
 * every person, and the values are 100 mm apart`.
 */
export function ruleText(
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
export function toleranceText({ kind, tolerance }: BrokenRule, { units }: KnownOf): string {
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
