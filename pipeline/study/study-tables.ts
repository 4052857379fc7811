import { group } from 'd3-array';
import { GENDERS } from '../../src/core/genders.js';
import { countryNamed } from '../../src/search/countries.js';
import { valueNamed } from '../../src/search/values.js';
import type { Cell, OutputTable, TableColumn } from '../import/importer.js';
import {
  DRIVER_COLUMNS,
  driverRow,
  type Row as OutputRow,
  SOUND,
  STUDY_COLUMNS,
  studyOutputs,
} from '../import/national-study.js';
import { compareText } from '../import/statistics.js';
import { countryMeant, nameMeant } from '../raw-tables/study-fields.js';
import { type Field, type SampleMap, type StudyMap, StudyRefusal } from './study-map.js';

/** A table as in its file: headings, and cells by line. */
export interface PrintedTable {
  /** How messages name it. */
  readonly file: string;
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Facts that hold for the whole study. */
export interface StudyTerms {
  readonly name: string;
  readonly citation: string;
}

/** The two tables of a source, and the line of the file from which each row comes. */
export interface StudyTables {
  readonly tables: readonly OutputTable[];
  readonly lines: Readonly<Record<'studies.csv' | 'drivers.csv', readonly number[]>>;
  /** Rows that are not used, one sentence each. */
  readonly leftOut: readonly string[];
}

/** Millimetres in one unit of length; the inch is 25.4 mm exactly (international yard and pound, 1959). */
const MM_PER_UNIT = new Map(Object.entries({ mm: 1, cm: 10, m: 1000, in: 25.4 }));
/** Kilograms in one unit of mass. The pound is 0.45359237 kg exactly (same agreement). */
const KG_PER_UNIT = new Map(Object.entries({ kg: 1, lb: 0.45359237 }));
const FIGURES = ['mean', 'sd', 'p5', 'p50', 'p95'] as const;
/** Quantities of a sample that are drivers of the model and not dimensions in mm. */
const DRIVERS: readonly string[] = ['BodyMass', 'BMI'];
/** The header is line 1. */
const FIRST_LINE = 2;

/** One row of the file for one sample. */
interface Row {
  readonly line: number;
  readonly texts: Readonly<Partial<Record<Field, string>>>;
  readonly measurement: string;
  readonly match: string;
  readonly figures: Readonly<Record<(typeof FIGURES)[number], number | null>>;
}

/**
 * Makes `studies.csv` and `drivers.csv` from a printed table.
 *
 * @throws StudyRefusal with all faults of the file and of its map
 */
export function studyTables(printed: PrintedTable, map: StudyMap, terms: StudyTerms): StudyTables {
  const faults = map.samples.flatMap((sample) => headingFaults(printed, sample));
  if (faults.length > 0) throw new StudyRefusal([...new Set(faults)].join('\n'));
  const leftOut: string[] = [];
  const rows = byAge(
    map.samples.flatMap((sample) => rowsOf(printed, sample, map, faults, leftOut)),
    terms,
  );
  if (faults.length > 0) throw new StudyRefusal(faults.join('\n'));
  const samples = group(rows, (row) => `${sampleName(row, terms)}|${genderOf(row.texts.gender)}`);
  const dimensions = rows
    .filter(({ measurement }) => !DRIVERS.includes(measurement))
    .map((row) => ({ line: row.line, fields: studyRow(row, terms) }))
    .sort(inOrder(STUDY_COLUMNS));
  const drivers = [...samples.values()]
    .map((sample) => ({ line: sample[0]?.line ?? 1, fields: driverOf(sample, terms) }))
    .sort(inOrder(DRIVER_COLUMNS));
  return {
    tables: studyOutputs(
      dimensions.map(({ fields }) => fields),
      drivers.map(({ fields }) => fields),
    ),
    lines: {
      'studies.csv': dimensions.map(({ line }) => line),
      'drivers.csv': drivers.map(({ line }) => line),
    },
    leftOut,
  };
}

/** Orders rows by the texts of their columns. */
function inOrder(columns: readonly TableColumn[]) {
  const key = ({ fields }: { readonly fields: OutputRow }) =>
    columns.map(([name]) => fields[name]).join('\u0000');
  return (a: { fields: OutputRow }, b: { fields: OutputRow }) => compareText(key(a), key(b));
}

function headingFaults({ file, headings }: PrintedTable, { columns }: SampleMap): string[] {
  return Object.entries(columns).flatMap(([field, heading]) => {
    if (headings.includes(heading)) return [];
    const meant = nameMeant(heading, headings);
    const hint = meant === undefined ? `It has ${headings.join(', ')}` : `Perhaps "${meant}"`;
    return `${file}: no column is named "${heading}", which the map names for ${field}. ${hint}.`;
  });
}

function rowsOf(
  { file, headings, rows }: PrintedTable,
  { columns, values }: SampleMap,
  { measurements }: StudyMap,
  faults: string[],
  leftOut: string[],
): Row[] {
  const isComma = hasDecimalCommas(rows);
  return rows.flatMap((cells, i): Row[] => {
    const line = i + FIRST_LINE;
    if (cells.every((cell) => cell === '')) return [];
    const read = Object.entries(columns).map(([field, heading]) => {
      return [field, (cells[headings.indexOf(heading)] ?? '').trim()] as const;
    });
    const given = [...Object.entries(values), ...read].filter(([, text]) => text !== '');
    const texts: Row['texts'] = Object.fromEntries(
      given.map(([field, text]) => [field, isComma ? text.replace(DECIMAL_COMMA, '$1.$2') : text]),
    );
    const label = texts.measurement ?? '';
    const meant = measurements.has(label)
      ? measurements.get(label)
      : { name: label, match: undefined };
    const where = `${file}:${line}: ${label || 'no measurement'}`;
    if (meant === null || meant === undefined) {
      leftOut.push(`${where}: left out by the map.`);
      return [];
    }
    if (texts.mean === undefined) {
      leftOut.push(`${where}: there is no mean.`);
      return [];
    }
    const unit = unitOf(meant.name, texts.unit);
    if (unit === undefined) {
      faults.push(
        `${where}: "${texts.unit}" is no unit of ${meant.name}. Write mm, cm, m or in; for BodyMass kg or lb.`,
      );
      return [];
    }
    const figures = Object.fromEntries(
      FIGURES.map((name) => {
        const text = texts[name];
        const figure = text === undefined ? null : Number(text);
        if (figure !== null && !Number.isFinite(figure)) {
          faults.push(
            `${where}: ${name} "${text}" is no number. Write it with a point before the decimals.`,
          );
        }
        return [name, figure === null ? null : Number((figure * unit).toPrecision(12))];
      }),
    ) as Row['figures'];
    return [
      { line, texts, measurement: meant.name, match: meant.match ?? texts.match ?? '', figures },
    ];
  });
}

/** A number with a comma before its decimals. */
const DECIMAL_COMMA = /^(-?\d+),(\d+)$/;

/** Whether numbers have decimal commas: some comma separates no thousands, and no number has a point. */
function hasDecimalCommas(rows: PrintedTable['rows']): boolean {
  const cells = rows.flat();
  return (
    cells.some((cell) => DECIMAL_COMMA.test(cell) && !/^[1-9]\d{0,2},\d{3}$/.test(cell)) &&
    !cells.some((cell) => /^-?\d+\.\d+$/.test(cell))
  );
}

/** Millimetres or kilograms in the unit of a row; 1 for BMI; undefined for an unknown unit. */
function unitOf(measurement: string, unit: string | undefined): number | undefined {
  if (measurement === 'BMI') return 1;
  if (measurement !== 'BodyMass') return MM_PER_UNIT.get(unit ?? 'mm');
  // A table of lengths in mm often has one row in kg.
  return unit !== undefined && MM_PER_UNIT.has(unit) ? 1 : KG_PER_UNIT.get(unit ?? 'kg');
}

/** The rows of a study by age group, with a sample for each group. A sample has one row of a dimension. */
function byAge(rows: readonly Row[], terms: StudyTerms): readonly Row[] {
  const ages = ({ texts }: Row) =>
    [texts.age_min, texts.age_max].filter((age) => age !== undefined).join('-') || texts.age_mean;
  const groups = group(rows, (row) => sampleName(row, terms));
  return rows.map((row) => {
    const sample = sampleName(row, terms);
    const isAlone = new Set(groups.get(sample)?.map(ages)).size < 2;
    if (isAlone || row.texts.sample !== undefined) return row;
    return { ...row, texts: { ...row.texts, sample: `${sample}-${ages(row) ?? ''}` } };
  });
}

function sampleName({ texts }: Row, { name }: StudyTerms): string {
  return texts.sample ?? `${name}-${genderOf(texts.gender).toLowerCase()}`;
}

/** The gender that a word such as `F` or `men` names; any other text as it is, so that the check can name it. */
function genderOf(text = ''): string {
  return valueNamed(text, GENDERS) ?? text;
}

/** Fields of a sample that both files have. */
function common(row: Row, terms: StudyTerms): OutputRow {
  const { texts } = row;
  return {
    study_id: sampleName(row, terms),
    survey_family: texts.family ?? terms.name,
    country:
      countryMeant(texts.country ?? '') ?? countryNamed(texts.country ?? '') ?? texts.country ?? '',
    gender: genderOf(texts.gender),
    age_mean: number(texts.age_mean),
    n: number(texts.people),
    citation: terms.citation,
  };
}

function studyRow(row: Row, terms: StudyTerms): OutputRow {
  const { texts, measurement, match, figures } = row;
  const { mean, sd, p5, p50, p95 } = figures;
  return {
    ...common(row, terms),
    ...{ age_min: number(texts.age_min), age_max: number(texts.age_max) },
    ...{ year: number(texts.year), population: texts.population ?? null },
    ...{ measurement, match, ...SOUND },
    ...{ mean_mm: mean, sd_mm: sd, p5_mm: p5, p50_mm: p50, p95_mm: p95 },
  };
}

function driverOf(sample: readonly Row[], terms: StudyTerms): OutputRow {
  const first = sample[0] as Row;
  const people = sample.map(({ texts }) => Number(texts.people ?? 0)).sort((a, b) => a - b);
  const n = people[Math.floor(people.length / 2)] ?? null;
  const about = { ...common(first, terms), n, part_of: first.texts.part_of ?? null };
  const of = (name: string) => sample.find(({ measurement }) => measurement === name)?.figures;
  return driverRow(about, of('Stature'), of('BodyMass'), of('BMI'));
}

/** The number that a text states. Any other text is returned as it is, so that the check of the table can name it. */
function number(text: string | undefined): Cell {
  if (text === undefined) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}
