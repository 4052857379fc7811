import { GENDERS, type Gender } from '../core/genders.js';
import { AGE_LIMITS } from '../core/limits.js';
import { Refusal } from '../failure.js';
import type { RowPerson } from '../operations/column-agreement.js';
import { YEARS_PER_UNIT } from '../search/age-words.js';
import type { Field } from '../search/body-words.js';
import { countryNamed } from '../search/countries.js';
import { CODED_GENDERS } from '../search/survey-columns.js';
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

/** Reads country, gender, age, clothing and posture of the rows of a sheet. */
export class SheetPersons {
  readonly #headings: readonly string[];
  readonly #columns: readonly Column[];
  readonly #ranges: readonly ColumnRange[];
  readonly #options: PersonOptions;
  /** What cells mean, by their text in lower case. */
  readonly #values: ReadonlyMap<string, string>;
  /** The columns of the dates of birth and of measurement, if the file has both. */
  readonly #dates: readonly { at: number; dayFirst: boolean | undefined }[];
  /** Number of rows so far whose gender is not that of the option. */
  overruled = 0;
  /** Whether the genders are written H (hombre, homem, homme), so that M is a woman (mujer, mulher). */
  readonly #isHm: boolean;

  /**
   * @param columns a date of birth without a date of measurement becomes a column that is not used
   * @param cellsOf the first cells of a column
   */
  constructor(
    headings: readonly string[],
    columns: Column[],
    ranges: readonly ColumnRange[],
    options: PersonOptions,
    cellsOf: (column: number) => readonly string[],
  ) {
    this.#headings = headings;
    this.#columns = columns;
    this.#ranges = ranges;
    this.#options = options;
    const gender = columns.findIndex((column) => 'field' in column && column.field === 'gender');
    this.#isHm = gender >= 0 && cellsOf(gender).some((cell) => cell.trim().toLowerCase() === 'h');
    const isCoded = CODED_GENDERS.has((headings[gender] ?? '').trim().toLowerCase());
    this.#values = new Map([
      ...(isCoded
        ? ([
            ['1', 'Male'],
            ['2', 'Female'],
          ] as const)
        : []),
      ...(options.values ?? []),
    ]);
    const dated = (['birth', 'measured'] as const).map((kind) =>
      columns.findIndex((column) => 'date' in column && column.date === kind),
    );
    this.#dates = dated.every((at) => at >= 0)
      ? dated.map((at) => ({ at, dayFirst: isDayFirst(cellsOf(at)) }))
      : [];
    if (this.#dates.length === 0 && (dated[0] as number) >= 0) {
      const note = `a date of birth needs a date of measurement beside it; say which column has it: --columns "…=date of measurement"`;
      columns[dated[0] as number] = { other: true, note };
    }
  }

  /** Whether ages follow from dates. */
  get hasDates(): boolean {
    return this.#dates.length > 0;
  }

  /** The person of a row, if the row names one. */
  personOf(cells: readonly string[]): RowPerson | undefined {
    if (cells.length !== this.#headings.length) return undefined;
    try {
      const texts = this.#textsOf(cells);
      return {
        country: countryOf(needed(texts, 'country')),
        gender: this.#genderOf(needed(texts, 'gender')),
        ageYears: this.#ageOf(needed(texts, 'age')),
      };
    } catch (error) {
      if (error instanceof Refusal) return undefined;
      throw error;
    }
  }

  /**
   * Whose measurements a row has.
   *
   * @throws Refusal `wrong_sheet`
   */
  whose(cells: readonly string[]): SheetPerson {
    const texts = this.#textsOf(cells);
    const { clothing, posture } = texts;
    const gender = this.#genderOf(needed(texts, 'gender'));
    const { gender: asked } = this.#options.everyone;
    if (asked !== undefined && this.#genderOf(asked) !== gender) this.overruled++;
    return {
      country: countryOf(needed(texts, 'country')),
      gender,
      age: this.#ageOf(needed(texts, 'age')),
      ...(clothing === undefined ? {} : { clothing }),
      ...(posture === undefined ? {} : { posture }),
    };
  }

  /** The texts of the fields of a row itself. An age is in years, if it can be read. */
  #ownTextsOf(cells: readonly string[]): Partial<Record<Field, string>> {
    const texts: Partial<Record<Field, string>> = {};
    let finest = Number.POSITIVE_INFINITY;
    for (const [i, column] of this.#columns.entries()) {
      if (!('field' in column)) continue;
      const { field, ageUnit = 'years' } = column;
      const cell = (cells[i] as string).trim();
      const text = this.#values.get(cell.toLowerCase().replace(/\.0+$/, '')) ?? cell;
      // NA is Namibia. 0 is an age, and no word for a gender.
      const isCode = field === 'country' && text.toLowerCase() === 'na';
      const isMissingText = !isCode && Number(text) !== 0 && isMissing(text, this.#ranges[i]);
      if (text === '' || isMissingText) continue;
      if (field !== 'age') texts[field] = text;
      else if (YEARS_PER_UNIT[ageUnit] < finest) {
        finest = YEARS_PER_UNIT[ageUnit];
        const years = ageOf(plainNumber(text, this.#options.decimalComma), ageUnit);
        texts.age = Number.isNaN(years) ? text : String(years);
      }
    }
    if (texts.age === undefined && this.#dates.length > 0) {
      const [born = '', measured = ''] = this.#dates.map(({ at }) => (cells[at] as string).trim());
      const [first, last] = [born, measured].map((cell, i) =>
        dayOf(cell, this.#dates[i]?.dayFirst),
      );
      if (first !== undefined && last !== undefined) {
        texts.age = String(Number(((last - first) * YEARS_PER_UNIT.days).toFixed(4)));
      } else if (born !== '' && measured !== '') {
        texts.age = `from ${born} to ${measured}`;
      }
    }
    return texts;
  }

  /** The texts of the fields of a row, with what stands for missing ones. */
  #textsOf(cells: readonly string[]): Partial<Record<Field, string>> {
    return { ...this.#options.everyone, ...this.#ownTextsOf(cells) };
  }

  #genderOf(text: string): Gender {
    if (this.#isHm && /^[hm]$/i.test(text)) return /h/i.test(text) ? 'Male' : 'Female';
    const gender = valueNamed(text, GENDERS);
    if (gender !== undefined) return gender as Gender;
    const said = ['Male', 'Female'].map((one) => `--values ${JSON.stringify(`${text}=${one}`)}`);
    throw refusal(
      `gender: ${JSON.stringify(text)} is neither Female nor Male. Say what it means: ${said.join(' or ')}.`,
    );
  }

  #ageOf(text: string): number {
    const age = ageOf(text, 'years');
    if (age > AGE_LIMITS.maximum) {
      throw refusal(
        `age: ${text} is more than ${AGE_LIMITS.maximum} years. If the column has days or months, write --columns "…=age (days)".`,
      );
    }
    if (Number.isFinite(age)) return age;
    throw refusal(
      `age: ${JSON.stringify(text)} is no number of years, or an age such as "18 months".`,
    );
  }
}

function needed(texts: Readonly<Partial<Record<Field, string>>>, field: Field): string {
  const text = texts[field];
  if (text !== undefined) return text;
  throw refusal(`${field} is empty. Fill the cell, or give it for such rows with --${field}.`);
}

function countryOf(text: string): string {
  const code = countryNamed(text);
  if (code !== undefined) return code;
  throw refusal(
    `country: ${JSON.stringify(text)} is no country of this service. Write a name or a code of ISO 3166-1; npx vitruvia catalog lists them.`,
  );
}
