import { numberText } from '../core/number-text.js';
import { lengthDigits } from '../core/safe-rounding.js';
import { MM_PER_UNIT, UNITS } from '../core/units.js';

export { roundedSafely, toStep } from '../core/safe-rounding.js';

/** Units of lengths on the pages: the units of the API, and feet with inches. */
export const SHOWN_UNITS = [...UNITS, 'ft-in'] as const;

/** Unit in which a page shows lengths. */
export type ShownUnit = (typeof SHOWN_UNITS)[number];

const MM_PER_INCH = MM_PER_UNIT.in;
const INCHES_PER_FOOT = 12;

/** The unit with this name. For an unknown name, millimetres. */
export function shownUnit(name: string | null | undefined): ShownUnit {
  return SHOWN_UNITS.find((unit) => unit === name) ?? 'mm';
}

/** A unit in words. */
export function unitText(unit: string): string {
  return unit === 'ft-in' ? 'feet and inches' : unit;
}

/**
 * A length for people, with its unit, such as `1,750 mm`, `175.0 cm`, `68.9 in` or `5 ft 8.9 in`.
 * Lengths below 100 mm have one digit more.
 */
export function formatLength(valueMm: number, unit: ShownUnit): string {
  return unit === 'ft-in' ? feetText(valueMm) : `${lengthNumber(valueMm, unit)} ${unit}`;
}

/** A length as in `formatLength`, without the unit. Feet and inches keep their units. */
export function lengthNumber(valueMm: number, unit: ShownUnit): string {
  if (unit === 'ft-in') return feetText(valueMm);
  const digits = digitsIn(unit, valueMm);
  return numberText(valueMm / MM_PER_UNIT[unit], digits, digits);
}

/** How much a length is above another one as both are shown, such as `+2` or `−0.1 in`. */
export function differenceText(valueMm: number, otherMm: number, unit: ShownUnit): string {
  const perUnit = MM_PER_UNIT[unit === 'ft-in' ? 'in' : unit];
  const shown = (mm: number) => Number((mm / perUnit).toFixed(digitsIn(unit, mm)));
  const digits = Math.max(digitsIn(unit, valueMm), digitsIn(unit, otherMm));
  const text = numberText(shown(valueMm) - shown(otherMm), digits, digits);
  return `${/^[^−]*[1-9]/.test(text) ? '+' : ''}${text}${unit === 'ft-in' ? ' in' : ''}`;
}

/** Digits after the point of a length in a unit. */
function digitsIn(unit: ShownUnit, valueMm: number): number {
  return lengthDigits(valueMm) + (unit === 'mm' ? 0 : 1);
}

/** A length in feet and inches. The inches are rounded first, so 11.97 in becomes the next foot. */
function feetText(valueMm: number): string {
  const digits = lengthDigits(valueMm) + 1;
  const inches = Number((Math.abs(valueMm) / MM_PER_INCH).toFixed(digits));
  const feet = Math.floor(inches / INCHES_PER_FOOT);
  const rest = (inches - feet * INCHES_PER_FOOT).toFixed(digits);
  const sign = valueMm < 0 && inches > 0 ? '−' : '';
  return feet === 0 ? `${sign}${rest} in` : `${sign}${feet} ft ${rest} in`;
}
