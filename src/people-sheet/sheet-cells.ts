import { parseLength, parseMass, questionAboutFeet, withPoint } from '../core/typed-values.js';
import type { MassUnit, Unit } from '../core/units.js';
import type { WrittenUnit } from '../operations/likely-unit.js';
import { refusal } from './sheet-columns.js';

/** Words of programs for a missing value. */
const MISSING_WORDS =
  /^(?:n\/?a|#n\/a|nan|null|nil|none|missing|unknown|#value!|#div\/0!|\?+|\.+|[-–—]+)$/i;
/** Numbers that programs of statistics write for a missing value. */
const CODE = /^(?:-\d{1,5}|9{2,5}|9{3,4}\d|8{2,5}|7{2,5}|0)(?:[.,]0+)?$/;
/** Codes that no length, mass or age can be, even if the column has no other value. */
const SURE_CODE = /^(?:-\d+|9{4,5}|9{4}\d|0)(?:[.,]0+)?$/;
/** A code lies off the other values if it is farther from their smallest and largest than this factor. */
const OFF = 1.5;

/** The smallest and the largest value of a column, codes left out. Undefined without values. */
export type ColumnRange = readonly [least: number, most: number] | undefined;

/** Whether a cell is a missing value: a word such as `NA`, or a code such as 999 that lies off the other values. */
export function isMissing(text: string, range: ColumnRange): boolean {
  if (text === '') return false;
  const plain = text.replace('−', '-');
  if (MISSING_WORDS.test(plain)) return true;
  if (!CODE.test(plain)) return false;
  if (range === undefined || SURE_CODE.test(plain)) return SURE_CODE.test(plain);
  const value = Number(plain.replace(',', '.'));
  return value < range[0] / OFF || value > range[1] * OFF;
}

/** The range of the numbers of a column that are no code. */
export function rangeOf(cells: readonly string[], decimalComma: boolean): ColumnRange {
  const numbers = cells
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '' && !CODE.test(cell.replace('−', '-')))
    .map((cell) => Number(withPoint(plainNumber(cell, decimalComma))))
    .filter((value) => Number.isFinite(value));
  if (numbers.length === 0) return undefined;
  return [Math.min(...numbers), Math.max(...numbers)];
}

/** Converts a cell of a file with decimal commas: `1.720,5` becomes 1720.5. A cell without a comma stays as it is. */
export function plainNumber(text: string, decimalComma: boolean): string {
  if (!decimalComma || !text.includes(',')) return text;
  return text.replaceAll('.', '').replace(',', '.');
}

/**
 * The value of a cell of a measurement in mm, kg or kg/m².
 *
 * @param plain the cell with a decimal point
 * @returns NaN if the cell is no value
 */
export function cellValue(plain: string, unit: WrittenUnit | undefined): number {
  const number = plain === '' ? Number.NaN : Number(withPoint(plain));
  if (unit === undefined) return number;
  if (Number.isFinite(number)) return number * unit.size;
  // A cell has its own unit, or is a number such as 70 1/2 in the unit of requests.
  if (unit.name !== unit.asked && !/[^\d.\s/]/.test(plain)) return Number.NaN;
  const value = unit.isMass
    ? parseMass(plain, unit.asked as MassUnit)
    : parseLength(plain, unit.asked as Unit);
  return value ?? Number.NaN;
}

/** @throws Refusal `wrong_sheet` for a cell that is no value, or one that may mean two */
export function neededValue(heading: string, plain: string, unit: WrittenUnit | undefined): number {
  const isOfFeet =
    unit?.name === 'ft' || (unit !== undefined && /(?:ft|feet|foot|['′’])$/i.test(plain));
  const question = isOfFeet ? questionAboutFeet(plain) : undefined;
  if (question !== undefined) throw refusal(`${heading}: ${question}`);
  const value = cellValue(plain, unit);
  if (Number.isFinite(value)) return value;
  const [, inches] = /^\d+\s*['′’]\s*(\d+)/.exec(plain) ?? [];
  if (Number(inches) >= 12) {
    throw refusal(`${heading}: ${JSON.stringify(plain)}: ${inches} inches are more than a foot.`);
  }
  throw refusal(`${heading}: ${JSON.stringify(plain)} is no ${unit?.isMass ? 'mass' : 'number'}.`);
}
