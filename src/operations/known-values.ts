import Type, { type Static } from 'typebox';
import { field, Problem, type Sentence, said, wrong } from '../core/errors.js';
import { QUANTITY_LIMITS } from '../core/limits.js';
import { MASS_UNITS, type MassUnit, UNITS, type Unit } from '../core/units.js';
import { curveInverse, curveValue, zOfPercentile } from '../lookup/cell.js';
import type { JointPeople } from '../population/joint.js';
import type { Cohort, CohortCurves } from '../population/people-model.js';
import type { FoundFault } from './faults.js';
import { closedObject, oneOf, requestFields } from './fields.js';
import {
  converted,
  isOfRequests,
  likelyUnit,
  unitNamesFor,
  type WrittenUnit,
} from './likely-unit.js';
import {
  fromRequest,
  rarePercentField,
  toAnswer,
  type Units,
  unitOf,
} from './population-request.js';

// Number of known measurements of a person in a request.

export const KNOWN_LIMITS = { minItems: 1, maxItems: 20 } as const;

/** A known value farther from the median than this, in standard deviations, is not believed. */
export const BELIEVED_Z = 4.5;

/** A known measurement of a person. */
export const knownField = closedObject({
  measurement: requestFields.bodyMeasurement('Measurement that is known.'),
  value: Type.Optional(Type.Number({ ...QUANTITY_LIMITS, description: 'Its value.' })),
  unit: Type.Optional(
    oneOf<Unit | MassUnit>([...UNITS, ...MASS_UNITS], {
      description: 'Unit of `value` alone.',
    }),
  ),
  percentile: Type.Optional(
    rarePercentField('Its percentile among people like the person, instead of `value`.'),
  ),
});

/** A measurement that is known of a person, by its value or its percentile. */
export type KnownInput = Static<typeof knownField>;

/**
 * Finds faults of a list of known measurements.
 *
 * @param list JSON pointer of the list
 */
export function knownFaults(known: readonly KnownInput[], list: string): FoundFault[] {
  const seen = new Set<string>();
  return known.flatMap(({ measurement, value, percentile, unit }, i): FoundFault[] => {
    const pointer = `${list}/${i}`;
    const repeated = seen.has(measurement);
    seen.add(measurement);
    if (repeated) {
      return [wrong(pointer)`repeats ${measurement}; give it once.`];
    }
    if ((value === undefined) === (percentile === undefined)) {
      return [wrong(pointer)`needs value or percentile, one of them.`];
    }
    const units = value === undefined ? [] : unitNamesFor(measurement);
    if (unit === undefined || units.includes(unit)) return [];
    const what = value === undefined ? 'a percentile' : measurement;
    const remedy =
      units.length === 0 ? `${what} has none; leave it out` : `use ${units.join(' or ')}`;
    const place = `${pointer}/unit`;
    return [wrong(place)`is ${unit}, but ${remedy}.`];
  });
}

/** A known measurement in words, in its own units, such as `Stature of 1700 mm` or `Stature at P5`. */
export function knownText(one: KnownInput, units: Units): string {
  const { measurement, value, percentile } = one;
  if (value === undefined) return `${measurement} at P${percentile}`;
  return `${measurement} of ${value} ${unitOf(measurement, unitsOfKnown(one, units))}`;
}

/** Half the last written digit of a known value, in mm, kg or kg/m²; 0 for a percentile. */
export function roundingOf(
  one: KnownInput,
  quantity: number,
  joint: JointPeople,
  units: Units,
): number {
  if (one.value === undefined) return 0;
  return fromRequest(joint, quantity, halfOfLastDigit(one.value), unitsOfKnown(one, units));
}

/** Half the last written digit of a number. */
export function halfOfLastDigit(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e');
  const [, decimals = ''] = digits.split('.');
  return 0.5 * 10 ** (Number(exponent) - decimals.length);
}

/** The units of a known value: its own units if given, otherwise those of the request. */
function unitsOfKnown({ measurement, unit }: KnownInput, units: Units): Units {
  if (unit === undefined) return units;
  return { ...units, [measurement === 'BodyMass' ? 'massUnit' : 'unit']: unit };
}

/**
 * Converts a known value to mm, kg or kg/m², in the clothing of the request.
 *
 * @param pointer JSON pointer of the known measurement
 * @throws Problem `value_implausible` with the values that would be believed and the likely unit
 */
export function knownValue(
  one: KnownInput,
  pointer: string,
  quantity: number,
  joint: JointPeople,
  curves: CohortCurves,
  requestUnits: Units,
): number {
  const { measurement, value, percentile } = one;
  const knots = curves.of(quantity) as Float64Array;
  if (value === undefined) return curveValue(knots, zOfPercentile(percentile as number));
  const units = unitsOfKnown(one, requestUnits);
  const given = fromRequest(joint, quantity, value, units);
  const believed = (candidate: number) => Math.abs(curveInverse(knots, candidate)) <= BELIEVED_Z;
  if (believed(given)) return given;
  const ends = [-BELIEVED_Z, BELIEVED_Z].map((z) => {
    const shown = toAnswer(joint, quantity, Math.max(0, curveValue(knots, z)), units);
    return believedText(shown, z);
  });
  const unit = unitOf(measurement, units);
  const meant = likelyUnit(measurement, (size) => believed(value * size));
  const remedy = (likely: WrittenUnit): Sentence =>
    isOfRequests(likely)
      ? said`Set the unit of ${field(pointer)} to ${likely.name}.`
      : said`Give ${converted(value, likely, unit)} (${unit}).`;
  const hint =
    meant === undefined ? '' : said` Did you mean ${value} ${meant.name}? ${remedy(meant)}`;
  const sentence = said`${measurement} of ${value} ${unit} is a value that no person of this gender, age and country has; ${ends.join(' to ')} ${unit} would be believed.${hint}`;
  const errors = [{ pointer: `${pointer}/value`, ...sentence }];
  throw new Problem('value_implausible', sentence, { errors });
}

/** A value of a request for a nude and erect person. */
export interface GivenValue {
  readonly measurement: string;
  readonly quantity: number;
  /** mm, kg or kg/m². */
  readonly value: number;
  /** Half the last written digit, in the unit of the value. */
  readonly rounding: number;
  /** JSON pointer of the number. */
  readonly pointer: string;
  /** JSON pointer of the entry that has the number. */
  readonly entry: string;
  /** Text such as `Stature of 1700 mm`. */
  readonly text: string;
}

/** Whose values they are, and how answers show them. */
export interface KnownOf {
  readonly joint: JointPeople;
  readonly cohort: Cohort;
  /** Curves of nude and erect people, at the cohort. */
  readonly curves: CohortCurves;
  readonly units: Units;
  /** Converts a value of a nude and erect person to the form of the answer. */
  readonly shown: (quantity: number, value: number) => number;
}

/**
 * Converts the known values of a request to those of a nude and erect person.
 *
 * @param list JSON pointer of the list
 * @param inProfiles curves of people with the profiles of the request
 * @param nude converts a value with those profiles to a value without them
 * @throws Problem as `knownValue`
 */
export function givenValues(
  known: readonly KnownInput[],
  list: string,
  joint: JointPeople,
  dressed: CohortCurves,
  units: Units,
  nude: (quantity: number, value: number) => number = (_, value) => value,
): readonly GivenValue[] {
  return known.map((one, i) => {
    const { measurement } = one;
    const quantity = joint.peopleModel.indexOf(measurement);
    const entry = `${list}/${i}`;
    const value = knownValue(one, entry, quantity, joint, dressed, units);
    return {
      ...{ measurement, quantity, entry, text: knownText(one, units) },
      value: nude(quantity, value),
      rounding: roundingOf(one, quantity, joint, units),
      pointer: `${entry}/${one.value === undefined ? 'percentile' : 'value'}`,
    };
  });
}

/** An end of a range of believed values, rounded into the range: to whole numbers from 100 on, else to one decimal. */
export function believedText(value: number, side: number): string {
  const digits = value >= 100 ? 0 : 1;
  const steps = value * 10 ** digits;
  return ((side < 0 ? Math.ceil(steps) : Math.floor(steps)) / 10 ** digits).toFixed(digits);
}
