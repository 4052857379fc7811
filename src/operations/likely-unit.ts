import { field, type Sentence, said } from '../core/errors.js';
import {
  KG_PER_UNIT,
  MASS_UNITS,
  type MassUnit,
  MM_PER_UNIT,
  UNITS,
  type Unit,
} from '../core/units.js';
import type { Mixture } from '../population/mixture.js';

/** Unit of a request. */
export type AnyUnit = Unit | MassUnit;

/** A unit in which people write lengths or masses. */
export interface WrittenUnit {
  readonly name: string;
  /** Millimetres or kilograms in one unit. */
  readonly size: number;
  readonly isMass: boolean;
  /** The unit in which requests have such values. */
  readonly asked: AnyUnit;
}

/** Millimetres or kilograms in a unit of requests. */
export const sizeOf = (unit: AnyUnit): number => ({ ...MM_PER_UNIT, ...KG_PER_UNIT })[unit];

const unit = (name: string, asked: AnyUnit, count = 1): WrittenUnit => ({
  ...{ name, asked, size: count * sizeOf(asked), isMass: asked in KG_PER_UNIT },
});

/** All units, in the order in which they are tried. */
export const WRITTEN_UNITS: readonly WrittenUnit[] = [
  ...[...UNITS, ...MASS_UNITS].map((name) => unit(name, name)),
  ...[unit('m', 'mm', 1000), unit('ft', 'in', 12), unit('st', 'lb', 14)],
  ...[unit('jin', 'kg', 0.5), unit('hg', 'kg', 0.1), unit('g', 'kg', 0.001)],
];

/** Whether a request may name a unit. */
export const isOfRequests = ({ name, asked }: WrittenUnit): boolean => name === asked;

export const LENGTHS = WRITTEN_UNITS.filter(({ isMass }) => !isMass);
const MASSES = WRITTEN_UNITS.filter((one) => one.isMass && isOfRequests(one));

/** Units that values of a measurement may have. The list is empty for `BMI`. */
function unitsFor(measurement: string): readonly WrittenUnit[] {
  if (measurement === 'BMI') return [];
  return measurement === 'BodyMass' ? MASSES : LENGTHS;
}

/** The units of a measurement that a request may use. The list is empty for `BMI`. */
export function unitNamesFor(measurement: string): readonly string[] {
  return unitsFor(measurement)
    .filter(isOfRequests)
    .map(({ name }) => name);
}

/**
 * The first unit in which a value would be believed: mm, cm, in, m or ft; kg or lb.
 *
 * @param believes whether the value is believed; its argument is the size of a unit in mm or kg
 */
export function likelyUnit(
  measurement: string,
  believes: (size: number) => boolean,
): WrittenUnit | undefined {
  return unitsFor(measurement).find(({ size }) => believes(size));
}

/** Converts a value to a unit of requests, without the digits that the multiplication adds. */
export function converted(value: number, { size }: WrittenUnit, toUnit: string): number {
  return Number(((value * size) / sizeOf(toUnit as AnyUnit)).toPrecision(8));
}

type End = number | undefined;

/** If a smaller share of people is in a range, answers round it to 0. */
export const NOBODY = 5e-6;
/** Percentiles between which nearly all people lie. */
const [LEAST, MOST] = [0.1, 99.9];
/** If an end of a range is farther from nearly all people than this factor, it was not meant. */
const FARTHEST = 2;

/**
 * The remedy for a range that contains nobody, if it would contain people in another unit. A range that contains
 * everybody is accepted: a door of 2.5 m lets all people through.
 *
 * @param range an end that is absent means no limit
 * @param own unit of the ends
 * @returns two sentences; undefined if somebody is in the range, or no other unit is likely
 */
export function otherUnitOf(
  {
    measurement,
    min,
    max,
  }: { readonly measurement: string; readonly min?: End; readonly max?: End },
  distribution: Mixture,
  own: string,
): Sentence | undefined {
  const inside = (size: number): number => {
    const below = min === undefined ? 0 : distribution.share(min * size);
    return (max === undefined ? 1 : distribution.share(max * size)) - below;
  };
  const given = unitsFor(measurement).find(({ name }) => name === own);
  if (given === undefined || inside(given.size) >= NOBODY) return undefined;
  const [low, high] = [distribution.value(LEAST) / FARTHEST, distribution.value(MOST) * FARTHEST];
  const ends = Object.entries({ min, max }).flatMap(([end, value]) =>
    value === undefined ? [] : [{ end, value }],
  );
  const meant = likelyUnit(
    measurement,
    (size) =>
      ends.every(({ value }) => value * size >= low && value * size <= high) &&
      inside(size) >= NOBODY,
  );
  if (meant === undefined) return undefined;
  const values = ends.map(({ end, value }) => `${end} ${converted(value, meant, own)}`);
  const unit = field(measurement === 'BodyMass' ? '/massUnit' : '/unit');
  const or = isOfRequests(meant)
    ? said`, or set ${unit} to ${meant.name} if every value is in ${meant.name}`
    : '';
  const asGiven = ends.map(({ value }) => value).join(' and ');
  return said`Did you mean ${asGiven} ${meant.name}? Give ${values.join(' and ')} (${own})${or}.`;
}
