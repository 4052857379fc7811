import type { Cell, ImportContext, OutputTable, TableColumn } from './importer.js';
import {
  adultsSql,
  createCheckedPeople,
  type Dimension,
  dimensionVariables,
  driverVariables,
  type PersonVariable,
} from './person-survey.js';
import { compareText, MINIMUM_CELL, surveyMoments } from './statistics.js';

/** Columns of `studies.csv`. A row is one dimension of one sample. */
export const STUDY_COLUMNS: readonly TableColumn[] = [
  ['study_id', 'sample; with the gender, one group of people'],
  ['survey_family', 'family of studies that share people or instruments; left out together'],
  ['country', 'country code of the service'],
  ['gender', 'Male or Female'],
  ['age_min', 'youngest age in years; empty if not given'],
  ['age_max', 'oldest age in years; empty if not given'],
  ['age_mean', 'mean age in years; empty if not given'],
  ['year', 'year of measurement (of a range its middle); empty if not given'],
  ['n', `people measured, at least ${MINIMUM_CELL}`],
  ['population', 'description of the people'],
  ['measurement', 'dimension'],
  ['match', '`exact`, `close` or `poor` (known to differ: not for fitting)'],
  ['is_best', '1 for the row to use where a study gives a dimension more than once'],
  ['mean_mm', 'mean, mm'],
  ['sd_mm', 'standard deviation, mm; empty where not printed'],
  ['p5_mm', '5th percentile, mm; empty where not printed'],
  ['p50_mm', '50th percentile, mm; empty where not printed'],
  ['p95_mm', '95th percentile, mm; empty where not printed'],
  ['sex_assumed', '1 if the source gives no gender and aircrew or soldiers count as men'],
  ['check_definition', '1 if the figure suggests another definition than the service’s'],
  ['check_figure', '1 if the figure, its SD or a percentile may be misread'],
  ['from_means', '1 for a difference of two printed means'],
  ['citation', 'where the figure was published'],
];

/** Columns of `drivers.csv`. A row is one sample with its own stature, body mass and BMI. */
export const DRIVER_COLUMNS: readonly TableColumn[] = [
  ['study_id', 'sample'],
  ['survey_family', 'studies that share people or instruments'],
  ['country', 'country code of the service'],
  ['gender', 'Male or Female'],
  ['age_mean', 'mean age in years; empty if not given'],
  ['n', 'people: median over its dimensions'],
  ['stature_mm', 'mean stature, mm; empty if not printed'],
  ['stature_sd_mm', 'standard deviation of stature, mm'],
  ['stature_from', 'sample with this stature: itself, or the same people under another name'],
  ['mass_kg', 'mean body mass, kg'],
  ['mass_sd_kg', 'standard deviation of body mass, kg'],
  ['mass_from', 'sample with this body mass'],
  ['bmi', 'mean BMI as printed, kg/m2'],
  ['bmi_sd', 'standard deviation of BMI, kg/m2'],
  ['citation', 'where stature or mass was published, else any figure of the sample'],
  ['part_of', 'larger sample that contains these people; its figures take precedence'],
];

/** A national study of one gender with person records. */
export interface NationalStudy {
  readonly id: string;
  /**
   * Family of studies that share people or instruments. An evaluation leaves them out together, and they count once.
   */
  readonly family: string;
  /** Sample (`study_id`) of another source that contains these people. */
  readonly partOf?: string;
  readonly country: string;
  readonly gender: 'Male' | 'Female';
  readonly year: number;
  readonly population: string;
  readonly citation: string;
  /** SQL for stature in mm and mass in kg. */
  readonly statureMm: string;
  readonly massKg: string;
  /** Dimensions, grouped by how well their definitions agree with those of the service. */
  readonly dimensions: Readonly<Record<'exact' | 'close' | 'poor', readonly Dimension[]>>;
}

export type Row = Readonly<Record<string, Cell>>;

/** Flags of a row that nobody doubts. */
export const SOUND = {
  ...{ is_best: 1, sex_assumed: 0, check_definition: 0, check_figure: 0, from_means: 0 },
} as const;

/** The two tables of a source of national studies. A field that a row lacks is empty. */
export function studyOutputs(studies: readonly Row[], drivers: readonly Row[]): OutputTable[] {
  const table = (file: string, columns: readonly TableColumn[], rows: readonly Row[]) => {
    return { file, columns, rows: rows.map((row) => columns.map(([name]) => row[name] ?? null)) };
  };
  return [
    table('studies.csv', STUDY_COLUMNS, studies),
    table('drivers.csv', DRIVER_COLUMNS, drivers),
  ];
}

/** Mean and SD of a quantity of a sample. */
type Figures = { readonly mean?: Cell; readonly sd?: Cell } | undefined;

/**
 * A row of `drivers.csv`: a sample with its own stature, mass and BMI, where it has them.
 *
 * @param sample the other fields of the row
 */
export const driverRow = (sample: Row, stature: Figures, mass: Figures, bmi: Figures): Row => ({
  ...sample,
  ...{ stature_mm: stature?.mean ?? null, stature_sd_mm: stature?.sd ?? null },
  ...{ mass_kg: mass?.mean ?? null, mass_sd_kg: mass?.sd ?? null },
  ...{ bmi: bmi?.mean ?? null, bmi_sd: bmi?.sd ?? null },
  stature_from: stature === undefined ? null : (sample.study_id ?? null),
  mass_from: mass === undefined ? null : (sample.study_id ?? null),
});

/** The dimensions and drivers of a study. */
export function studyVariables(study: NationalStudy): PersonVariable[] {
  const { dimensions, statureMm, massKg } = study;
  const drivers = driverVariables(massKg, statureMm, 'NULL');
  return [...dimensionVariables(Object.values(dimensions).flat()), ...drivers];
}

/**
 * Computes `studies.csv` and `drivers.csv` from the person records of one file. They have counts, means, SDs and
 * percentiles of each dimension with at least ten people. A source with these two files takes part in the calibration
 * of countries.
 */
export async function nationalStudyTables(
  context: ImportContext,
  source: string,
  study: NationalStudy,
): Promise<OutputTable[]> {
  const { gender, dimensions } = study;
  const variables = studyVariables(study);
  await createCheckedPeople(context, source, adultsSql(context.tables, [gender]), variables);
  const moments = await surveyMoments(context.connection, variables);
  const names = moments.columns.map(([name]) => name);
  const found = new Map(
    moments.rows.map((cells) => {
      const row: Row = Object.fromEntries(cells.map((cell, i) => [names[i], cell]));
      return [String(row.variable), row];
    }),
  );
  const sample = {
    study_id: study.id,
    survey_family: study.family,
    country: study.country,
    gender,
    age_mean: found.get('AgeYears')?.mean ?? null,
    citation: study.citation,
  };
  const rows = (['exact', 'close', 'poor'] as const).flatMap((match) =>
    dimensions[match].flatMap(([measurement]) => {
      const row = found.get(measurement);
      if (row === undefined) return [];
      const { n = null, mean = null, sd = null, p5 = null, p50 = null, p95 = null } = row;
      const figures = { n, mean_mm: mean, sd_mm: sd, p5_mm: p5, p50_mm: p50, p95_mm: p95 };
      const { year, population } = study;
      return [{ ...sample, year, population, measurement, match, ...figures, ...SOUND }];
    }),
  );
  rows.sort((a, b) => compareText(a.measurement, b.measurement));
  const [stature, mass, bmi] = ['Stature', 'BodyMass', 'Bmi'].map((name) => found.get(name));
  const about = { ...sample, n: stature?.n ?? null, part_of: study.partOf ?? null };
  return studyOutputs(rows, [driverRow(about, stature, mass, bmi)]);
}
