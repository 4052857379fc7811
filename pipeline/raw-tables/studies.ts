import type { Gender } from '../../src/core/genders.js';
import { MEASUREMENT_NAMES, type MeasurementName } from '../../src/core/measurements.js';
import {
  type CellValue,
  type FileRows,
  cellNumber as numberOf,
  type RawTables,
  sourcesHolding,
} from './raw-tables.js';
import type { Study, StudyRow } from './study.js';
import { type FileName, StudyCheck, type StudyExpectations } from './study-check.js';
import { type StudyFault, StudyFaults } from './study-faults.js';

export type { Study, StudyRow } from './study.js';

/** Smallest plausible SD of ln BMI. A smaller result means that the printed SDs do not agree. */
const LEAST_LN_BMI_SD = 0.06;

function lnBmiSdOf(row: Readonly<Record<string, CellValue>>): number | undefined {
  const [bmi, sd] = [numberOf(row.bmi), numberOf(row.bmi_sd)];
  if (bmi !== undefined && sd !== undefined) return Math.max(LEAST_LN_BMI_SD, sd / bmi);
  const [mass, massSd] = [numberOf(row.mass_kg), numberOf(row.mass_sd_kg)];
  const [stature, statureSd] = [numberOf(row.stature_mm), numberOf(row.stature_sd_mm)];
  if (mass === undefined || massSd === undefined) return undefined;
  if (stature === undefined || statureSd === undefined) return undefined;
  // ln BMI = ln mass − 2 ln stature, and BMI hardly depends on stature.
  const variance = (massSd / mass) ** 2 - 4 * (statureSd / stature) ** 2;
  return Math.sqrt(Math.max(LEAST_LN_BMI_SD ** 2, variance));
}

function bmiOf(row: Readonly<Record<string, CellValue>>): number | undefined {
  const printed = numberOf(row.bmi);
  const [mass, stature] = [numberOf(row.mass_kg), numberOf(row.stature_mm)];
  if (printed !== undefined || mass === undefined || stature === undefined) return printed;
  return mass / (stature / 1000) ** 2;
}

/**
 * Year of samples that state none. Samples compiled in NASA RP-1024 (1978) get 1967, the median of its
 * dated samples. The other samples were published from 2003 to 2024.
 */
function usualYear(citation: CellValue | undefined): number {
  return String(citation).includes('RP-1024') ? 1967 : 2012;
}

function rowOf(row: Record<string, CellValue>): StudyRow {
  const measurement = MEASUREMENT_NAMES.find((name) => name === row.measurement);
  if (measurement === undefined)
    throw new Error(`${row.study_id}: unknown dimension ${row.measurement}`);
  return {
    measurement,
    match: row.match as StudyRow['match'],
    meanMm: Number(row.mean_mm),
    sdMm: numberOf(row.sd_mm),
    p5Mm: numberOf(row.p5_mm),
    p95Mm: numberOf(row.p95_mm),
    checkDefinition: Number(row.check_definition) === 1,
    checkFigure: Number(row.check_figure) === 1,
  };
}

/** Sources of national studies: every folder of `rawDir` with a `studies.csv`, sorted. */
export function studySources(rawDir: string): string[] {
  return sourcesHolding(rawDir, 'studies');
}

/** The files of the national studies before any check. */
export interface StudyFiles {
  /** Sources whose two files could be read. */
  readonly found: readonly { source: string; studies: FileRows; drivers: FileRows }[];
  readonly unreadable: readonly StudyFault[];
  /** Sources that were left out, and the drivers of their samples. */
  readonly leftOut: readonly string[];
  readonly leftOutDrivers: FileRows['rows'];
}

/** Reads the two files of every source of national studies. */
export async function readStudyFiles(tables: RawTables): Promise<StudyFiles> {
  const faults: StudyFault[] = [];
  const read = async (source: string, file: FileName) => {
    const name = file.replace('.csv', '');
    try {
      return await tables.fileRows(source, name);
    } catch (error) {
      faults.push(faultOfFile(tables.pathOf(source, name), source, error));
      return undefined;
    }
  };
  const found = [];
  for (const source of tables.sourcesWith('studies')) {
    const studies = await read(source, 'studies.csv');
    const drivers = await read(source, 'drivers.csv');
    if (studies !== undefined && drivers !== undefined) found.push({ source, studies, drivers });
  }
  const leftOut = studySources(tables.rawDir).filter((source) => tables.leftOut.includes(source));
  const leftOutDrivers = [];
  for (const source of leftOut) {
    leftOutDrivers.push(...(await tables.fileRows(source, 'drivers', true)).rows);
  }
  return { found, unreadable: faults, leftOut, leftOutDrivers };
}

/**
 * Checks each row of the two files of every source of national studies that was not left out, and whether
 * both files agree. With expectations, the check includes the ratio of each figure to the model.
 *
 * @returns doubtful figures, which do not stop a build
 * @throws StudyFaults with all faults of all files
 */
export function checkStudies(
  { found, unreadable, leftOutDrivers }: StudyFiles,
  expectations?: StudyExpectations,
): StudyFault[] {
  const faults = [...unreadable];
  const warnings: StudyFault[] = [];
  // A sample may be part of a sample in a source that was left out, because `--without` allows that.
  const allDrivers = [...found.flatMap(({ drivers }) => drivers.rows), ...leftOutDrivers];
  const known = new Set(allDrivers.map((row) => `${row.study_id}|${row.gender}`));
  const sampleOf = (
    driver: Readonly<Record<string, CellValue>>,
    year: number | undefined,
  ): Study => ({
    ...studyOf(driver, []),
    year: year ?? usualYear(driver.citation),
    people: '',
  });
  for (const { source, studies, drivers } of found) {
    const files = { 'studies.csv': studies, 'drivers.csv': drivers };
    const findings = new StudyCheck(source, files, sampleOf, known, expectations).run();
    faults.push(...findings.faults);
    warnings.push(...findings.warnings);
  }
  if (faults.length > 0) throw new StudyFaults(faults);
  return warnings;
}

/** The fault of a file that is missing or is no table. */
function faultOfFile(file: string, source: string, error: unknown): StudyFault {
  const [first = ''] = String(error instanceof Error ? error.message : error).split('\n');
  const line = Number(/Line: (\d+)/.exec(first)?.[1] ?? 1);
  const remedy = 'A source of national studies has studies.csv and drivers.csv, one row a line';
  return { file, line, study: source, what: 'the file', fault: first, remedy };
}

/** Orders the rows by the values of columns, as the database orders them. */
function ordered(rows: FileRows['rows'], columns: readonly string[]): FileRows['rows'] {
  return rows.toSorted((a, b) => {
    const column = columns.find((name) => a[name] !== b[name]);
    if (column === undefined) return 0;
    return (a[column] ?? '') < (b[column] ?? '') ? -1 : 1;
  });
}

/**
 * The national studies of every source that was not left out, with only the best row of each dimension.
 * First, the fields and the agreement of both files are checked. Some people are in two samples
 * (`part_of`). Their dimension comes from the larger sample if that sample or a still larger one has it.
 *
 * @throws StudyFaults with all faults of all files
 */
export function studiesOf(files: StudyFiles): Study[] {
  checkStudies(files);
  const samples: (Study & { readonly partOf: string | undefined })[] = [];
  for (const { studies, drivers } of files.found) {
    const rows = new Map<string, StudyRow[]>();
    const about = new Map<string, { year: number | undefined; people: string }>();
    for (const row of ordered(studies.rows, ['study_id', 'gender', 'measurement'])) {
      if (Number(row.is_best) !== 1) continue;
      const key = `${row.study_id}|${row.gender}`;
      rows.set(key, [...(rows.get(key) ?? []), rowOf(row)]);
      about.set(key, { year: numberOf(row.year), people: String(row.population ?? '') });
    }
    for (const row of ordered(drivers.rows, ['study_id', 'gender'])) {
      const key = `${row.study_id}|${row.gender}`;
      const year = about.get(key)?.year ?? usualYear(row.citation);
      const people = about.get(key)?.people ?? '';
      const study = { ...studyOf(row, rows.get(key) ?? []), year, people };
      samples.push({ ...study, partOf: row.part_of == null ? undefined : String(row.part_of) });
    }
  }
  return samples.map(({ partOf, ...study }) => {
    const known = new Set<MeasurementName>();
    const wholeOf = (part: string | undefined) =>
      samples.find(({ id, gender }) => id === part && gender === study.gender);
    // A larger sample may itself be part of another one, or be the same people under another name.
    for (let whole = wholeOf(partOf); whole; whole = wholeOf(whole.partOf)) {
      for (const { match, measurement } of whole.rows) {
        if (match !== 'poor') known.add(measurement);
      }
    }
    return { ...study, rows: study.rows.filter(({ measurement }) => !known.has(measurement)) };
  });
}

function studyOf(
  row: Readonly<Record<string, CellValue>>,
  rows: readonly StudyRow[],
): Omit<Study, 'year' | 'people'> {
  return {
    id: String(row.study_id),
    family: String(row.survey_family),
    country: String(row.country),
    gender: row.gender as Gender,
    n: Number(row.n),
    ageMean: numberOf(row.age_mean),
    statureMm: numberOf(row.stature_mm),
    statureSdMm: numberOf(row.stature_sd_mm),
    bmi: bmiOf(row),
    lnBmiSd: lnBmiSdOf(row),
    rows,
  };
}

/** Sentences on the cost of leaving out national studies; empty if none is left out. */
export function studyLosses({ found, leftOut }: StudyFiles): string[] {
  if (leftOut.length === 0) return [];
  const kept = found.map(({ source }) => source);
  const cost =
    kept.length === 0
      ? 'no country has its own proportions: all have those of US soldiers at the same stature and BMI'
      : `the proportions of countries come only from the national studies of ${kept.join(', ')}`;
  return [`Without ${leftOut.join(', ')}, ${cost}.`];
}
