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
  /** Values for all rows of a file that lacks such a column. */
  readonly everyone: Readonly<Partial<Record<Field, string>>>;
  /** What cells of country, gender and so on mean, by their text in lower case; `--values` says it. */
  readonly values?: ReadonlyMap<string, string> | undefined;
  /** Whether numbers have a comma before the decimals. */
  readonly decimalComma: boolean;
}

/** Whose measurements a row has. The age is in years. */
export interface SheetPerson {
  readonly country: string;
  readonly gender: Gender;
  readonly age: number;
  readonly clothing?: string;
  readonly posture?: string;
}

/** The columns without dates that tell no age. A date of birth needs a date of measurement beside it. */
export function withoutLoneDates(columns: readonly Column[]): readonly Column[] {
  const has = (name: string) => columns.some((one) => one.kind === 'date' && one.name === name);
  if (has('birth') && has('measured')) return columns;
  const note =
    'a date of birth needs a date of measurement beside it. Say which column has it: --columns "…=date of measurement".';
  return columns.map((column) => {
    if (column.kind !== 'date') return column;
    return column.name === 'birth' ? { kind: 'other', note } : { kind: 'other' };
  });
}

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
  /** The texts of a field in a row that are not missing, of each of its columns. */
  const textsOf = (field: Field, cells: readonly string[]) =>
    columns.flatMap((column, i) => {
      if (column.kind !== 'field' || column.name !== field) return [];
      const cell = (cells[i] ?? '').trim();
      const code = cell.toLowerCase().replace(/\.0+$/, '');
      const meant = field === 'age' ? undefined : (values?.get(code) ?? column.codes?.get(code));
      if (meant !== undefined) return [{ text: meant, column }];
      // NA is Namibia. 0 is an age, and no word for a gender.
      const isCode = (field === 'country' && code === 'na') || Number(cell) === 0;
      return cell === '' || (!isCode && isMissing(cell, ranges[i])) ? [] : [{ text: cell, column }];
    });
  const dates = (['birth', 'measured'] as const).flatMap((name) => {
    const at = columns.findIndex((column) => column.kind === 'date' && column.name === name);
    return at < 0 ? [] : [{ at, dayFirst: isDayFirst(cellsOf(at)) }];
  });
  const ageFromDates = (cells: readonly string[]): number | string | undefined => {
    const [born = '', measured = ''] = dates.map(({ at }) => (cells[at] as string).trim());
    if (born === '' || measured === '') return undefined;
    const [first = Number.NaN, last = Number.NaN] = dates.map(({ at, dayFirst }) =>
      dayOf((cells[at] as string).trim(), dayFirst),
    );
    const years = Number(((last - first) * YEARS_PER_UNIT.days).toFixed(4));
    return Number.isNaN(years) ? `from ${born} to ${measured}` : years;
  };
  /** The age in years, of the column with the finest unit; or a text that is none. */
  const ageIn = (cells: readonly string[]): number | string | undefined => {
    const ages = textsOf('age', cells).map(({ text, column: { ageUnit = 'years' } }) => {
      const years = ageOf(plainNumber(text, decimalComma), ageUnit);
      return { size: YEARS_PER_UNIT[ageUnit], age: Number.isNaN(years) ? text : years };
    });
    const [finest] = ages.toSorted((one, other) => one.size - other.size);
    return finest?.age ?? ageFromDates(cells) ?? everyone.age;
  };
  const needed = <T>(field: Field, value: T | undefined): T => {
    if (value !== undefined) return value;
    throw refusal(`${field} is empty. Fill the cell, or give it for such rows with --${field}.`);
  };
  // M beside H is a woman (hombre, mujer).
  const isHm = columns.some(
    (column, i) =>
      column.kind === 'field' &&
      column.name === 'gender' &&
      cellsOf(i).some((cell) => /^\s*h\s*$/i.test(cell)),
  );
  return (cells) => {
    const own = (field: Field) => textsOf(field, cells)[0]?.text ?? everyone[field];
    const [clothing, posture] = [own('clothing'), own('posture')];
    return {
      country: countryOf(needed('country', own('country'))),
      gender: genderOf(needed('gender', own('gender')), isHm),
      age: yearsOf(needed('age', ageIn(cells))),
      ...(clothing === undefined ? {} : { clothing }),
      ...(posture === undefined ? {} : { posture }),
    };
  };
}

function countryOf(text: string): string {
  const code = countryNamed(text);
  if (code !== undefined) return code;
  throw refusal(
    `country: ${JSON.stringify(text)} is no country of this service. Write a name or a code of ISO 3166-1; npx vitruvia catalog lists them.`,
  );
}

function genderOf(text: string, isHm: boolean): Gender {
  if (isHm && /^[hm]$/i.test(text)) return /h/i.test(text) ? 'Male' : 'Female';
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
