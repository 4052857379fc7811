import { type AgeUnit, ageUnitNamed, YEARS_PER_UNIT } from '../search/age-words.js';

/** Milliseconds of a day. */
export const DAY_MS = 86_400_000;
/** A number with a unit of time, such as `2y` or `3 months`. */
const PART = /(\d+(?:[.,]\d+)?)\s*(\p{L}[\p{L}\p{M}]*)\.?/gu;

/**
 * The age of a cell in years; NaN if it is none.
 *
 * @param text a number of `unit`, or with its own units: `18 months`, `2y 3m`. `3 years` are completed years: 3.5
 */
export function ageOf(text: string, unit: AgeUnit): number {
  const number = Number(text);
  if (text.trim() !== '' && Number.isFinite(number)) return number * YEARS_PER_UNIT[unit];
  const parts = [...text.matchAll(PART)].map(([, count = '', word = '']) => ({
    count: Number(count.replace(',', '.')),
    unit: ageUnitNamed(word),
  }));
  if (parts.length === 0 || text.replace(PART, '').replace(/old|and|&|,|\s/gi, '') !== '') {
    return Number.NaN;
  }
  const years = parts.reduce(
    (sum, one) =>
      sum + (one.unit === undefined ? Number.NaN : one.count * YEARS_PER_UNIT[one.unit]),
    0,
  );
  const isCompleted = parts.length === 1 && parts[0]?.unit === 'years' && Number.isInteger(years);
  return isCompleted ? years + 0.5 : years;
}

/** Whether 1/2/2020 is the first of February in a column, by its other dates; undefined if they leave it open. */
export function isDayFirst(cells: readonly string[]): boolean | undefined {
  for (const cell of cells) {
    const [, first, second] = /^\s*(\d{1,2})\/(\d{1,2})\/\d{4}/.exec(cell) ?? [];
    if (Number(first) > 12) return true;
    if (Number(second) > 12) return false;
  }
  return undefined;
}

/** The days since 1970 of a date: 2020-02-01, 2020/2/1, 1.2.2020 or 1/2/2020; undefined for other texts. */
export function dayOf(text: string, dayFirst: boolean | undefined): number | undefined {
  const plain = text.trim().replace(/[T ]\d{1,2}:.*$/, '');
  const [, y, mo, d] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(plain) ?? [];
  if (y !== undefined) return utcDay(Number(y), Number(mo), Number(d));
  const [, first, mark, second, year] = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/.exec(plain) ?? [];
  if (year === undefined) return undefined;
  const isDay = mark === '.' || dayFirst === true || first === second;
  if (!isDay && dayFirst === undefined) return undefined;
  const [day, month] = isDay ? [first, second] : [second, first];
  return utcDay(Number(year), Number(month), Number(day));
}

function utcDay(year: number, month: number, day: number): number | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  // `Date` moves a day that does not exist, such as 31 June, to another date.
  return date.getUTCDate() === day && date.getUTCMonth() === month - 1
    ? date.getTime() / DAY_MS
    : undefined;
}
