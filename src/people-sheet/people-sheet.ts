import type { Gender } from '../core/genders.js';
import { MEASUREMENTS } from '../core/measurements.js';
import { fromKg, fromMm } from '../core/units.js';
import { Refusal } from '../failure.js';
import type { RowPerson } from '../operations/column-agreement.js';
import { BODY_MEASUREMENTS } from '../operations/fields.js';
import { KNOWN_LIMITS } from '../operations/known-values.js';
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
  type AnyUnit,
  type Column,
  columnOf,
  headingOf,
  isMass,
  type MeasurementColumn,
  OWN_COLUMNS,
  type Reading,
  rangeHeadings,
  refusal,
  refuseTwice,
  requestUnit,
  type SheetUnit,
  sizeOf,
  type Units,
  unitFor,
  withoutUnit,
} from './sheet-columns.js';
import { type PersonOptions, SheetPersons } from './sheet-persons.js';

/** Between the measurements of `fill_known`. */
const SEPARATOR = ' ';

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

/** Maximum number of rows by whose values columns are judged. */
const JUDGED_ROWS = 40;

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
  /** The columns that are added, in the order of the output. */
  readonly added: readonly MeasurementColumn[];
  /** Measurements of the output, each once. */
  readonly #measurements: readonly string[];
  /** Of each column. */
  readonly #ranges: readonly ColumnRange[];
  /** Reads whose measurements the rows have. */
  readonly persons: SheetPersons;
  /** How the headings were understood. */
  readonly report: HeadingsReport;
  /** Number of cells so far that are a missing value, by their text. */
  readonly missing = new Map<string, number>();
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
    const columns = headings.map((heading, i) => columnOf(heading, options, said.get(i)));
    refuseTwice(headings, columns);
    if (!columns.some((column) => 'measurement' in column || 'readings' in column)) {
      throw noMeasurement();
    }
    const cellsOf = (i: number) => sample.map((cells) => cells[i] ?? '');
    this.#columns = columns;
    this.#ranges = columns.map((column, i) => {
      const hasNumbers =
        'measurement' in column ||
        'readings' in column ||
        ('field' in column && column.field === 'age');
      return hasNumbers ? rangeOf(cellsOf(i), options.decimalComma) : undefined;
    });
    this.persons = new SheetPersons(headings, columns, this.#ranges, options, cellsOf);
    for (const field of ['country', 'gender', 'age'] as const) {
      const isThere =
        columns.some((column) => 'field' in column && column.field === field) ||
        (field === 'age' && this.persons.hasDates);
      if (isThere || options.everyone[field] !== undefined) continue;
      const why = this.#reportOf().notUsed.map((one) => `\n  ${one}`);
      throw refusal(
        `No column is named ${field}. Add it, or give it for all rows with --${field}.${why.join('')}`,
      );
    }
    this.#columns = this.#judged(columns, sample);
    this.report = this.#reportOf();
    const own = this.#columns.flatMap((column) =>
      'measurement' in column ? column.measurement : [],
    );
    if (own.length === 0) throw noMeasurement(this.report.notUsed);
    this.added = options.wanted
      .filter((measurement) => !own.includes(measurement))
      .map((measurement) => ({ measurement, unit: unitFor(measurement, options), how: 'added' }));
    this.#measurements = [...own, ...this.added.map(({ measurement }) => measurement)];
  }

  /**
   * The index of a column by its heading, with or without the unit.
   *
   * @param option the option that names the heading, for the refusal
   * @throws Refusal `wrong_sheet`
   */
  columnAt(heading: string, option: string): number {
    const index = saidOf(this.#headings, heading);
    if (index >= 0) return index;
    throw refusal(
      `${option}: no column has the heading ${JSON.stringify(heading)}. The headings are ${this.#headings.map((one) => JSON.stringify(one)).join(', ')}.`,
    );
  }

  /** Measurements of the file, each once. */
  get measured(): readonly string[] {
    return this.#columns.flatMap((column) => ('measurement' in column ? column.measurement : []));
  }

  /** The columns with the readings that their values agree with. */
  #judged(columns: readonly Column[], sample: readonly (readonly string[])[]): readonly Column[] {
    const isMassOf = (column: Column) => {
      const named = 'readings' in column ? column.written : column;
      return named !== undefined && 'measurement' in named && named.measurement === 'BodyMass';
    };
    for (const [i, column] of columns.entries()) {
      if (!('other' in column) || column.isOfMass !== true || columns.some(isMassOf)) continue;
      const heading = this.#headings[i] as string;
      throw refusal(
        `${JSON.stringify(heading)} has a unit of mass, but is no word for the mass of the body. Write --columns ${JSON.stringify(`${heading}=BodyMass`)}, or --columns ${JSON.stringify(`${heading}=none`)} to leave it out.`,
      );
    }
    const rows = sample.flatMap((cells) => {
      const person = this.persons.personOf(cells);
      return person === undefined ? [] : [{ cells, person }];
    });
    const step = Math.ceil(rows.length / JUDGED_ROWS);
    const judged = rows.filter((_, i) => i % step === 0);
    const { judge } = this.#options;
    if (judge === undefined || judged.length === 0) return columns.map(byHeading);
    const people = judged.map(({ person }) => person);
    const valuesOf = (i: number, unit: SheetUnit | undefined) =>
      judged.map(({ cells }) => this.#valueIn(cells, i, unit));
    return judgedColumns(this.#headings, columns, people, valuesOf, judge).map(byHeading);
  }

  /** The value of a cell in mm, kg or kg/m²; NaN if it has none. */
  #valueIn(cells: readonly string[], i: number, unit: SheetUnit | undefined): number {
    const text = (cells[i] ?? '').trim();
    const column = this.#columns[i] as Column;
    const isEstimate = 'measurement' in column && this.#estimatedOf(cells)?.(column.measurement);
    if (isEstimate === true || isMissing(text, this.#ranges[i])) return Number.NaN;
    return cellValue(plainNumber(text, this.#options.decimalComma), unit);
  }

  /** The headings of the output. */
  get headings(): string[] {
    const { ranges } = this.#options;
    const ends = ranges ? this.#rangeColumns().flatMap((column) => rangeHeadings(column)) : [];
    return [...this.#kept(this.#headings), ...this.added.map(headingOf), ...ends, ...OWN_COLUMNS];
  }

  #reportOf(): HeadingsReport {
    const read: string[] = [];
    const guessed: string[] = [];
    const notUsed: string[] = [];
    for (const [i, column] of this.#columns.entries()) {
      const heading = this.#headings[i] as string;
      const quoted = JSON.stringify(heading);
      if ('measurement' in column) {
        const what = `${quoted} is ${nameOf(column)}`;
        if (column.how === 'guessed') {
          guessed.push(`${what} (a guess from its values).`);
        } else if (withoutUnit(heading).bare !== column.measurement) read.push(`${what}.`);
      } else if ('field' in column && (column.ageUnit ?? 'years') !== 'years') {
        read.push(`${quoted} is the age in ${column.ageUnit}.`);
      } else if ('date' in column && this.persons.hasDates) {
        read.push(`${quoted} is the date of ${column.date === 'birth' ? 'birth' : 'measurement'}.`);
      } else if ('other' in column) {
        const note = column.isOfMass ? 'another column is the mass of the body' : column.note;
        if (note !== undefined)
          notUsed.push(`${quoted} is not used: ${note}${/[.?]$/.test(note) ? '' : '.'}`);
      }
    }
    return { read, guessed, notUsed };
  }

  /** Reads the cells of a line. */
  read(cells: readonly string[]): Row {
    if (cells.every((cell) => cell.trim() === '')) return { cells, status: 'empty' };
    try {
      this.#checkWidth(cells);
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
    const known = this.#givenIn(cells, request.gender);
    const found = new Map(answer.completed.map((one) => [one.measurement, one]));
    const shown = ({ measurement, unit }: Reading, of: 'expected' | 'low' | 'high'): string => {
      const one = found.get(measurement);
      return one === undefined ? '' : this.#written(one[of], unit);
    };
    const strange = this.#strangeIn(cells, request.gender);
    const filled = cells.map((cell, i) => {
      const column = this.#columns[i] as Column;
      const isOpen = 'measurement' in column && !known.has(column.measurement);
      return isOpen && !strange.includes(i) ? shown(column, 'expected') : cell;
    });
    const ends = this.#options.ranges
      ? this.#rangeColumns().flatMap((column) => [shown(column, 'low'), shown(column, 'high')])
      : [];
    const kept = strange.map((i) => (this.#columns[i] as MeasurementColumn).measurement);
    const missing = this.#measurements.filter(
      (name) => !known.has(name) && !found.has(name) && !kept.includes(name),
    );
    const strangeNotes = strange.map(
      (i) =>
        `${JSON.stringify(this.#headings[i])} is left out: this service has it of ${request.gender === 'Male' ? 'women' : 'men'} only.`,
    );
    // If all dimensions of a person were asked for, dimensions that have no model for the gender or age are not
    // mentioned.
    const lacks =
      request.wanted === undefined || missing.length === 0
        ? []
        : `There is no model of ${missing.join(' and ')} for this person.`;
    return [
      ...this.#kept(filled),
      ...this.added.map((column) => shown(column, 'expected')),
      ...ends,
      'complete',
      [...known].join(SEPARATOR),
      [
        ...strangeNotes,
        ...(answer.note === undefined ? [] : [answer.note]),
        ...[lacks].flat(),
      ].join(' '),
    ];
  }

  /** The number of cells of measurements that the answer fills. */
  filledOf(
    cells: readonly string[],
    { completed }: { readonly completed: readonly Completed[] },
  ): number {
    const given = this.#givenIn(cells);
    const found = new Set(completed.map(({ measurement }) => measurement));
    return this.#measurements.filter((name) => found.has(name) && !given.has(name)).length;
  }

  /**
   * The person of a line, with all measurements that it has.
   *
   * @throws Refusal `wrong_sheet`
   */
  person(cells: readonly string[]): Omit<RowRequest, 'wanted'> {
    this.#checkWidth(cells);
    const whose = this.persons.whose(cells);
    return { ...whose, known: this.#measuredIn(cells, whose.gender).known };
  }

  #checkWidth(cells: readonly string[]): void {
    if (cells.length === this.#headings.length) return;
    throw refusal(
      `The row has ${cells.length} cells, and the first line has ${this.#headings.length}. Check separators and quotes.`,
    );
  }

  /** The measurements of a row, and whether it has an open cell. */
  #measuredIn(
    cells: readonly string[],
    gender: Gender,
  ): { known: RowRequest['known']; isOpen: boolean } {
    const known: RowRequest['known'][number][] = [];
    let isOpen = this.added.length > 0 || this.#options.ranges || this.#options.checksAll === true;
    const given = this.#givenIn(cells, gender);
    const strange = this.#strangeIn(cells, gender);
    for (const [i, column] of this.#columns.entries()) {
      if (!('measurement' in column) || strange.includes(i)) continue;
      const text = (cells[i] ?? '').trim();
      if (isMissing(text, this.#ranges[i])) addOne(this.missing, text);
      if (!given.has(column.measurement)) isOpen = true;
      else known.push(this.#known(column, text, this.#headings[i] as string));
    }
    if (known.length === 0) throw refusal('The row has no measurement; one is needed.');
    return { known, isOpen };
  }

  /** The columns of a row with a value that people of its gender do not have. */
  #strangeIn(cells: readonly string[], gender: string): readonly number[] {
    const given = this.#givenIn(cells);
    return this.#columns.flatMap((column, i) =>
      'measurement' in column && given.has(column.measurement) && !isOf(gender, column.measurement)
        ? [i]
        : [],
    );
  }

  /** The request of a row, or undefined if the row has no open cell. */
  #request(cells: readonly string[]): RowRequest | undefined {
    const whose = this.persons.whose(cells);
    const { known, isOpen } = this.#measuredIn(cells, whose.gender);
    if (!isOpen) return undefined;
    const isAll = this.#measurements.length >= BODY_MEASUREMENTS.length;
    return {
      ...whose,
      known: known.length > KNOWN_LIMITS.maxItems ? this.#mostTelling(known, whose) : known,
      ...(isAll ? {} : { wanted: [...new Set(this.#measurements)] }),
    };
  }

  /** The measurements of a row that tell most about the others, as many as a request takes. */
  #mostTelling(
    known: RowRequest['known'],
    { country, gender, age }: Omit<RowRequest, 'known'>,
  ): RowRequest['known'] {
    const columns = this.#columns.flatMap((column) =>
      'measurement' in column ? column.measurement : [],
    );
    const others = this.#measurements.filter((name) => !columns.includes(name));
    const kind = `${gender} ${Math.floor(age / 10)}`;
    const order =
      this.#orders.get(kind) ??
      this.#options.order?.(columns, others.length > 0 ? others : columns, {
        ...{ country, gender: gender as Gender, ageYears: age },
      }) ??
      columns;
    this.#orders.set(kind, order);
    const names = new Set(known.map(({ measurement }) => measurement));
    const first = order.filter((name) => names.has(name)).slice(0, KNOWN_LIMITS.maxItems);
    this.crowded.rows++;
    for (const name of names) addOne(this.crowded[first.includes(name) ? 'given' : 'kept'], name);
    return known.filter(({ measurement }) => first.includes(measurement));
  }

  /** The measurements that a row has; with a gender, those that people of it have. */
  #givenIn(cells: readonly string[], gender?: string): ReadonlySet<string> {
    const estimated = this.#estimatedOf(cells);
    return new Set(
      this.#columns.flatMap((column, i) => {
        const text = (cells[i] ?? '').trim();
        if (!('measurement' in column) || text === '' || isMissing(text, this.#ranges[i]))
          return [];
        const { measurement } = column;
        const isGiven = gender === undefined || isOf(gender, measurement);
        return isGiven && estimated?.(measurement) !== true ? measurement : [];
      }),
    );
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
    const plain = plainNumber(text, this.#options.decimalComma);
    const value = neededValue(heading, plain, unit);
    if (unit === undefined) return { measurement, value };
    const [asked] = requestUnit(unit);
    return { measurement, value: Number((value / sizeOf(asked)).toPrecision(12)), unit: asked };
  }

  /** A value in mm, kg or kg/m² as a cell. */
  #written(value: number, unit: SheetUnit | undefined): string {
    const number = unit === undefined ? value : shownIn(value, unit);
    return this.#options.decimalComma ? String(number).replace('.', ',') : String(number);
  }

  /** The cells of a line without the columns of an earlier run. */
  #kept(cells: readonly string[]): string[] {
    return cells.filter((_, i) => !('own' in (this.#columns[i] ?? { other: true })));
  }

  #rangeColumns(): MeasurementColumn[] {
    return [
      ...this.#columns.filter((column): column is MeasurementColumn => 'measurement' in column),
      ...this.added,
    ];
  }

  /** A refusal whose text names columns and options instead of fields of the request. */
  #inWordsOfTheSheet(message: string, { known }: RowRequest): string {
    const columnOf = (name: string | undefined) =>
      this.#columns.findIndex((one) => 'measurement' in one && one.measurement === name);
    const [tall, heavy] = ['Stature', 'BodyMass'].map((name) => {
      const unit = (this.#columns[columnOf(name)] as MeasurementColumn | undefined)?.unit ?? 'mm';
      const one = known.find(({ measurement }) => measurement === name);
      const number = ((one?.value ?? Number.NaN) * sizeOf(one?.unit ?? unit)) / sizeOf(unit);
      return {
        number,
        size: sizeOf(unit),
        heading: JSON.stringify(this.#headings[columnOf(name)]),
      };
    }) as [TallOrHeavy, TallOrHeavy];
    const isWithin = (value: number, [least, most]: readonly [number, number]) =>
      value >= least && value <= most;
    if (
      /^(?:Stature|BodyMass) of /.test(message) &&
      isWithin(heavy.number * tall.size, STATURES_MM) &&
      isWithin(tall.number * heavy.size, MASSES_KG)
    ) {
      return `The height and the mass may be exchanged: ${tall.heading} is ${tall.number}, and ${heavy.heading} is ${heavy.number}.`;
    }
    return message
      .replace(/known\[(\d+)\](?:\.(\w+))?/g, (field, i, part) => {
        const at = columnOf(known[Number(i)]?.measurement);
        if (at < 0) return field;
        return `${part === 'unit' ? 'the unit of ' : ''}the column ${JSON.stringify(this.#headings[at])}`;
      })
      .replaceAll('rangePercent', '--range-percent')
      .replace(/ Ask for groups [^.]*\./g, '');
  }
}

interface TallOrHeavy {
  /** In the unit of the column. */
  readonly number: number;
  /** mm or kg in one unit. */
  readonly size: number;
  readonly heading: string;
}
/** Statures and masses of people from two years. */
const STATURES_MM = [800, 2200] as const;
const MASSES_KG = [8, 250] as const;

function noMeasurement(notUsed: readonly string[] = []): Refusal {
  const why = notUsed.map((one) => `\n  ${one}`).join('');
  return refusal(
    `No column is a measurement. Name one, such as "Stature (mm)" or "Weight (kg)"; npx vitruvia catalog lists them.${why}`,
  );
}

/** A value in mm or kg in a unit of the sheet, with the digits of the unit of a request. */
function shownIn(value: number, unit: SheetUnit): number {
  const [asked, count] = requestUnit(unit);
  const shown = isMass(asked) ? fromKg(value, asked as 'kg') : fromMm(value, asked as 'mm');
  return Number((shown / count).toPrecision(7));
}

function addOne(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** The index of the column that `--columns` means: its heading, with or without the unit. */
function saidOf(headings: readonly string[], said: string): number {
  const plain = (text: string) => text.trim().toLowerCase();
  const whole = headings.findIndex((heading) => plain(heading) === plain(said));
  if (whole >= 0) return whole;
  return headings.findIndex((heading) => plain(withoutUnit(heading).bare) === plain(said));
}

/** A column that nothing judged: only a heading that is told, with a unit, is read. */
function byHeading(column: Column): Column {
  if (!('readings' in column)) return column;
  const { readings, isTold, written } = column;
  if (written !== undefined) return written;
  const [first, second] = readings as readonly [Reading?, Reading?];
  const hasUnit = second === undefined || second.measurement !== first?.measurement;
  if (first !== undefined && isTold && hasUnit) return { ...first, how: 'guessed' };
  const hint = first === undefined ? '' : `. If it is ${first.measurement}, say it with --columns`;
  return { other: true, note: `none of its values could be compared with a person${hint}` };
}

const GENDERS_OF: ReadonlyMap<string, readonly string[]> = new Map(
  MEASUREMENTS.map(({ name, genders }) => [name, genders]),
);

/** Whether people of a gender have a measurement. */
const isOf = (gender: string, measurement: string): boolean =>
  GENDERS_OF.get(measurement)?.includes(gender) ?? true;

const nameOf = ({ measurement, unit }: Reading): string =>
  unit === undefined ? measurement : `${measurement} in ${unit}`;
