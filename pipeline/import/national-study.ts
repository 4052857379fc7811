import type { Cell, OutputTable, TableColumn } from './importer.js';
import { MINIMUM_CELL } from './statistics.js';

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
