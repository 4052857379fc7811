import { GENDERS, type Gender } from '../core/genders.js';
import { AGE_LIMITS } from '../core/limits.js';
import { YEARS_PER_UNIT } from '../search/age-words.js';
import type { Field } from '../search/body-words.js';
import { countryNamed } from '../search/countries.js';
import { valueNamed } from '../search/values.js';
import { ageOf, dayOf, isDayFirst } from './sheet-ages.js';
import { type ColumnRange, isMissing, plainNumber } from './sheet-cells.js';
import { type Column, refusal } from './sheet-columns.js';

/** How persons are read. */
export interface PersonOptions {
  /** Values for all rows of a file without such a column. */
  readonly everyone: Readonly<Partial<Record<Field, string>>>;
  /** Meanings of cells of country, gender and so on, by their text in lower case, from `--values`. */
  readonly values?: ReadonlyMap<string, string> | undefined;
  /** Whether numbers have a comma before the decimals. */
  readonly decimalComma: boolean;
}

/** The person of a row. The age is in years. */
export interface SheetPerson {
  readonly country: string;
  readonly gender: Gender;
  readonly age: number;
  readonly clothing?: string;
  readonly posture?: string;
}

/** Whether the age follows from a date of birth and a date of measurement. */
export const areDatesRead = (columns: readonly Column[]): boolean =>
  ['birth', 'measurement'].every((name) =>
    columns.some((one) => one.kind === 'date' && one.name === name),
  );

/**
 * Makes the reader of the persons of a sheet.
 *
 * @param ranges the range of each column
 * @param cellsOf the first cells of a column
 * @returns whose measurements a row has; throws Refusal `wrong_sheet` if that cannot be read
 */
export function personReader(
  columns: readonly Column[],
  ranges: readonly ColumnRange[],
  { everyone, values, decimalComma }: PersonOptions,
  cellsOf: (column: number) => readonly string[],
): (cells: readonly string[]) => SheetPerson {
  // M beside H is a woman (hombre, mujer).
  const hasH = columns.some(
    (column, i) =>
      column.kind === 'field' &&
      column.name === 'gender' &&
      cellsOf(i).some((cell) => /^\s*h\s*$/i.test(cell)),
  );
  const letters = new Map(Object.entries(hasH ? { h: 'Male', m: 'Female' } : {}));
  /** The texts of a field in a row that are not missing, of each of its columns. */
  const textsOf = (field: Field, cells: readonly string[]) =>
    columns.flatMap((column, i) => {
      if (column.kind !== 'field' || column.name !== field) return [];
      const cell = (cells[i] ?? '').trim();
      const code = cell.toLowerCase().replace(/\.0+$/, '');
      const letter = field === 'gender' ? letters.get(code) : undefined;
      const meant = values?.get(code) ?? column.codes?.get(code) ?? letter;
      if (field !== 'age' && meant !== undefined) return [{ text: meant, column }];
      // NA is Namibia. 0 is an age, and no word for a gender.
      const isCode = (field === 'country' && code === 'na') || Number(cell) === 0;
      return cell === '' || (!isCode && isMissing(cell, ranges[i])) ? [] : [{ text: cell, column }];
    });
  const dayFirst = columns.map(({ kind }, i) => kind === 'date' && isDayFirst(cellsOf(i)));
  const ageFromDates = (cells: readonly string[]): number | string | undefined => {
    const [born, measured] = (['birth', 'measurement'] as const).map((name) => {
      const all = columns.flatMap((column, i) => {
        const text = (cells[i] as string).trim();
        if (column.kind !== 'date' || column.name !== name || text === '') return [];
        return { text, day: dayOf(text, dayFirst[i]) ?? Number.NaN };
      });
      return only(`the date of ${name}`, all, ({ day }) => day);
    });
    if (born === undefined || measured === undefined) return undefined;
    const years = Number(((measured.day - born.day) * YEARS_PER_UNIT.days).toFixed(4));
    return Number.isNaN(years) ? `from ${born.text} to ${measured.text}` : years;
  };
  /** The age in years, of the column with the finest unit; or a text that is none. */
  const ageIn = (cells: readonly string[]): number | string | undefined => {
    const ages = textsOf('age', cells).map(({ text, column: { ageUnit = 'years' } }) => {
      const years = ageOf(plainNumber(text, decimalComma), ageUnit);
      return { size: YEARS_PER_UNIT[ageUnit], age: Number.isNaN(years) ? text : years };
    });
    const finest = Math.min(...ages.map(({ size }) => size));
    const told = only(
      'the age',
      ages.flatMap(({ size, age }) => (size === finest ? [age] : [])),
    );
    return told ?? ageFromDates(cells) ?? everyone.age;
  };
  return (cells) => {
    const told = <T>(field: Field, read: (text: string) => T): T | undefined => {
      const texts = textsOf(field, cells).map(({ text }) => text);
      const found = only(`the ${field}`, texts.map(read));
      const given = everyone[field];
      return found ?? (given === undefined ? undefined : read(given));
    };
    const [clothing, posture] = [told('clothing', String), told('posture', String)];
    return {
      country: needed('country', told('country', countryOf)),
      gender: needed('gender', told('gender', genderOf)),
      age: yearsOf(needed('age', ageIn(cells))),
      ...(clothing === undefined ? {} : { clothing }),
      ...(posture === undefined ? {} : { posture }),
    };
  };
}

function needed<T>(field: Field, value: T | undefined): T {
  if (value !== undefined) return value;
  throw refusal(`${field} is empty. Fill the cell, or give it for such rows with --${field}.`);
}

/** The value on which all columns of a row agree. @throws Refusal `wrong_sheet` if they differ */
function only<T>(what: string, all: readonly T[], keyOf: (one: T) => unknown = (one) => one) {
  const [first, ...others] = all;
  if (others.every((one) => Object.is(keyOf(one), keyOf(first as T)))) return first;
  throw refusal(`Two columns differ in ${what}. Leave one out with --columns "…=none".`);
}

function countryOf(text: string): string {
  const code = countryNamed(text);
  if (code !== undefined) return code;
  throw refusal(
    `country: ${JSON.stringify(text)} is no country of this service. Write a name or a code of ISO 3166-1; npx vitruvia catalog lists them.`,
  );
}

function genderOf(text: string): Gender {
  const gender = valueNamed(text, GENDERS);
  if (gender !== undefined) return gender as Gender;
  const said = GENDERS.map((one) => `--values ${JSON.stringify(`${text}=${one}`)}`);
  throw refusal(
    `gender: ${JSON.stringify(text)} is neither Female nor Male. Say what it means: ${said.join(' or ')}.`,
  );
}

function yearsOf(found: number | string): number {
  const age = typeof found === 'number' ? found : ageOf(found, 'years');
  if (age > AGE_LIMITS.maximum) {
    throw refusal(
      `age: ${found} is more than ${AGE_LIMITS.maximum} years. If the column has days or months, write --columns "…=age (days)".`,
    );
  }
  if (Number.isFinite(age)) return age;
  throw refusal(
    `age: ${JSON.stringify(found)} is no number of years, or an age such as "18 months".`,
  );
}
