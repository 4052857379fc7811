import type { Gender } from '../../src/core/genders.js';
import { MEASUREMENT_NAMES, type MeasurementName } from '../../src/core/measurements.js';
import { type Cell, type RawTables, sourcesHolding } from './database.js';

/** One dimension of a study, in mm; a percentile or SD that was not printed is undefined. */
export interface StudyRow {
  readonly measurement: MeasurementName;
  readonly match: 'exact' | 'close' | 'poor';
  readonly meanMm: number;
  readonly sdMm: number | undefined;
  readonly p5Mm: number | undefined;
  readonly p95Mm: number | undefined;
  /** The figure suggests another definition than the service's. */
  readonly checkDefinition: boolean;
  /** The figure, its SD or a percentile may be misread. */
  readonly checkFigure: boolean;
}

/** A sample of one gender with its own mean stature and BMI, where printed, and its dimensions. */
export interface Study {
  readonly id: string;
  readonly family: string;
  readonly country: string;
  readonly gender: Gender;
  readonly n: number;
  /** Year of measurement; the most likely one if the sample gives none (`usualYear`). */
  readonly year: number;
  /** The population in the source's words: soldiers, workers, the general population. */
  readonly people: string;
  readonly ageMean: number | undefined;
  readonly statureMm: number | undefined;
  readonly statureSdMm: number | undefined;
  /** Mean BMI, kg/m², as printed; otherwise mean mass over squared mean stature. */
  readonly bmi: number | undefined;
  /** Standard deviation of ln BMI. */
  readonly lnBmiSd: number | undefined;
  readonly rows: readonly StudyRow[];
}

const numberOf = (cell: Cell | undefined): number | undefined =>
  cell === null || cell === undefined ? undefined : Number(cell);

/** Smallest plausible SD of ln BMI; a smaller result means that the printed SDs do not agree. */
const LEAST_LN_BMI_SD = 0.06;

function lnBmiSdOf(row: Record<string, Cell>): number | undefined {
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

function bmiOf(row: Record<string, Cell>): number | undefined {
  const printed = numberOf(row.bmi);
  const [mass, stature] = [numberOf(row.mass_kg), numberOf(row.stature_mm)];
  if (printed !== undefined || mass === undefined || stature === undefined) return printed;
  return mass / (stature / 1000) ** 2;
}

/**
 * Year of samples that give none. Samples compiled in NASA RP-1024 (1978) get 1967, the median of its
 * dated samples; the others were published from 2003 to 2024.
 */
function usualYear(citation: Cell | undefined): number {
  return String(citation).includes('RP-1024') ? 1967 : 2012;
}

function rowOf(row: Record<string, Cell>): StudyRow {
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

/**
 * Reads the national studies (`studies.csv` and `drivers.csv`) of every source that was not left out,
 * with only the best row of each dimension. For people who are in two samples (`part_of`), a dimension
 * comes from the larger sample, if that one or a still larger one has it.
 *
 * @throws Error for a row that names an unknown dimension
 */
export async function readStudies(tables: RawTables): Promise<Study[]> {
  const samples: (Study & { readonly partOf: string | undefined })[] = [];
  for (const source of tables.sourcesWith('studies')) {
    const rows = new Map<string, StudyRow[]>();
    const about = new Map<string, { year: number | undefined; people: string }>();
    for (const row of await tables.rows(source, 'studies', 'study_id, gender, measurement')) {
      if (Number(row.is_best) !== 1) continue;
      const key = `${row.study_id}|${row.gender}`;
      rows.set(key, [...(rows.get(key) ?? []), rowOf(row)]);
      about.set(key, { year: numberOf(row.year), people: String(row.population ?? '') });
    }
    for (const row of await tables.rows(source, 'drivers', 'study_id, gender')) {
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
    // A larger sample may itself be part of another, or be the same people under another name.
    for (let whole = wholeOf(partOf); whole; whole = wholeOf(whole.partOf)) {
      for (const { match, measurement } of whole.rows) {
        if (match !== 'poor') known.add(measurement);
      }
    }
    return { ...study, rows: study.rows.filter(({ measurement }) => !known.has(measurement)) };
  });
}

function studyOf(
  row: Record<string, Cell>,
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
export function studyLosses(tables: RawTables): string[] {
  const left = studySources(tables.rawDir).filter((name) => tables.leftOut.includes(name));
  if (left.length === 0) return [];
  const kept = tables.sourcesWith('studies');
  const cost =
    kept.length === 0
      ? 'no country has its own proportions: all have those of US soldiers at the same stature and BMI'
      : `the proportions of countries come only from the national studies of ${kept.join(', ')}`;
  return [`Without ${left.join(', ')}, ${cost}.`];
}
