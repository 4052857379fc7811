import { COUNTRY_CODES } from '../core/countries.js';
import { GENDERS } from '../core/genders.js';
import { parseLength, parseMass, withPoint } from '../core/typed-values.js';
import { fromKg, fromMm, KG_PER_UNIT, MM_PER_UNIT } from '../core/units.js';
import { Refusal } from '../failure.js';
import { BODY_MEASUREMENTS } from '../operations/fields.js';
import { KNOWN_LIMITS } from '../operations/known-values.js';
import { nearestName } from '../operations/nearest-name.js';
import { valueNamed } from '../search/values.js';
import {
  type AnyUnit,
  type Column,
  columnOf,
  type Field,
  headingOf,
  isMass,
  type MeasurementColumn,
  OWN_COLUMNS,
  rangeHeadings,
  refusal,
  refuseTwice,
  UNIT,
  type Units,
  unitFor,
} from './sheet-columns.js';
import { typedCountry } from './typed-fields.js';

/** Between the measurements of `fill_known`. */
const SEPARATOR = ' ';

/** How a sheet of people is read and written. */
export interface SheetOptions extends Units {
  /** Measurements to add as columns. */
  readonly wanted: readonly string[];
  /** Whether columns with the ends of the ranges are added. */
  readonly ranges: boolean;
  /** Whether numbers have a comma before the decimals. */
  readonly decimalComma: boolean;
  /** Values for all rows of a file that lacks such a column. */
  readonly everyone: Readonly<Partial<Record<Field, string>>>;
}

/** Values of a completed measurement in mm, kg or kg/m². */
export interface Completed {
  readonly measurement: string;
  readonly expected: number;
  readonly low: number;
  readonly high: number;
}

/** The answer to a row: a person, or the reason why there is none. */
export type Answered =
  | { readonly completed: readonly Completed[]; readonly note?: string | undefined }
  | { readonly refused: string };

/** The request of a row, in mm and kg. */
export interface RowRequest {
  readonly country: string;
  readonly gender: string;
  readonly age: number;
  readonly known: readonly { measurement: string; value: number; unit?: AnyUnit }[];
  readonly wanted?: readonly string[];
  readonly clothing?: string;
  readonly posture?: string;
}

/** A row of the file. It either becomes a request or is written as it is. */
export type Row =
  | { readonly cells: readonly string[]; readonly request: RowRequest }
  | { readonly cells: readonly string[]; readonly status: 'complete' | 'empty' }
  | { readonly cells: readonly string[]; readonly status: 'refused'; readonly reason: string };

/** A sheet of people. It interprets the headings, converts rows to requests, and writes the answers into rows. */
export class PeopleSheet {
  readonly #options: SheetOptions;
  readonly #columns: readonly Column[];
  readonly #headings: readonly string[];
  readonly #added: readonly MeasurementColumn[];
  /** Measurements of the output, each once. */
  readonly #measurements: readonly string[];

  /**
   * @param headings cells of the first line
   * @throws Refusal `wrong_heading` if the sheet lacks a person or measurements, or has a column twice
   */
  constructor(headings: readonly string[], options: SheetOptions) {
    this.#options = options;
    this.#headings = headings;
    this.#columns = headings.map((heading) => columnOf(heading, options));
    refuseTwice(headings, this.#columns);
    const own = this.#columns.flatMap((column) =>
      'measurement' in column ? column.measurement : [],
    );
    if (own.length === 0) {
      throw refusal(
        'No column is a measurement. Name one, such as "Stature (mm)" or "Weight (kg)"; npx vitruvia catalog lists them.',
      );
    }
    for (const field of ['country', 'gender', 'age'] as const) {
      const isThere = this.#columns.some((column) => 'field' in column && column.field === field);
      if (isThere || options.everyone[field] !== undefined) continue;
      throw refusal(
        `No column is named ${field}. Add it, or give it for all rows with --${field}.`,
      );
    }
    this.#added = options.wanted
      .filter((measurement) => !own.includes(measurement))
      .map((measurement) => ({ measurement, unit: unitFor(measurement, options) }));
    this.#measurements = [...own, ...this.#added.map(({ measurement }) => measurement)];
  }

  /** The headings of the output. */
  get headings(): string[] {
    const { ranges } = this.#options;
    const ends = ranges ? this.#rangeColumns().flatMap((column) => rangeHeadings(column)) : [];
    return [...this.#kept(this.#headings), ...this.#added.map(headingOf), ...ends, ...OWN_COLUMNS];
  }

  /** One sentence for each heading that is not a name of this service. It says how the heading was understood. */
  get readings(): string[] {
    return this.#headings.flatMap((heading, i) => {
      const column = this.#columns[i] as Column;
      const quoted = JSON.stringify(heading);
      if ('measurement' in column) {
        const bare = heading.replace(UNIT, '').trim();
        const unit = column.unit === undefined ? '' : ` in ${column.unit}`;
        return bare === column.measurement ? [] : `${quoted} is ${column.measurement}${unit}.`;
      }
      if (!('other' in column)) return [];
      if (column.like !== undefined) {
        const unit = unitFor(column.like, this.#options);
        return `${quoted} has no unit, so the column stays as it is. If it is ${column.like}, write ${JSON.stringify(`${heading} (${unit})`)}.`;
      }
      if (!UNIT.test(heading)) return [];
      const near = nearestName(heading.replace(UNIT, '').trim(), BODY_MEASUREMENTS);
      const hint = near === undefined ? '' : ` Did you mean ${near}?`;
      return `${quoted} is no measurement of this service; the column stays as it is.${hint}`;
    });
  }

  /** Reads the cells of a line. */
  read(cells: readonly string[]): Row {
    if (cells.every((cell) => cell.trim() === '')) return { cells, status: 'empty' };
    if (cells.length !== this.#headings.length) {
      const reason = `The row has ${cells.length} cells, and the first line has ${this.#headings.length}. Check separators and quotes.`;
      return { cells, status: 'refused', reason };
    }
    try {
      const request = this.#request(cells);
      return request === undefined ? { cells, status: 'complete' } : { cells, request };
    } catch (error) {
      if (error instanceof Refusal) return { cells, status: 'refused', reason: error.message };
      throw error;
    }
  }

  /** The cells of a row that had no request. */
  untouched(row: Exclude<Row, { request: RowRequest }>): string[] {
    const note = 'reason' in row ? row.reason : '';
    const status = { complete: 'complete', empty: '', refused: 'not completed' }[row.status];
    const kept = this.#kept(row.cells);
    // If a row is too short or too long, its cells stay in front of the cells that this program adds.
    const width = this.headings.length - OWN_COLUMNS.length;
    const padding = Array.from({ length: Math.max(0, width - kept.length) }, () => '');
    return [...kept, ...padding, status, '', note];
  }

  /** The cells of a row with its answer. */
  answered(cells: readonly string[], request: RowRequest, answer: Answered): string[] {
    if ('refused' in answer) {
      const reason = this.#inWordsOfTheSheet(answer.refused, request);
      return this.untouched({ cells, status: 'refused', reason });
    }
    const known = new Set(request.known.map(({ measurement }) => measurement));
    const found = new Map(answer.completed.map((one) => [one.measurement, one]));
    const shown = (
      { measurement, unit }: MeasurementColumn,
      of: 'expected' | 'low' | 'high',
    ): string => {
      const one = found.get(measurement);
      return one === undefined ? '' : this.#written(one[of], unit);
    };
    const filled = cells.map((cell, i) => {
      const column = this.#columns[i] as Column;
      const isOpen = 'measurement' in column && !known.has(column.measurement);
      return isOpen ? shown(column, 'expected') : cell;
    });
    const ends = this.#options.ranges
      ? this.#rangeColumns().flatMap((column) => [shown(column, 'low'), shown(column, 'high')])
      : [];
    const missing = this.#measurements.filter((name) => !known.has(name) && !found.has(name));
    // If all dimensions of a person were asked for, dimensions that have no model for the gender or age are not
    // mentioned.
    const lacks =
      request.wanted === undefined || missing.length === 0
        ? []
        : `There is no model of ${missing.join(' and ')} for this person.`;
    return [
      ...this.#kept(filled),
      ...this.#added.map((column) => shown(column, 'expected')),
      ...ends,
      'complete',
      [...known].join(SEPARATOR),
      [...(answer.note === undefined ? [] : [answer.note]), ...[lacks].flat()].join(' '),
    ];
  }

  /** The request of a row, or undefined if the row has no open cell. */
  #request(cells: readonly string[]): RowRequest | undefined {
    const texts: Partial<Record<Field, string>> = { ...this.#options.everyone };
    const known: RowRequest['known'][number][] = [];
    let isOpen = this.#added.length > 0 || this.#options.ranges;
    const estimated = this.#estimatedOf(cells);
    for (const [i, column] of this.#columns.entries()) {
      const text = (cells[i] as string).trim();
      if ('field' in column) {
        if (text !== '') texts[column.field] = text;
        continue;
      }
      if (!('measurement' in column)) continue;
      if (text === '' || estimated?.(column.measurement) === true) isOpen = true;
      else known.push(this.#known(column, text, this.#headings[i] as string));
    }
    if (!isOpen) return undefined;
    if (known.length === 0) throw refusal('The row has no measurement; one is needed.');
    if (known.length > KNOWN_LIMITS.maxItems) {
      throw refusal(
        `The row has ${known.length} measurements; a person is completed from at most ${KNOWN_LIMITS.maxItems}. Empty the others.`,
      );
    }
    const isAll = this.#measurements.length >= BODY_MEASUREMENTS.length;
    const { clothing, posture } = texts;
    return {
      country: countryOf(needed(texts, 'country')),
      gender: genderOf(needed(texts, 'gender')),
      age: this.#ageOf(needed(texts, 'age')),
      known,
      ...(isAll ? {} : { wanted: [...new Set(this.#measurements)] }),
      ...(clothing === undefined ? {} : { clothing }),
      ...(posture === undefined ? {} : { posture }),
    };
  }

  /** Returns which cells of a row are estimates, if an earlier run wrote the row; undefined for other rows. */
  #estimatedOf(cells: readonly string[]): ((measurement: string) => boolean) | undefined {
    const at = this.#columns.findIndex((column) => 'own' in column && column.own === 'fill_known');
    const known = (cells[at] ?? '').trim();
    if (known === '') return undefined;
    const names = new Set(known.split(SEPARATOR));
    return (measurement) => !names.has(measurement);
  }

  #known({ measurement, unit }: MeasurementColumn, text: string, heading: string) {
    const plain = this.#options.decimalComma ? withDecimalPoint(text) : text;
    const read = (): number => {
      if (unit === undefined) return Number(withPoint(plain));
      if (isMass(unit)) return (parseMass(plain, unit) ?? Number.NaN) / KG_PER_UNIT[unit];
      return (parseLength(plain, unit) ?? Number.NaN) / MM_PER_UNIT[unit];
    };
    const value = Number(read().toPrecision(12));
    if (!Number.isFinite(value)) {
      throw refusal(
        `${heading}: ${JSON.stringify(text)} is no ${isMass(unit) ? 'mass' : 'number'}.`,
      );
    }
    return { measurement, value, ...(unit === undefined ? {} : { unit }) };
  }

  #ageOf(text: string): number {
    const age = Number(this.#options.decimalComma ? withDecimalPoint(text) : text);
    if (Number.isFinite(age)) return age;
    throw refusal(`age: ${JSON.stringify(text)} is no number of years.`);
  }

  /** A value in mm, kg or kg/m² as a cell. */
  #written(value: number, unit: AnyUnit | undefined): string {
    const number =
      unit === undefined ? value : isMass(unit) ? fromKg(value, unit) : fromMm(value, unit);
    return this.#options.decimalComma ? String(number).replace('.', ',') : String(number);
  }

  /** The cells of a line without the columns of an earlier run. */
  #kept(cells: readonly string[]): string[] {
    return cells.filter((_, i) => !('own' in (this.#columns[i] ?? { other: true })));
  }

  #rangeColumns(): MeasurementColumn[] {
    return [
      ...this.#columns.filter((column): column is MeasurementColumn => 'measurement' in column),
      ...this.#added,
    ];
  }

  /** A refusal whose text names columns instead of fields of the request. */
  #inWordsOfTheSheet(message: string, { known }: RowRequest): string {
    return message.replace(/known\[(\d+)\](?:\.(\w+))?/g, (field, i, part) => {
      const name = known[Number(i)]?.measurement;
      const at = this.#columns.findIndex((one) => 'measurement' in one && one.measurement === name);
      if (at < 0) return field;
      return `${part === 'unit' ? 'the unit of ' : ''}the column ${JSON.stringify(this.#headings[at])}`;
    });
  }
}

/** Converts a cell of a file with decimal commas: `1.720,5` becomes 1720.5. A cell without a comma stays as it is. */
function withDecimalPoint(text: string): string {
  return text.includes(',') ? text.replaceAll('.', '').replace(',', '.') : text;
}

function needed(texts: Readonly<Partial<Record<Field, string>>>, field: Field): string {
  const text = texts[field];
  if (text !== undefined) return text;
  throw refusal(`${field} is empty. Fill the cell, or give it for such rows with --${field}.`);
}

function countryOf(text: string): string {
  const code = typedCountry(text);
  if ((COUNTRY_CODES as readonly string[]).includes(code)) return code;
  throw refusal(
    `country: ${JSON.stringify(text)} is no country of this service. Write a name or a code of ISO 3166-1; npx vitruvia catalog lists them.`,
  );
}

function genderOf(text: string): string {
  const gender = valueNamed(text, GENDERS);
  if (gender !== undefined) return gender;
  throw refusal(`gender: ${JSON.stringify(text)} is neither Female nor Male.`);
}
