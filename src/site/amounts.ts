import { numberText } from '../core/number-text.js';
import { DECIMAL, parseLength, parseMass, withPoint } from '../core/typed-values.js';
import { KG_PER_UNIT, MASS_UNITS, type MassUnit, MM_PER_UNIT, UNITS } from '../core/units.js';
import {
  formatLength,
  lengthNumber,
  roundedSafely,
  SHOWN_UNITS,
  type ShownUnit,
  shownUnit,
  toStep,
} from './lengths.js';

// A plain value is a length in mm, a body mass in kg or a BMI in kg/m².

/** The unit of BMI. */
const BMI_UNIT = 'kg/m²';

/** Unit in which a page shows a length, a body mass or a BMI. */
export type AmountUnit = ShownUnit | MassUnit | typeof BMI_UNIT;

/** The quantities of people that are no lengths, with their definitions. */
export const MASSES: Readonly<Record<string, string>> = {
  BodyMass: 'Mass of the nude body',
  BMI: 'Body mass index: body mass divided by the square of stature',
};

/** Whether a name is that of body mass or BMI. */
export function isMass(measurement: string): measurement is 'BodyMass' | 'BMI' {
  return Object.hasOwn(MASSES, measurement);
}

/** Units in which a page shows a dimension, body mass or BMI. The first is the unit of plain values. */
export function unitsOf(measurement: string): readonly AmountUnit[] {
  if (measurement === 'BMI') return [BMI_UNIT];
  return measurement === 'BodyMass' ? MASS_UNITS : SHOWN_UNITS;
}

const ALL_UNITS: readonly AmountUnit[] = [...SHOWN_UNITS, ...MASS_UNITS, BMI_UNIT];

/** The unit for a measurement. A unit of other quantities becomes the first one; an unknown name stays. */
export function unitFor(measurement: string, unit: string): string {
  const units = unitsOf(measurement);
  const isOfOthers = ALL_UNITS.some((one) => one === unit) && !units.some((one) => one === unit);
  return isOfOthers ? (units[0] as string) : unit;
}

/** The unit with this name. For an unknown name, millimetres. */
export function amountUnit(name: string): AmountUnit {
  return ALL_UNITS.find((unit) => unit === name) ?? 'mm';
}

/** Plain units in one unit of the API. Feet and inches are inches there. */
export function plainPer(unit: string): number {
  if (unit === BMI_UNIT) return 1;
  const mass = MASS_UNITS.find((one) => one === unit);
  if (mass !== undefined) return KG_PER_UNIT[mass];
  return MM_PER_UNIT[unit === 'ft-in' ? 'in' : (UNITS.find((one) => one === unit) ?? 'mm')];
}

/** The plain value of a number in a unit of the API. */
export function toPlain(value: number, unit: string): number {
  return value * plainPer(unit);
}

/** The number of a plain value in a unit of the API, with five decimals. */
export function fromPlain(plain: number, unit: string): number {
  return Math.round((plain / plainPer(unit)) * 1e5) / 1e5;
}

/** Whether a unit is one of lengths. */
export function isLengthUnit(unit: AmountUnit): unit is ShownUnit {
  return SHOWN_UNITS.some((one) => one === unit);
}

/** Digits that a unit needs besides those of plain values; two decimals of inches are finer than a millimetre. */
const MORE_DIGITS: Readonly<Record<string, number>> = { cm: 1, in: 2, 'ft-in': 2 };

/**
 * A plain value for a picture, in a unit of the API (decision 0019). Below 100 it is rounded to three significant figures.
 * From there on, a length is rounded to the millimetre, and a mass to one decimal.
 */
export function coarse(plain: number, unit: string): number {
  const figures = plain >= 100 && isLengthUnit(amountUnit(unit)) ? 0 : plain >= 10 ? 1 : 2;
  const digits = figures + (MORE_DIGITS[unit] ?? 0);
  return Number(fromPlain(Number(plain.toFixed(figures)), unit).toFixed(digits));
}

/** A plain value for readers, without its unit. Masses and BMI have one decimal. */
export function amountNumber(plain: number, unit: AmountUnit): string {
  if (isLengthUnit(unit)) return lengthNumber(plain, unit);
  return numberText(plain / plainPer(unit), 1, 1);
}

/** A plain value for readers, such as `1,750 mm`, `5 ft 8.9 in`, `74.2 kg` or `24.3 kg/m²`. */
export function formatAmount(plain: number, unit: AmountUnit): string {
  return isLengthUnit(unit) ? formatLength(plain, unit) : `${amountNumber(plain, unit)} ${unit}`;
}

/** A plain value rounded to its safe side: down for a maximum, up for a minimum; see `roundedSafely`. */
export function amountSafely(plain: number, side: 'down' | 'up', unit: AmountUnit): number {
  return isLengthUnit(unit)
    ? roundedSafely(plain, side, unit)
    : toStep(plain, plainPer(unit) / 10, side);
}

/** The unit in which a screen with a unit of lengths and one of masses shows a measurement. */
export function unitIn(
  units: { readonly unit: string; readonly massUnit: MassUnit },
  measurement: string,
): AmountUnit {
  if (!isMass(measurement)) return shownUnit(units.unit);
  return measurement === 'BMI' ? BMI_UNIT : units.massUnit;
}

const BMI = new RegExp(`^(${DECIMAL})(?:\\s*kg\\/m[²2])?$`);

/** The plain value of a typed text; undefined if the text has none. A number without a unit is in `unit`. */
export function parseAmount(text: string, unit: AmountUnit): number | undefined {
  if (isLengthUnit(unit)) return parseLength(text, unit);
  if (unit !== BMI_UNIT) return parseMass(text, unit);
  const [, digits] = BMI.exec(withPoint(text.trim())) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Valid text of a field, with an example. */
export function amountHint(unit: AmountUnit): string {
  if (isLengthUnit(unit)) return 'a length. Examples: 1700, 170 cm, 66.9 in, 5 ft 7 in.';
  if (unit === BMI_UNIT) return 'a BMI. Example: 24.5.';
  return 'a body mass. Examples: 75, 75 kg, 165 lb.';
}
