import { KG_PER_UNIT, MM_PER_UNIT } from '../core/units.js';
import type { Mixture } from '../population/mixture.js';

/** A unit that may have been meant for a value. */
export interface LikelyUnit {
  readonly name: string;
  /** Millimetres or kilograms in one unit. */
  readonly size: number;
  /** Whether a request may name the unit. */
  readonly ofRequests: boolean;
}

const requested = (sizes: Readonly<Record<string, number>>): LikelyUnit[] =>
  Object.entries(sizes).map(([name, size]) => ({ name, size, ofRequests: true }));

/** Units of lengths. The foot is exactly 0.3048 m (international yard and pound, 1959). */
export const LENGTHS: readonly LikelyUnit[] = [
  ...requested(MM_PER_UNIT),
  { name: 'm', size: 1000, ofRequests: false },
  { name: 'ft', size: 304.8, ofRequests: false },
];
const MASSES = requested(KG_PER_UNIT);

/** Units that values of a measurement may have. The list is empty for `BMI`. */
function unitsFor(measurement: string): readonly LikelyUnit[] {
  if (measurement === 'BMI') return [];
  return measurement === 'BodyMass' ? MASSES : LENGTHS;
}

/** The units of a measurement that a request may use. The list is empty for `BMI`. */
export function unitNamesFor(measurement: string): readonly string[] {
  return unitsFor(measurement).flatMap(({ name, ofRequests }) => (ofRequests ? name : []));
}

/**
 * The first unit in which a value would be believed: mm, cm, in, m or ft; kg or lb.
 *
 * @param believes whether the value is believed; its argument is the size of a unit in mm or kg
 */
export function likelyUnit(
  measurement: string,
  believes: (size: number) => boolean,
): LikelyUnit | undefined {
  return unitsFor(measurement).find(({ size }) => believes(size));
}

/** Converts a value from one unit to another, without the digits that the multiplication adds. */
export function converted(
  value: number,
  measurement: string,
  { size }: LikelyUnit,
  toUnit: string,
): number {
  const to = unitsFor(measurement).find(({ name }) => name === toUnit);
  return Number(((value * size) / (to?.size ?? 1)).toPrecision(8));
}

/** A range of values of a measurement. An end that is absent means no limit. */
export interface GivenRange {
  readonly measurement: string;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

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
 * @param range in the units of the request
 * @param own unit of its values
 * @returns two sentences; undefined if somebody is in the range, or no other unit is likely
 */
export function otherUnitOf(
  { measurement, min, max }: GivenRange,
  distribution: Mixture,
  own: string,
): string | undefined {
  const inside = (size: number): number => {
    const below = min === undefined ? 0 : distribution.share(min * size);
    return (max === undefined ? 1 : distribution.share(max * size)) - below;
  };
  const [given] = unitsFor(measurement).filter(({ name }) => name === own);
  if (given === undefined || inside(given.size) >= NOBODY) return undefined;
  const [low, high] = [distribution.value(LEAST) / FARTHEST, distribution.value(MOST) * FARTHEST];
  const ends = Object.entries({ min, max }).filter((end): end is [string, number] => {
    return end[1] !== undefined;
  });
  const meant = likelyUnit(
    measurement,
    (size) =>
      ends.every(([, value]) => value * size >= low && value * size <= high) &&
      inside(size) >= NOBODY,
  );
  if (meant === undefined) return undefined;
  const values = ends.map(([end, value]) => {
    return `${end} ${converted(value, measurement, meant, own)}`;
  });
  const field = measurement === 'BodyMass' ? 'massUnit' : 'unit';
  const or = meant.ofRequests
    ? `, or set ${field} to ${meant.name} if every value is in ${meant.name}`
    : '';
  const asGiven = ends.map(([, value]) => value).join(' and ');
  return `Did you mean ${asGiven} ${meant.name}? Give ${values.join(' and ')} (${own})${or}.`;
}
