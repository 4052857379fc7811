import { GENDERS } from '../core/genders.js';
import { MEASUREMENTS } from '../core/measurements.js';
import { Refusal } from '../failure.js';
import type { RowPerson } from '../operations/column-agreement.js';
import { BODY_MEASUREMENTS } from '../operations/fields.js';
import { KNOWN_LIMITS } from '../operations/known-values.js';
import { valueNamed } from '../search/values.js';
import { type Judge, judgedColumns } from './judged-columns.js';
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
  OWN_COLUMNS,
  type Reading,
  rangeHeadings,
  refusal,
  refuseTwice,
  type Units,
  unitFor,
} from './sheet-columns.js';
import {
  type PersonOptions,
  personReader,
  type SheetPerson,
  withoutLoneDates,
} from './sheet-persons.js';
import { type AnyUnit, type SheetUnit, shownIn, unitOf, withoutUnit } from './sheet-units.js';

/** How a sheet of people is read and written. */
export interface SheetOptions extends Units, PersonOptions {
  /** Measurements to add as columns. */
  readonly wanted: readonly string[];
  /** Whether rows without an open cell become requests too, so that they are checked. */
  readonly checksAll?: boolean;
  /** Whether columns with the ends of the ranges are added. */
  readonly ranges: boolean;
  /** What the columns are, by heading; `--columns` says it. */
  readonly said: ReadonlyMap<string, string>;
  /** Compares columns with the people of the rows. Without it, only headings that are told are read. */
  readonly judge?: Judge | undefined;
  /** Orders measurements so that the first ones tell most about others. Without it, they keep the order of the file. */
  readonly order?: (
    known: readonly string[],
    targets: readonly string[],
    person: RowPerson,
  ) => readonly string[];
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

/** The answer to a row: a person, or the reason why there is none. */
export type Answered =
  | { readonly completed: readonly Completed[]; readonly note?: string | undefined }
  | { readonly refused: string };

/** The request of a row, in mm and kg. */
export interface RowRequest extends SheetPerson {
  readonly known: readonly { measurement: string; value: number; unit?: AnyUnit }[];
  readonly wanted?: readonly string[];
}

/** The cells of a row, and what becomes of it. */
export type Row = { readonly cells: readonly string[] } & (
  | { readonly status: 'complete' | 'empty' }
  | { readonly status: 'refused'; readonly reason: string }
  | {
      readonly status: 'asked';
      readonly request: RowRequest;
      /** The measurements that the row has. */
      readonly given: ReadonlySet<string>;
      /** Its columns with a value that people of its gender do not have. */
      readonly strange: readonly number[];
    }
);

/** A row that became a request. */
export type AskedRow = Extract<Row, { status: 'asked' }>;

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
  /** The columns that are added, in the order of the output. */
  readonly added: readonly MeasurementColumn[];
  /** Measurements of the file, each once. */
  readonly measured: readonly string[];
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
   * @throws Refusal `wrong_sheet` if the sheet lacks a person or measurements, or has a column twice
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
    refuseTwice(headings, all);
    const columns = withoutLoneDates(all);
    const cellsOf = (i: number) => sample.map((cells) => cells[i] ?? '');
    this.#ranges = columns.map(({ kind }, i) =>
      ['measured', 'open', 'field'].includes(kind)
        ? rangeOf(cellsOf(i), options.decimalComma)
        : undefined,
    );
    this.#whose = personReader(columns, this.#ranges, options, cellsOf);
    this.#columns = columns;
    const readable = columns.some(({ kind }) => kind === 'open' || kind === 'measured');
    if (!readable) throw lacking(NO_MEASUREMENT, this.#reportOf());
    for (const field of ['country', 'gender', 'age'] as const) {
      const isThere = columns.some((one) =>
        one.kind === 'date' ? field === 'age' : one.kind === 'field' && one.name === field,
      );
      if (isThere || options.everyone[field] !== undefined) continue;
      throw lacking(
        `No column is named ${field}. Add it, or give it for all rows with --${field}.`,
        this.#reportOf(),
      );
    }
    const people = this.#peopleOf(sample);
    this.#columns = judgedColumns(
      headings,
      columns,
      people.map(({ person }) => person),
      (i, unit) => people.map(({ cells }) => this.#valueIn(cells, i, unit)),
      options.judge ?? (() => []),
    );
    this.report = this.#reportOf();
    this.measured = this.#columns.flatMap((one) =>
      one.kind === 'measured' ? one.measurement : [],
    );
    // If no row has a person that can be read, each row says why.
    const saysWhy = people.length === 0 && sample.length > 0;
    if (this.measured.length === 0 && !saysWhy) throw lacking(NO_MEASUREMENT, this.report);
    this.added = options.wanted
      .filter((measurement) => !this.measured.includes(measurement))
      .map((measurement) => ({
        kind: 'measured',
        measurement,
        unit: unitFor(measurement, options),
      }));
    this.#measurements = [...this.measured, ...this.added.map(({ measurement }) => measurement)];
  }

  /**
   * The index of a column by its heading, with or without the unit.
   *
   * @param option the option that names the heading, for the refusal
   * @throws Refusal `wrong_sheet`
   */
  columnAt(heading: string, option: string): number {
    const plain = (text: string) => text.trim().toLowerCase();
    const whole = this.#headings.findIndex((one) => plain(one) === plain(heading));
    if (whole >= 0) return whole;
    const bare = this.#headings.findIndex((one) => plain(withoutUnit(one).bare) === plain(heading));
    if (bare >= 0) return bare;
    throw refusal(
      `${option}: no column has the heading ${JSON.stringify(heading)}. The headings are ${this.#headings.map((one) => JSON.stringify(one)).join(', ')}.`,
    );
  }

  /** People of the sample, spread over it, with their cells. */
  #peopleOf(sample: readonly (readonly string[])[]) {
    const people = sample.flatMap((cells) => {
      const person = cells.length === this.#headings.length ? this.#tryWhose(cells) : undefined;
      return person === undefined ? [] : [{ cells, person }];
    });
    const step = Math.ceil(people.length / JUDGED_ROWS);
    return people.filter((_, i) => i % step === 0);
  }

  #tryWhose(cells: readonly string[]): SheetPerson | undefined {
    try {
      return this.#whose(cells);
    } catch (error) {
      if (error instanceof Refusal) return undefined;
      throw error;
    }
  }

  /** The value of a cell in mm, kg or kg/m²; NaN if it has none. */
  #valueIn(cells: readonly string[], i: number, unit: SheetUnit | undefined): number {
    const text = (cells[i] ?? '').trim();
    const column = this.#columns[i] as Column;
    const names =
      column.kind === 'open'
        ? column.meanings
        : column.kind === 'measured'
          ? [column.measurement]
          : [];
    const isEstimate = typeof names[0] === 'string' && this.#isEstimate(cells, names[0]);
    if (isEstimate || isMissing(text, this.#ranges[i])) return Number.NaN;
    return cellValue(plainNumber(text, this.#options.decimalComma), unit);
  }

  /** Whether an earlier run wrote the cell of a measurement. */
  #isEstimate(cells: readonly string[], measurement: string): boolean {
    const at = this.#columns.findIndex((one) => one.kind === 'own' && one.name === 'fill_known');
    const known = (cells[at] ?? '').trim();
    return known !== '' && !known.split(SEPARATOR).includes(measurement);
  }

  #reportOf(): HeadingsReport {
    const report = { read: [] as string[], guessed: [] as string[], notUsed: [] as string[] };
    for (const [i, column] of this.#columns.entries()) {
      const heading = this.#headings[i] as string;
      const quoted = JSON.stringify(heading);
      if (column.kind === 'measured') {
        const { measurement, unit, isGuess } = column;
        const what = `${quoted} is ${measurement}${unit === undefined ? '' : ` in ${unit.name}`}`;
        if (isGuess === true) report.guessed.push(`${what} (a guess from its values).`);
        else if (withoutUnit(heading).bare !== measurement) report.read.push(`${what}.`);
      } else if (column.kind === 'field' && (column.ageUnit ?? 'years') !== 'years') {
        report.read.push(`${quoted} is the age in ${column.ageUnit}.`);
      } else if (column.kind === 'date') {
        report.read.push(
          `${quoted} is the date of ${column.name === 'birth' ? 'birth' : 'measurement'}.`,
        );
      } else if (column.kind === 'other' && column.note !== undefined) {
        report.notUsed.push(`${quoted} is not used: ${column.note}`);
      }
    }
    return report;
  }

  /** The headings of the output. */
  get headings(): string[] {
    const ends = this.#rangeColumns().flatMap(rangeHeadings);
    return [...this.#kept(this.#headings), ...this.added.map(headingOf), ...ends, ...OWN_COLUMNS];
  }

  /** The columns whose range is added. */
  #rangeColumns(): MeasurementColumn[] {
    if (!this.#options.ranges) return [];
    return [...this.#columns.filter((column) => column.kind === 'measured'), ...this.added];
  }

  /** The cells of a line without the columns of an earlier run. */
  #kept(cells: readonly string[]): string[] {
    return cells.filter((_, i) => this.#columns[i]?.kind !== 'own');
  }

  /** Reads the cells of a line. */
  read(cells: readonly string[]): Row {
    if (cells.every((cell) => cell.trim() === '')) return { cells, status: 'empty' };
    try {
      return this.#row(cells);
    } catch (error) {
      if (error instanceof Refusal) return { cells, status: 'refused', reason: error.message };
      throw error;
    }
  }

  #row(cells: readonly string[]): Row {
    const { person, known, strange, hasOpenCell } = this.#personIn(cells);
    const { checksAll, ranges } = this.#options;
    if (!hasOpenCell && this.added.length === 0 && !ranges && checksAll !== true) {
      return { cells, status: 'complete' };
    }
    const isAll = this.#measurements.length >= BODY_MEASUREMENTS.length;
    const request = {
      ...person,
      known: known.length > KNOWN_LIMITS.maxItems ? this.#mostTelling(known, person) : known,
      ...(isAll ? {} : { wanted: [...new Set(this.#measurements)] }),
    };
    const given = new Set(known.map(({ measurement }) => measurement));
    return { cells, status: 'asked', request, given, strange };
  }

  /**
   * The person of a line, with all measurements that it has.
   *
   * @throws Refusal `wrong_sheet`
   */
  person(cells: readonly string[]): Omit<RowRequest, 'wanted'> {
    const { person, known } = this.#personIn(cells);
    return { ...person, known };
  }

  #personIn(cells: readonly string[]) {
    if (cells.length !== this.#headings.length) {
      throw refusal(
        `The row has ${cells.length} cells, and the first line has ${this.#headings.length}. Check separators and quotes.`,
      );
    }
    const person = this.#whose(cells);
    const { gender } = this.#options.everyone;
    if (gender !== undefined && valueNamed(gender, GENDERS) !== person.gender) this.overruled++;
    const known: RowRequest['known'][number][] = [];
    const strange: number[] = [];
    let hasOpenCell = false;
    for (const [i, column] of this.#columns.entries()) {
      if (column.kind !== 'measured') continue;
      const { measurement, unit } = column;
      const text = (cells[i] as string).trim();
      const isGone = isMissing(text, this.#ranges[i]);
      if (isGone) addOne(this.missing, text);
      if (text === '' || isGone || this.#isEstimate(cells, measurement)) hasOpenCell = true;
      else if (!isOf(person.gender, measurement)) strange.push(i);
      else known.push(this.#known(measurement, unit, text, this.#headings[i] as string));
    }
    if (known.length === 0) throw refusal('The row has no measurement; one is needed.');
    this.#refuseExchanged(cells);
    return { person, known, strange, hasOpenCell };
  }

  #known(measurement: string, unit: SheetUnit | undefined, text: string, heading: string) {
    const value = neededValue(heading, plainNumber(text, this.#options.decimalComma), unit);
    if (unit === undefined) return { measurement, value };
    const asked = value / unitOf(unit.asked).size;
    return { measurement, value: Number(asked.toPrecision(12)), unit: unit.asked };
  }

  /** @throws Refusal `wrong_sheet` if the height of a row is a mass, and its mass a height */
  #refuseExchanged(cells: readonly string[]): void {
    const [tall, heavy] = ['Stature', 'BodyMass'].map((name) => {
      const at = this.#columns.findIndex(
        (one) => one.kind === 'measured' && one.measurement === name,
      );
      const { unit } = (this.#columns[at] ?? {}) as Partial<MeasurementColumn>;
      const value = at < 0 ? Number.NaN : this.#valueIn(cells, at, unit);
      const text = `${JSON.stringify(this.#headings[at])} is ${cells[at]}`;
      return { value, size: unit?.size ?? Number.NaN, text };
    }) as [Exchangeable, Exchangeable];
    const bmi = (mm: number, kg: number) => kg / (mm / 1000) ** 2;
    const exchanged = bmi(
      (heavy.value / heavy.size) * tall.size,
      (tall.value / tall.size) * heavy.size,
    );
    if (bmi(tall.value, heavy.value) > BMIS[1] && exchanged > BMIS[0] && exchanged < BMIS[1]) {
      throw refusal(`The height and the mass may be exchanged: ${tall.text}, and ${heavy.text}.`);
    }
  }

  /** The measurements of a row that tell most about the others, as many as a request takes. */
  #mostTelling(known: RowRequest['known'], person: SheetPerson): RowRequest['known'] {
    const others = this.added.map(({ measurement }) => measurement);
    const kind = `${person.gender} ${Math.floor(person.age / 10)}`;
    const targets = others.length > 0 ? others : this.measured;
    const order =
      this.#orders.get(kind) ??
      this.#options.order?.(this.measured, targets, person) ??
      this.measured;
    this.#orders.set(kind, order);
    const names = known.map(({ measurement }) => measurement);
    const first = order.filter((name) => names.includes(name)).slice(0, KNOWN_LIMITS.maxItems);
    this.crowded.rows++;
    for (const name of names) addOne(this.crowded[first.includes(name) ? 'given' : 'kept'], name);
    return known.filter(({ measurement }) => first.includes(measurement));
  }

  /** The cells of a row that had no request, or whose request was refused. */
  untouched({ cells, ...row }: Exclude<Row, AskedRow>): string[] {
    const status = { complete: 'complete', empty: '', refused: 'not completed' }[row.status];
    const kept = this.#kept(cells);
    // If a row is too short or too long, its cells stay in front of the cells that this program adds.
    const width = this.headings.length - OWN_COLUMNS.length;
    const padding = Array.from({ length: Math.max(0, width - kept.length) }, () => '');
    return [...kept, ...padding, status, '', 'reason' in row ? row.reason : ''];
  }

  /** The cells of a row with its answer, and the number of cells that the answer fills. */
  answered({ cells, request, given, strange }: AskedRow, answer: Answered) {
    if ('refused' in answer) {
      const reason = this.#inWordsOfTheSheet(answer.refused, request);
      return { cells: this.untouched({ cells, status: 'refused', reason }), filled: 0 };
    }
    const found = new Map(answer.completed.map((one) => [one.measurement, one]));
    const shown = ({ measurement, unit }: Reading, of: 'expected' | 'low' | 'high'): string => {
      const one = found.get(measurement);
      if (one === undefined) return '';
      const text = String(shownIn(one[of], unit));
      return this.#options.decimalComma ? text.replace('.', ',') : text;
    };
    const filled = cells.map((cell, i) => {
      const column = this.#columns[i] as Column;
      const isOpen =
        column.kind === 'measured' && !given.has(column.measurement) && !strange.includes(i);
      return isOpen ? shown(column, 'expected') : cell;
    });
    const kept = strange.map((i) => (this.#columns[i] as MeasurementColumn).measurement);
    const open = this.#measurements.filter((name) => !given.has(name) && !kept.includes(name));
    const missing = open.filter((name) => !found.has(name));
    const other = request.gender === 'Male' ? 'women' : 'men';
    const notes = [
      ...strange.map(
        (i) =>
          `${JSON.stringify(this.#headings[i])} is left out: this service has it of ${other} only.`,
      ),
      answer.note ?? '',
      // If all dimensions were asked for, those without a model for the gender or age are not mentioned.
      request.wanted === undefined || missing.length === 0
        ? ''
        : `There is no model of ${missing.join(' and ')} for this person.`,
    ];
    return {
      cells: [
        ...this.#kept(filled),
        ...this.added.map((column) => shown(column, 'expected')),
        ...this.#rangeColumns().flatMap((column) => [shown(column, 'low'), shown(column, 'high')]),
        ...['complete', [...given].join(SEPARATOR)],
        notes.filter((note) => note !== '').join(' '),
      ],
      filled: open.length - missing.length,
    };
  }

  /** A refusal whose text names columns and options instead of fields of the request. */
  #inWordsOfTheSheet(message: string, { known }: RowRequest): string {
    return message
      .replace(/known\[(\d+)\](?:\.(\w+))?/g, (field, i, part) => {
        const name = known[Number(i)]?.measurement;
        const at = this.#columns.findIndex(
          (one) => one.kind === 'measured' && one.measurement === name,
        );
        if (at < 0) return field;
        return `${part === 'unit' ? 'the unit of ' : ''}the column ${JSON.stringify(this.#headings[at])}`;
      })
      .replaceAll('rangePercent', '--range-percent')
      .replace(/ Ask for groups [^.]*\./g, '');
  }
}

interface Exchangeable {
  /** In mm or kg. */
  readonly value: number;
  /** mm or kg in one unit. */
  readonly size: number;
  readonly text: string;
}

const NO_MEASUREMENT =
  'No column is a measurement. Name one, such as "Stature (mm)" or "Weight (kg)"; npx vitruvia catalog lists them.';

/** The refusal of a sheet that lacks something, with the columns that are not used. */
function lacking(message: string, { notUsed }: HeadingsReport): Refusal {
  return refusal([message, ...notUsed.map((one) => `  ${one}`)].join('\n'));
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
