import { unitOfNumbers } from '../../src/core/explorer-view.js';
import { fromMm, toMm } from '../../src/core/units.js';
import { formatLength, shownUnit } from '../populations/lengths.js';

/** A length in the unit of a view's numbers, for people: with its unit, `ft-in` for such a view. */
export function lengthText(value: number, unit: string): string {
  return formatLength(toMm(value, unitOfNumbers(unit)), shownUnit(unit));
}

/** The error of a length, with its unit and the digits of that length. */
export function errorText(errorMm: number, value: number, unit: string): string {
  const isShort = toMm(value, unitOfNumbers(unit)) < 100;
  const shown = unitOfNumbers(unit);
  const digits = (isShort ? 1 : 0) + (shown === 'mm' ? 0 : 1);
  const least = 10 ** -digits;
  return `${Math.max(least, fromMm(errorMm, shown)).toFixed(digits)} ${shown}`;
}

export { countryName, people, percentileText } from '../../src/core/explorer-titles.js';
