import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { KG_PER_UNIT, type MassUnit, MM_PER_UNIT, type Unit } from '../../src/core/units.js';
import { Refusal } from '../../src/failure.js';
import { openSheet, readable, type SheetFileOptions } from '../../src/people-sheet/open-sheet.js';
import type { HeadingsReport, RowRequest } from '../../src/people-sheet/people-sheet.js';
import { isMissing } from '../../src/people-sheet/sheet-cells.js';
import { valueNamed } from '../../src/search/values.js';
import { type openDuck, quoteName } from '../import/duck.js';
import { type AgeBand, bandOf, bandsText, groupKey } from './age-bands.js';
import { StudyRefusal } from './study-map.js';

/** The database that holds the persons of one import. */
export type Connection = Awaited<ReturnType<typeof openDuck>>['connection'];

/** Largest file of persons. With 148 measurements, 100,000 rows have about 80 MB. */
export const PERSONS_MAX = { rows: 100_000, megabytes: 200 } as const;
/** Rows with fewer measurements may agree by chance, so they are not compared. */
const COMPARED_MEASUREMENTS = 4;
/** Maximum number of rows that are named for one reason. */
const NAMED_MAX = 3;
/** How the people of a study are dressed and stand. */
const MEASURED = { clothing: 'nude', posture: 'standing_erect' } as const;
/** Column of the ages. */
export const AGE = 'AgeYears';

/** How a file of persons is read. */
export interface PersonsOptions
  extends Pick<SheetFileOptions, 'everyone' | 'said' | 'unit' | 'massUnit' | 'decimal'> {
  readonly bands: readonly AgeBand[];
  /** Heading of the column that names the person. */
  readonly id?: string | undefined;
}

/** Contents of a file of persons. */
export interface PersonsRead {
  /** Measurements with a column. */
  readonly measurements: readonly string[];
  readonly rows: number;
  /** Rows that became a person of the study. */
  readonly people: number;
  readonly headings: HeadingsReport;
  /** Sentences about rows that are not used: their lines, and why. They are only printed. */
  readonly leftOut: readonly string[];
}

type Person = Omit<RowRequest, 'wanted'>;

/**
 * Reads a CSV file of persons as `fill` reads it, row by row, into the table `people` of a database in memory. Its
 * columns are row_id (the line), gender, age_group (country and age band), sample_weight, age, and the measurements in
 * mm, kg and kg/m².
 *
 * @throws StudyRefusal
 */
export async function readPersons(
  file: string,
  connection: Connection,
  options: PersonsOptions,
): Promise<PersonsRead> {
  try {
    return await read(file, connection, options);
  } catch (error) {
    const known = readable(error, file);
    if (known instanceof Refusal) throw new StudyRefusal(`${file}: ${known.message}`);
    throw known;
  }
}

async function read(
  file: string,
  connection: Connection,
  { bands, id, ...options }: PersonsOptions,
): Promise<PersonsRead> {
  const { size } = await stat(file);
  if (size > PERSONS_MAX.megabytes * 1e6) {
    throw new StudyRefusal(
      `${file} has ${Math.ceil(size / 1e6)} MB; at most ${PERSONS_MAX.megabytes} MB are read. Leave out columns that are no measurements.`,
    );
  }
  const { sheet, report, rows } = await openSheet(file, createReadStream(file), {
    ...options,
    ...{ wanted: [], ranges: false, needsModel: false },
  });
  const idAt = id === undefined ? undefined : sheet.columnAt(id, '--id');
  const measurements = sheet.measured.map(({ measurement }) => measurement);
  await connection.run(`CREATE OR REPLACE TABLE people (row_id INTEGER, gender VARCHAR, age_group VARCHAR,
    sample_weight DOUBLE, ${[AGE, ...measurements].map((name) => `${quoteName(name)} DOUBLE`).join(', ')})`);
  const appender = await connection.createAppender('people');
  const notUsed: Left = { count: 0, named: [] };
  const repeated: Left = { count: 0, named: [] };
  const lineOf = new Map<string, number>();
  let [rowCount, people] = [0, 0];
  for await (const { cells, line = 1 } of rows) {
    if (cells.every((cell) => cell.trim() === '')) continue;
    if (++rowCount > PERSONS_MAX.rows) {
      throw new StudyRefusal(
        `${file} has more than ${PERSONS_MAX.rows.toLocaleString('en')} rows, the most that are read. Draw some of them at random.`,
      );
    }
    let person: Person;
    let band: AgeBand;
    try {
      person = sheet.person(cells);
      band = usable(person, bands);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      leave(notUsed, `line ${line}: ${error.message}`);
      continue;
    }
    const before = (idAt === undefined ? [] : [idKey(cells[idAt])])
      .concat(valuesKey(person))
      .flatMap((key) => repeats(lineOf, key, line))[0];
    if (before !== undefined) {
      leave(repeated, `line ${line} repeats line ${before}`);
      continue;
    }
    people++;
    appender.appendInteger(line);
    appender.appendVarchar(person.gender);
    appender.appendVarchar(groupKey(person.country, band));
    appender.appendDouble(1);
    appender.appendDouble(person.age);
    const values = new Map(person.known.map((known) => [known.measurement, metricValue(known)]));
    for (const name of measurements) {
      const value = values.get(name);
      if (value === undefined) appender.appendNull();
      else appender.appendDouble(value);
    }
    appender.endRow();
  }
  appender.closeSync();
  if (people === 0) {
    throw new StudyRefusal(
      [`${file}: no row is a person of the study.`, ...notUsed.named].join('\n'),
    );
  }
  const missing = [...sheet.missing].map(([text, count]) => `${text}: ${count}`);
  return {
    ...{ measurements, rows: rowCount, people, headings: report },
    leftOut: [
      ...(missing.length === 0
        ? []
        : [`Missing values: ${missing.slice(0, NAMED_MAX).join(', ')}.`]),
      ...namedText('Not used', 'row', notUsed.count, notUsed.named),
      ...namedText('Repeated, so left out', 'row', repeated.count, repeated.named),
    ],
  };
}

/** Rows that were left out for one reason: how many, and the first of them. */
interface Left {
  count: number;
  readonly named: string[];
}

function leave(left: Left, text: string): void {
  left.count++;
  if (left.named.length < NAMED_MAX) left.named.push(text);
}

/** A remark on some rows or values, with their number and the first of them. */
export function namedText(
  what: string,
  kind: string,
  count: number,
  all: readonly string[],
): string[] {
  if (count === 0) return [];
  const named = all.slice(0, NAMED_MAX);
  const more = count > named.length ? [`  … and ${count - named.length} more`] : [];
  const counted = `${count} ${kind}${count === 1 ? '' : 's'}`;
  return [`${what}: ${counted}.`, ...named.map((one) => `  ${one}`), ...more];
}

/** The age band of a person of the study. */
function usable(person: Person, bands: readonly AgeBand[]): AgeBand {
  for (const field of ['clothing', 'posture'] as const) {
    const text = person[field];
    const usual = MEASURED[field];
    if (text === undefined || valueNamed(text, [usual]) === usual) continue;
    throw new Refusal(
      'wrong_sheet',
      `${field} is ${JSON.stringify(text)}. A study has people who are ${usual}.`,
    );
  }
  const band = bandOf(person.age, bands);
  if (band !== undefined) return band;
  const hint = 'Only adults are fitted; --bands sets the bands';
  throw new Refusal(
    'wrong_sheet',
    `age ${person.age} is in no age band (${bandsText(bands)}). ${hint}.`,
  );
}

/** A value in mm, kg or kg/m². */
function metricValue({ value, unit }: Person['known'][number]): number {
  if (unit === undefined) return value;
  const size = unit in KG_PER_UNIT ? KG_PER_UNIT[unit as MassUnit] : MM_PER_UNIT[unit as Unit];
  return Number((value * size).toPrecision(12));
}

/** Key that a row and its repetition share; empty for a row with few measurements. */
function valuesKey({ country, gender, age, known }: Person): string[] {
  if (known.length < COMPARED_MEASUREMENTS) return [];
  const values = known.map((one) => [one.measurement, metricValue(one)]);
  const text = JSON.stringify([country, gender, age, values]);
  return [createHash('sha256').update(text).digest('base64')];
}

/** An id that is missing names nobody. */
function idKey(cell = ''): string {
  const id = cell.trim();
  return id === '' || isMissing(id, undefined) ? '' : `id ${id}`;
}

/** The earlier line with a key. Otherwise the key is kept with this line. */
function repeats(lineOf: Map<string, number>, key: string, line: number): number[] {
  if (key === '') return [];
  const before = lineOf.get(key);
  if (before === undefined) lineOf.set(key, line);
  return before === undefined ? [] : [before];
}
