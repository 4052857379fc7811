import { MM_PER_UNIT, UNITS } from '../core/units.js';

/** Units of lengths on the pages: the units of the API, and feet with inches. */
export const SHOWN_UNITS = [...UNITS, 'ft-in'] as const;

/** Unit in which a page shows lengths. */
export type ShownUnit = (typeof SHOWN_UNITS)[number];

const MM_PER_INCH = MM_PER_UNIT.in;
const INCHES_PER_FOOT = 12;
/** From this length on, lengths are shown to 1 mm or 0.1 in. Shorter lengths get one digit more. */
const COARSE_FROM_MM = 100;

/** The unit with this name. For an unknown name, millimetres. */
export function shownUnit(name: string | null | undefined): ShownUnit {
  return SHOWN_UNITS.find((unit) => unit === name) ?? 'mm';
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
  const digits = digitsOf(valueMm) + (unit === 'mm' ? 0 : 1);
  const text = (valueMm / MM_PER_UNIT[unit]).toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    // A number that is rounded to zero has no sign.
    signDisplay: 'negative',
  });
  return text.replace('-', '−');
}

/**
 * A limit rounded to its safe side for display: down for a maximum, up for a minimum. If someone then enters
 * the shown number, no person is lost.
 */
export function roundedSafely(valueMm: number, side: 'down' | 'up', unit: ShownUnit): number {
  const [perUnit, more] = unit === 'mm' ? [1, 0] : [MM_PER_UNIT[unit === 'ft-in' ? 'in' : unit], 1];
  const rounded = (likeMm: number) =>
    toStep(valueMm, perUnit / 10 ** (digitsOf(likeMm) + more), side);
  const first = rounded(valueMm);
  // Where rounding crosses 100 mm, the length is shown with other digits, so these count.
  const other = rounded(first);
  return digitsOf(other) === digitsOf(first) ? other : first;
}

/** The next whole number of steps on a side, rounded to 0.001. */
export function toStep(value: number, step: number, side: 'down' | 'up'): number {
  const steps = value / step;
  const whole = side === 'down' ? Math.floor(steps + 1e-9) : Math.ceil(steps - 1e-9);
  return Math.round(whole * step * 1000) / 1000;
}

function digitsOf(valueMm: number): number {
  return Math.abs(valueMm) >= COARSE_FROM_MM ? 0 : 1;
}

/** A length in feet and inches. The inches are rounded first, so 11.97 in becomes the next foot. */
function feetText(valueMm: number): string {
  const digits = digitsOf(valueMm) + 1;
  const inches = Number((Math.abs(valueMm) / MM_PER_INCH).toFixed(digits));
  const feet = Math.floor(inches / INCHES_PER_FOOT);
  const rest = (inches - feet * INCHES_PER_FOOT).toFixed(digits);
  const sign = valueMm < 0 && inches > 0 ? '−' : '';
  return feet === 0 ? `${sign}${rest} in` : `${sign}${feet} ft ${rest} in`;
}
