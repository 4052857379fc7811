import type { Rows } from './by-population.js';
import type { RawTables } from './raw-tables.js';
import { readStudyFiles, type StudyFiles } from './studies.js';
import { addSubsamples, readOrigins, readSurvey, type Survey } from './surveys.js';

export type { Rows } from './by-population.js';

/** A table that a fit reads: its source, its name, and the columns that order its rows. */
type Place = readonly [source: string, table: string, orderBy: string];

const REQUIRED = {
  allowances: ['allowances', 'allowances', 'kind, condition, dimensions'],
  headboard: ['ansur1-headboard', 'headboard', 'dimension, gender'],
  reach: ['ansur1-reach', 'pairs', 'gender, age_group, half, a, b'],
  cdc: ['cdc2000', 'lms', 'measure, gender, age_years'],
  heightLoss: ['height-loss', 'height_loss', 'citation, from_age_years'],
  nhanesCycles: ['nhanes', 'cycles', 'gender, year, age_group'],
  statureSd: ['stature-sd', 'stature_sd', 'country, gender, mean_mm'],
  headCounts: ['wpp2022', 'population', 'country, gender, age_min'],
} as const satisfies Readonly<Record<string, Place>>;

const OPTIONAL = {
  cohorts: ['ncdrisc-2016', 'height_by_birth_year', 'country, gender, birth_year'],
  statureAt19: ['ncdrisc-2020', 'height_at_19', 'country, gender'],
  childStature: ['ncdrisc-2020-children', 'height_by_age', 'country, gender, age_years'],
  statureAt19ByYear: ['ncdrisc-2020-children', 'height_at_19_by_year', 'country, gender, year'],
  bmi: ['ncdrisc-2024-bmi', 'bmi_gamma', 'country, gender, age_min'],
  childBmi: ['ncdrisc-2024-bmi-children', 'bmi_gamma_by_age', 'country, gender, age_years'],
  bmiByYear: ['ncdrisc-2024-bmi-years', 'bmi_gamma_by_year', 'country, gender, year, age_min'],
  bmiClasses: ['ncdrisc-2024-classes', 'adults', 'country, gender, year'],
  childBmiClasses: ['ncdrisc-2024-classes', 'children', 'country, gender, year'],
  thinByAge: ['ncdrisc-2026-thin', 'thin_by_age', 'country, gender, age_min'],
  whoBmi: ['who2007', 'bmi_lms', 'gender, age_months'],
  whoHeights: ['who2006', 'lms', 'measure, gender, age_months'],
  weightForHeight: ['jme2021', 'weight_for_height', 'country, year, survey, wasting'],
  lowBirthWeight: ['lbw2023', 'low_birth_weight', 'country, year'],
  regressions: ['korea2015', 'regressions', 'country, gender, measurement, age_min'],
  sittingHeights: ['japan-school', 'sitting_height', 'country, gender, age_years, year'],
  malnutrition: [
    'jme2024',
    'malnutrition',
    'country, year, survey, indicator, gender, age_min_months',
  ],
} as const satisfies Readonly<Record<string, Place>>;

/** Surveys with means, SDs and correlations. */
const SURVEYS = {
  ansur1: 'ansur1',
  ansur2: 'ansur2',
  nhanes: 'nhanes',
  snyder: 'snyder1977',
  usaf1967: 'usaf1967',
} as const;
/** The parts of `ansur2` by the origin of the soldiers. */
const ORIGINS = 'ansur2-origins';

const sourcesOf = (places: Readonly<Record<string, Place>>): string[] =>
  Object.values(places).map(([source]) => source);

/**
 * Sources of a build besides the national studies (`studySources`). `--without` may name the optional
 * sources and the national studies.
 */
export const SOURCES = {
  required: [...new Set([...Object.values(SURVEYS), ORIGINS, ...sourcesOf(REQUIRED)])].sort(),
  optional: [...new Set(sourcesOf(OPTIONAL))],
};

/** The survey tables of a build in memory. An optional table is undefined if its source was left out. */
export interface SourceTables
  extends Readonly<Record<keyof typeof SURVEYS, Survey>>,
    Readonly<Record<keyof typeof REQUIRED, Rows>>,
    Readonly<Record<keyof typeof OPTIONAL, Rows | undefined>> {
  readonly origins: Survey;
  /** The files of the national studies, not yet checked. */
  readonly studyFiles: StudyFiles;
}

/**
 * Reads all tables that the fits need.
 *
 * @throws Error naming a required source that is missing
 */
export async function readSourceTables(raw: RawTables): Promise<SourceTables> {
  const tables: Record<string, Rows | Survey | undefined> = {};
  for (const [name, source] of Object.entries(SURVEYS)) {
    tables[name] = await readSurvey(raw, source);
  }
  for (const [name, [source, table, order]] of Object.entries<Place>({
    ...REQUIRED,
    ...OPTIONAL,
  })) {
    const leftOut = name in OPTIONAL && !raw.has(source);
    tables[name] = leftOut ? undefined : await raw.rows(source, table, order);
  }
  const read = tables as unknown as Omit<SourceTables, 'origins' | 'studyFiles'>;
  await addSubsamples(raw, read.nhanes);
  await addSubsamples(raw, read.snyder);
  return {
    ...read,
    origins: await readOrigins(raw, ORIGINS),
    studyFiles: await readStudyFiles(raw),
  };
}
