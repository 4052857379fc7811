import { GENDERS } from '../core/genders.js';
import { MEASUREMENTS } from '../core/measurements.js';
import { INCHES_PER_FOOT } from '../core/typed-values.js';
import { fromMm } from '../core/units.js';
import { Refusal } from '../failure.js';
import { BODY_MEASUREMENTS } from '../operations/fields.js';
import { KNOWN_LIMITS } from '../operations/known-values.js';
import type { AnyUnit } from '../operations/likely-unit.js';
import { mostTelling } from '../operations/most-telling.js';
import type { PredictionModel } from '../operations/prediction-model.js';
import { valueNamed } from '../search/values.js';
import { DRIVERS, judgedColumns, withInches } from './judged-columns.js';
import {
  type ColumnRange,
  cellValue,
  isMissing,
  neededValue,
  plainNumber,
  rangeOf,
} from './sheet-cells.js';
import {
  type Column,
  columnOf,
  headingOf,
  type MeasurementColumn,
  type OpenColumn,
  OWN_COLUMNS,
  placeOf,
  type Reading,
  refusal,
  type Units,
  unitFor,
} from './sheet-columns.js';
import {
  areDatesRead,
  type PersonOptions,
  personReader,
  type SheetPerson,
} from './sheet-persons.js';
import { shownIn, unitOf, withoutUnit } from './sheet-units.js';

/** How a sheet of people is read and written. */
export interface SheetOptions extends Units, PersonOptions {
  /** Measurements to add as columns. */
  readonly wanted: readonly string[];
  /** Whether rows without an open cell become requests too, so that they are checked. */
  readonly checksAll?: boolean;
  /** Whether columns with the ends of the ranges are added. */
  readonly ranges: boolean;
  readonly rangePercent?: number;
  /** Meanings of columns by heading, from `--columns`. */
  readonly said: ReadonlyMap<string, string>;
  /**
   * Expected values of people. Without them, only headings that are told are read, and the first measurements of a row
   * count as those that tell most.
   */
  readonly model?: PredictionModel | undefined;
}

/** How the headings of a file were understood, one sentence for each. */
export interface HeadingsReport {
  readonly read: readonly string[];
  readonly guessed: readonly string[];
  readonly notUsed: readonly string[];
}

/** Values of a completed measurement in mm, kg or kg/m². */
export interface Completed {
  readonly measurement: string;
  readonly expected: number;
  readonly low: number;
  readonly high: number;
}

/** The answer to a row: the part of that of `complete_person` that a sheet uses, or a refusal with its code. */
export type Answered =
  | {
      readonly measurements: readonly Completed[];
      readonly plausibility: { readonly note?: string | undefined };
    }
  | { readonly code: string; readonly refused: string };

/** The request of a row. */
export interface RowRequest extends SheetPerson {
  readonly known: readonly { measurement: string; value: number; unit?: AnyUnit }[];
  readonly wanted?: readonly string[];
  readonly rangePercent?: number;
}

/** The person of a row, with its columns of a measurement that only the other gender has. */
export type RowPerson = Omit<RowRequest, 'wanted' | 'rangePercent'> & {
  readonly strange: readonly PlacedColumn[];
};

/** The cells of a row in the output. The last three are its own columns. */
export interface WrittenRow {
  readonly cells: readonly string[];
  /** Number of cells that the answer fills. */
  readonly filled: number;
}

/** A row of the file. */
export interface Row {
  /** Request for the row; undefined for rows that are empty, complete, or cannot be read. */
  readonly request?: RowRequest;
  /** The row in the output, with the answer to its request. */
  written(answer?: Answered): WrittenRow;
}

/** A column of measurements with its place. */
type PlacedColumn = MeasurementColumn & { readonly i: number };

/** A value of a row in mm, kg or kg/m². */
type GivenValue = PlacedColumn & { readonly value: number };

/** Maximum number of rows by whose values columns are judged. */
const JUDGED_ROWS = 40;
/** Between the measurements of `fill_known`. */
const SEPARATOR = ' ';
/** BMIs that somebody may have. A height and a mass are exchanged if only the other way round gives one. */
const BMIS = [8, 120] as const;

/** A sheet of people. It interprets the headings, converts rows to requests, and writes the answers into rows. */
export class PeopleSheet {
  readonly #options: SheetOptions;
  readonly #headings: readonly string[];
  readonly #columns: readonly Column[];
  /** Of each column. */
  readonly #ranges: readonly ColumnRange[];
  readonly #whose: (cells: readonly string[]) => SheetPerson;
  /** The columns with a measurement of the file, each of another one. */
  readonly measured: readonly PlacedColumn[];
  /** The columns that are added, in the order of the output. */
  readonly added: readonly MeasurementColumn[];
  /** Measurements of the output, each once. */
  readonly #measurements: readonly string[];
  /** How the headings were understood. */
  readonly report: HeadingsReport;
  /** Number of cells so far that are a missing value, by their text. */
  readonly missing = new Map<string, number>();
  /** Number of rows so far whose gender is not that of the option. */
  overruled = 0;
  /** Rows so far with more measurements than a request takes. */
  readonly crowded = {
    rows: 0,
    /** Number of these rows that gave a measurement to the model. */
    given: new Map<string, number>(),
    /** Number of these rows that only kept it. */
    kept: new Map<string, number>(),
  };
  /** Measurements of the file, those first that tell most, by gender and decade of age. */
  readonly #orders = new Map<string, readonly string[]>();

  /**
   * @param headings cells of the first line
   * @param sample cells of the first rows
   * @throws Refusal `wrong_sheet` if the sheet lacks a person or measurements
   */
  constructor(
    headings: readonly string[],
    options: SheetOptions,
    sample: readonly (readonly string[])[] = [],
  ) {
    this.#options = options;
    this.#headings = headings;
    const said = new Map(
      [...options.said].map(([one, what]) => [this.columnAt(one, '--columns'), what]),
    );
    const all = headings.map((heading, i) => columnOf(heading, options, said.get(i)));
    const cellsOf = (i: number) => sample.map((cells) => cells[i] ?? '');
    this.#ranges = headings.map((_, i) => rangeOf(cellsOf(i), options.decimalComma));
    const columns = withInches(all, cellsOf);
    this.#columns = columns;
    this.#whose = personReader(columns, this.#ranges, options, cellsOf);
    if (!columns.some(({ kind }) => kind === 'open')) throw this.#lacking(NO_MEASUREMENT);
    const unsaid = (['country', 'gender', 'age'] as const).filter((field) => {
      const isThere =
        columns.some((one) => one.kind === 'field' && one.name === field) ||
        (field === 'age' && areDatesRead(columns));
      return options.everyone[field] === undefined && !isThere;
    });
    if (unsaid.length > 0) {
      const [fields, flags] = [unsaid, unsaid.map((field) => `--${field}`)].map(listed);
      throw this.#lacking(`The file does not say the ${fields} of its people. Add ${flags}.`);
    }
    const people = this.#peopleOf(sample);
    this.#columns = judgedColumns(
      headings,
      columns,
      people.map(({ person }) => person),
      (i, unit) => people.map(({ cells }) => cellValue(this.#text(cells, i), unit)),
      options.model,
    );
    this.report = this.#reportOf();
    this.measured = this.#columns.flatMap((one, i) =>
      one.kind === 'measured' ? { ...one, i } : [],
    );
    // If no row has a person that can be read, each row says why.
    const saysWhy = people.length === 0 && sample.length > 0;
    if (this.measured.length === 0 && !saysWhy) throw this.#lacking(NO_MEASUREMENT);
    this.added = options.wanted
      .filter((measurement) => placeOf(this.#columns, measurement) < 0)
      .map((measurement) => {
        return { kind: 'measured', measurement, unit: unitFor(measurement, options) };
      });
    this.#measurements = namesOf([...this.measured, ...this.added]);
  }

  /**
   * The index of a column by its heading, with or without the unit.
   *
   * @param option the option that names the heading, for the refusal
   * @throws Refusal `wrong_sheet`
   */
  columnAt(heading: string, option: string): number {
    const plain = (text: string) => text.trim().toLowerCase();
    const names = [this.#headings, this.#headings.map((one) => withoutUnit(one).bare)];
    const places = names.map((all) => all.findIndex((one) => plain(one) === plain(heading)));
    const found = places.find((at) => at >= 0);
    if (found !== undefined) return found;
    throw refusal(
      `${option}: no column has the heading ${JSON.stringify(heading)}. The headings are ${this.#headings.map((one) => JSON.stringify(one)).join(', ')}.`,
    );
  }

  /** The refusal of an incomplete sheet, with the columns that are not used. */
  #lacking(message: string): Refusal {
    return refusal([message, ...this.#reportOf().notUsed.map((one) => `  ${one}`)].join('\n'));
  }

  /** People of the sample, spread over it, with their cells. */
  #peopleOf(sample: readonly (readonly string[])[]) {
    const people = sample.flatMap((cells) => {
      const person = cells.length === this.#headings.length && orRefusal(() => this.#whose(cells));
      return !person || person instanceof Refusal ? [] : [{ cells, person }];
    });
    const step = Math.ceil(people.length / JUDGED_ROWS);
    return people.filter((_, i) => i % step === 0);
  }

  /** A cell with a decimal point; empty if it is a missing value. */
  #plain(cells: readonly string[], i: number): string {
    const text = (cells[i] ?? '').trim();
    return isMissing(text, this.#ranges[i]) ? '' : plainNumber(text, this.#options.decimalComma);
  }

  /** The cell of a measurement, with the inches of another column; empty if an earlier run wrote it. */
  #text(cells: readonly string[], i: number): string {
    const column = this.#columns[i] as MeasurementColumn | OpenColumn;
    const name = column.kind === 'open' ? column.meanings[0] : column.measurement;
    const at = this.#columns.findIndex((one) => one.kind === 'own' && one.name === 'fill_known');
    const known = (cells[at] ?? '').trim();
    if (known !== '' && !known.split(SEPARATOR).some((one) => one === name)) return '';
    const text = this.#plain(cells, i);
    if (column.inches === undefined) return text;
    const none = Number(cells[column.inches]?.trim() || Number.NaN) === 0;
    const parts = [text, none ? '0' : this.#plain(cells, column.inches)];
    if (parts.every((one) => one === '')) return '';
    return `${parts.map((one) => one.replace(/\.0+$/, '')).join("'")}"`;
  }

  #reportOf(): HeadingsReport {
    const report = { read: [] as string[], guessed: [] as string[], notUsed: [] as string[] };
    for (const [i, column] of this.#columns.entries()) {
      const heading = this.#headings[i] as string;
      const quoted = this.#quoted(i);
      if (column.kind === 'measured') {
        const { measurement, unit, isGuess, inches } = column;
        const more = inches === undefined ? '' : `, with the inches of ${this.#quoted(inches)}`;
        const what = `${quoted} is ${measurement}${unit === undefined ? '' : ` in ${unit.name}`}${more}`;
        if (isGuess === true) report.guessed.push(`${what} (a guess from its values).`);
        else if (withoutUnit(heading).bare !== measurement) report.read.push(`${what}.`);
      } else if (column.kind === 'field' && (column.ageUnit ?? 'years') !== 'years') {
        report.read.push(`${quoted} is the age in ${column.ageUnit}.`);
      } else if (column.kind === 'date' && areDatesRead(this.#columns)) {
        report.read.push(`${quoted} is the date of ${column.name}.`);
      } else {
        const isLone = column.kind === 'date' && column.name === 'birth';
        const note = isLone ? LONE_BIRTH : column.kind === 'other' && column.note;
        if (note) report.notUsed.push(`${quoted} is not used: ${note}`);
      }
    }
    return report;
  }

  /** The headings of the output. */
  get headings(): string[] {
    const ends = this.#rangeColumns().flatMap(({ measurement, unit }) =>
      ['low', 'high'].map((end) => headingOf({ measurement: `${measurement} ${end}`, unit })),
    );
    return [...this.#kept(this.#headings), ...this.added.map(headingOf), ...ends, ...OWN_COLUMNS];
  }

  /** The columns whose range is added. */
  #rangeColumns(): readonly MeasurementColumn[] {
    return this.#options.ranges ? [...this.measured, ...this.added] : [];
  }

  /** The cells of a line without the columns of an earlier run. */
  #kept(cells: readonly string[]): string[] {
    return cells.filter((_, i) => this.#columns[i]?.kind !== 'own');
  }

  /** Reads the cells of a line. */
  read(cells: readonly string[]): Row {
    if (cells.every((cell) => cell.trim() === '')) return this.#unasked(cells, '');
    const read = orRefusal(() => this.person(cells));
    if (read instanceof Refusal) return this.#unasked(cells, 'not completed', read.message);
    const { known, strange, ...person } = read;
    const hasOpenCell = known.length + strange.length < this.measured.length;
    const { checksAll, ranges, rangePercent } = this.#options;
    if (!hasOpenCell && this.added.length === 0 && !ranges && checksAll !== true) {
      return this.#unasked(cells, 'complete');
    }
    const isAll = this.#measurements.length >= BODY_MEASUREMENTS.length;
    const request = {
      ...person,
      known: known.length > KNOWN_LIMITS.maxItems ? this.#mostTelling(known, person) : known,
      ...(isAll ? {} : { wanted: this.#measurements }),
      ...(rangePercent === undefined ? {} : { rangePercent }),
    };
    return { request, written: (answer) => this.#answered(cells, read, request, answer) };
  }

  /** A row without a request, or whose request was refused. */
  #unasked(cells: readonly string[], status: string, note = ''): Row {
    return { written: () => ({ cells: this.#line(cells, [], status, '', note), filled: 0 }) };
  }

  /** If a row is too short or too long, its cells stay in front of the cells that this program adds. */
  #line(cells: readonly string[], added: readonly string[], ...own: readonly string[]): string[] {
    const all = [...this.#kept(cells), ...added];
    const missing = this.headings.length - own.length - all.length;
    return [...all, ...Array<string>(Math.max(0, missing)).fill(''), ...own];
  }

  /**
   * The person of a line, with all measurements that it has, and the columns that only the other gender has.
   *
   * @throws Refusal `wrong_sheet`
   */
  person(cells: readonly string[]): RowPerson {
    if (cells.length !== this.#headings.length) {
      throw refusal(
        `The row has ${cells.length} cells, and the first line has ${this.#headings.length}. Check separators and quotes.`,
      );
    }
    const person = this.#whose(cells);
    const { gender } = this.#options.everyone;
    if (gender !== undefined && valueNamed(gender, GENDERS) !== person.gender) this.overruled++;
    const given: GivenValue[] = [];
    const strange: PlacedColumn[] = [];
    for (const column of this.measured) {
      const { i, measurement, unit } = column;
      const cell = (cells[i] as string).trim();
      if (isMissing(cell, this.#ranges[i])) addOne(this.missing, cell);
      const text = this.#text(cells, i);
      if (text === '') continue;
      if (!isOf(person.gender, measurement)) strange.push(column);
      else given.push({ ...column, value: neededValue(this.#headings[i] as string, text, unit) });
    }
    if (given.length === 0) throw refusal('The row has no measurement; one is needed.');
    this.#refuseExchanged(given, cells);
    const known = given.map(({ measurement, value, unit }) => {
      if (unit === undefined) return { measurement, value };
      const asked = Number((value / unitOf(unit.asked).size).toPrecision(12));
      return { measurement, value: asked, unit: unit.asked };
    });
    return { ...person, known, strange };
  }

  /** @throws Refusal `wrong_sheet` if the height of a row is a mass, and its mass a height */
  #refuseExchanged(given: readonly GivenValue[], cells: readonly string[]): void {
    const [tall, heavy] = DRIVERS.map((name) => given.find((one) => one.measurement === name));
    if (tall?.unit === undefined || heavy?.unit === undefined) return;
    const bmi = (mm: number, kg: number) => kg / (mm / 1000) ** 2;
    const ratio = tall.unit.size / heavy.unit.size;
    const exchanged = bmi(heavy.value * ratio, tall.value / ratio);
    if (bmi(tall.value, heavy.value) <= BMIS[1] || exchanged <= BMIS[0] || exchanged >= BMIS[1]) {
      return;
    }
    const texts = [tall, heavy].map(({ i }) => `${this.#quoted(i)} is ${cells[i]}`);
    throw refusal(`The height and the mass may be exchanged: ${texts.join(', and ')}.`);
  }

  #quoted(column: number): string {
    return JSON.stringify(this.#headings[column]);
  }

  /** The measurements of a row that say most about the others, up to the limit of a request. */
  #mostTelling(known: RowRequest['known'], person: SheetPerson): RowRequest['known'] {
    const { model } = this.#options;
    const targets = namesOf(this.added.length > 0 ? this.added : this.measured);
    const kind = `${person.gender} ${Math.floor(person.age / 10)}`;
    const all = namesOf(this.measured);
    const order =
      this.#orders.get(kind) ??
      (model ? mostTelling(all, targets, person, model.people().peopleModel) : all);
    this.#orders.set(kind, order);
    const names = namesOf(known);
    const first = order.filter((name) => names.includes(name)).slice(0, KNOWN_LIMITS.maxItems);
    this.crowded.rows++;
    for (const name of names) addOne(this.crowded[first.includes(name) ? 'given' : 'kept'], name);
    return known.filter(({ measurement }) => first.includes(measurement));
  }

  #answered(
    cells: readonly string[],
    { known, strange, gender }: RowPerson,
    request: RowRequest,
    answer: Answered | undefined,
  ): WrittenRow {
    if (answer === undefined) throw new Error('an answer is missing');
    if ('code' in answer) {
      const reason = this.#inWordsOfTheSheet(answer.refused, request);
      return this.#unasked(cells, 'not completed', reason).written();
    }
    const given = namesOf(known);
    const found = new Map(answer.measurements.map((one) => [one.measurement, one]));
    const written = (value: number) => {
      return this.#options.decimalComma ? String(value).replace('.', ',') : String(value);
    };
    const shown = ({ measurement, unit }: Reading, of: 'expected' | 'low' | 'high'): string => {
      const one = found.get(measurement);
      return one === undefined ? '' : written(shownIn(one[of], unit));
    };
    const kept = new Set([...given, ...namesOf(strange)]);
    const filled = [...cells];
    for (const column of this.measured.filter(({ measurement }) => !kept.has(measurement))) {
      filled[column.i] = shown(column, 'expected');
      const expected = found.get(column.measurement)?.expected;
      if (column.inches === undefined || expected === undefined) continue;
      const inches = Math.round(fromMm(expected, 'in') * 100) / 100;
      filled[column.i] = written(Math.floor(inches / INCHES_PER_FOOT));
      filled[column.inches] = written(Number((inches % INCHES_PER_FOOT).toFixed(2)));
    }
    const open = this.#measurements.filter((name) => !kept.has(name));
    const missing = open.filter((name) => !found.has(name));
    const other = gender === 'Male' ? 'women' : 'men';
    const notes = [
      ...strange.map(
        ({ i }) => `${this.#quoted(i)} is left out: this service has it of ${other} only.`,
      ),
      answer.plausibility.note ?? '',
      // If all dimensions were asked for, those without a model for the gender or age are not mentioned.
      request.wanted === undefined || missing.length === 0
        ? ''
        : `There is no model of ${missing.join(' and ')} for this person.`,
    ];
    const added = [
      ...this.added.map((column) => shown(column, 'expected')),
      ...this.#rangeColumns().flatMap((column) => [shown(column, 'low'), shown(column, 'high')]),
    ];
    const note = notes.filter((one) => one !== '').join(' ');
    return {
      cells: this.#line(filled, added, 'complete', given.join(SEPARATOR), note),
      filled: open.length - missing.length,
    };
  }

  /** A refusal whose text names columns and options instead of fields of the request. */
  #inWordsOfTheSheet(message: string, { known }: RowRequest): string {
    return message
      .replace(/known\[(\d+)\](?:\.(\w+))?/g, (field, n, part) => {
        const at = placeOf(this.#columns, known[Number(n)]?.measurement);
        if (at < 0) return field;
        return `${part === 'unit' ? 'the unit of ' : ''}the column ${this.#quoted(at)}`;
      })
      .replaceAll('rangePercent', '--range-percent');
  }
}

const LONE_BIRTH =
  'a date of birth needs a date of measurement beside it. Say which column has it: --columns "…=date of measurement".';
const NO_MEASUREMENT =
  'No column is a measurement. Name one, such as "Stature (mm)" or "Weight (kg)"; npx vitruvia catalog lists them.';

const namesOf = (all: readonly { readonly measurement: string }[]): string[] =>
  all.map(({ measurement }) => measurement);

const listed = (words: readonly string[]) => new Intl.ListFormat('en-GB').format(words);

/** A result, or the refusal that was thrown instead. */
function orRefusal<T>(compute: () => T): T | Refusal {
  try {
    return compute();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function addOne(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

const GENDERS_OF: ReadonlyMap<string, readonly string[]> = new Map(
  MEASUREMENTS.map(({ name, genders }) => [name, genders]),
);

/** Whether people of a gender have a measurement. */
const isOf = (gender: string, measurement: string): boolean =>
  GENDERS_OF.get(measurement)?.includes(gender) ?? true;
