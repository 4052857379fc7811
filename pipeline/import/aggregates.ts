import { MEASUREMENT_NAMES } from '../../src/core/measurements.js';
import { queryRows, quoteText } from './duck.js';
import { type FileSpec, type ImportContext, ImportRefusal, type OutputTable } from './importer.js';
import { DRIVER_COLUMNS, STUDY_COLUMNS } from './national-study.js';
import { defineCountries, namedTable } from './published.js';
import { MINIMUM_CELL } from './statistics.js';

/** Flags of a figure whose definition differs, or may differ, from the definition of this service. */
const OTHER_DEFINITION =
  '(^|;)(dev_|definition_differs|.*_definition|ratio_.*OUTLIER|.*_level_|palm_|neck_base|chest_below|nasion|same_numbers|biacromial_low|face_breadth_low|ratio_.*_soft)';
/** Flags of a figure that may be wrong because of a printing, scanning or copying error. */
const DOUBTED = '(^|;)(sd_|printed_|.*_ocr|p5_maybe|p95_maybe|p50_off|mean_\\d|percentile_spread)';

/**
 * Samples that are part of another sample in the file, each with the larger sample.
 * - USAF 1968 (1905 women): S8 are 548 officers and nurses, S9 and S10 are 1216 and 131 enlisted women. The weighted
 *   means of these 1895 women agree with those of the 1905 within 0.4 mm in 54 of 56 dimensions. S7 is the larger
 *   sample in another table of RP-1024.
 * - National Health Examination Survey 1960–62 (3581 women and 3091 men of 18 to 79 years): S12 and S38 are the
 *   people of 25 to 40 years.
 */
const PART_OF: Readonly<Record<string, string>> = {
  'rp1024-S7': 'rp1024-us-usaf-women1968',
  'rp1024-S8': 'rp1024-S7',
  'rp1024-S9': 'rp1024-S7',
  'rp1024-S10': 'rp1024-S7',
  'rp1024-S12': 'rp1024-S11',
  'rp1024-S38': 'rp1024-S37',
};

/**
 * Families of the files that share people or instruments. Some of them are in different files.
 * - One team measured the armed forces of Turkey, Greece and Italy in 1960–61 with one set of instruments (Hertzberg et
 *   al. 1963, AGARDograph 73).
 * - Both Czech families are yearly examinations by the army.
 * - The Russian men and women come from one study of applicants.
 */
const ONE_FAMILY: Readonly<Record<string, string>> = {
  'rp1024-nato-1960-GR': 'rp1024-nato-1960',
  'rp1024-nato-1960-IT': 'rp1024-nato-1960',
  'rp1024-nato-1960-TR': 'rp1024-nato-1960',
  'cz-fajfrova-acr': 'cz-army',
  'ru-2022-gaivoronsky-f': 'ru-2022-gaivoronsky',
  'pooled-russia-recruits': 'ru-2022-gaivoronsky',
};

/**
 * A height is doubtful if its share of the sample's stature is too far from the median share of other families.
 * `FAR_SHARE_SDS` is the limit in robust SDs (1.4826 × median absolute deviation, Hampel 1974). `FEWEST_FAMILIES` is
 * the smallest number of other families for this check.
 */
const FAR_SHARE_SDS = 4;
const FEWEST_FAMILIES = 5;

/** Middle of a year or of a range of years. */
const YEAR_SQL = `CAST((TRY_CAST(regexp_extract(year, '^(\\d{4})', 1) AS INTEGER)
  + TRY_CAST(regexp_extract(year, '(\\d{4})(\\.0)?$', 1) AS INTEGER)) // 2 AS INTEGER)`;

/** Describes a file of aggregates with the given numbers of rows and of studies. */
export function aggregatesFile(rows: number, studies: number, tallestMedianMm: number): FileSpec {
  return {
    label: 'aggregates of national studies',
    rows,
    numbers: [
      ...['age_min', 'age_max', 'age_mean', 'n', 'mean_mm', 'sd_mm', 'p5_mm', 'p50_mm', 'p95_mm'],
      ...['value_kg', 'sd_kg', 'value_bmi', 'sd_bmi', 'is_best'],
    ],
    texts: [
      ...['study_id', 'country', 'gender', 'year', 'population', 'source_dimension'],
      ...['measurement', 'match', 'survey_family', 'flag', 'citation'],
    ],
    figures: [
      ['number of studies', 'count(DISTINCT study_id)', studies, studies],
      ['median stature in mm', 'median(mean_mm)', 1650, tallestMedianMm, `measurement = 'Stature'`],
      ['smallest mean in mm', 'min(mean_mm)', 10, 40],
      ['median body mass in kg', 'median(value_kg)', 55, 80],
    ],
  };
}

/** Refuses a file with a dimension, country or grade of match that the service does not know. */
async function refuseUnknown(context: ImportContext, index: number): Promise<void> {
  const table = context.tables[index] ?? '';
  const names = [...MEASUREMENT_NAMES, 'Weight', 'BMI'].map(quoteText).join(', ');
  const unknown = await queryRows(
    context.connection,
    `SELECT measurement FROM ${table} WHERE measurement NOT IN (${names})
     UNION ALL SELECT country FROM ${table} WHERE country NOT IN (SELECT code FROM countries)
     UNION ALL SELECT match FROM ${table} WHERE match NOT IN ('exact', 'close', 'poor')
     ORDER BY 1`,
  );
  if (unknown[0] === undefined) return;
  const reason = `has an unknown dimension, country or match (${String(unknown[0][0])})`;
  throw new ImportRefusal(context.fileNames[index] ?? '', reason, 'Correct the file or importer');
}

/** SQL for the best rows of `measurement` that have a `value`. */
function printedSql(measurement: string, value: string, sd: string): string {
  return `
    SELECT study_id, survey_family, country, gender, n, ${value} AS value, ${sd} AS sd, citation
    FROM aggregates
    WHERE measurement = '${measurement}' AND ${value} IS NOT NULL AND is_best = 1`;
}

/**
 * SQL for the figure of each sample (`samples`) in `rows`. The figure comes from the sample itself, or from the same
 * people under another name: a compilation may print the stature and mass of a sample under one name and its other
 * dimensions under another. Two samples of a family, country and gender count as the same people if their numbers of
 * people agree within 5 %.
 */
function nearestSql(rows: string): string {
  return `
    SELECT s.study_id, s.gender, s.survey_family, d.study_id AS source, value, sd, d.citation
    FROM samples s JOIN (${rows}) d ON d.survey_family = s.survey_family
      AND d.country = s.country AND d.gender = s.gender
      AND (d.study_id = s.study_id OR abs(d.n - s.n) <= 0.05 * s.n)
    QUALIFY row_number() OVER (PARTITION BY s.study_id, s.gender
      ORDER BY d.study_id <> s.study_id, abs(d.n - s.n), d.study_id) = 1`;
}

/** Common table expressions `samples` and `stature`. */
const STATURE_SQL = `samples AS (
    SELECT study_id, any_value(survey_family) AS survey_family, any_value(country) AS country,
      gender, max(age_mean) AS age_mean, median(n) AS n, min(citation) AS citation,
      any_value(own) AS own
    FROM aggregates GROUP BY study_id, gender HAVING median(n) >= ${MINIMUM_CELL}),
  stature AS (${nearestSql(printedSql('Stature', 'mean_mm', 'sd_mm'))})`;

/** Common table expression `far`: heights whose share of stature differs too much from other families. */
const FAR_SQL = `shares AS (
    SELECT t.study_id, t.gender, t.survey_family, measurement, mean_mm / value AS share
    FROM aggregates t JOIN stature USING (study_id, gender)
    WHERE measurement LIKE '%Height%' AND match <> 'poor' AND is_best = 1),
  far AS (
    SELECT s.study_id, s.gender, s.measurement
    FROM shares s JOIN shares o
      ON o.measurement = s.measurement AND o.survey_family <> s.survey_family
    GROUP BY s.study_id, s.gender, s.measurement, s.share
    HAVING count(DISTINCT o.survey_family) >= ${FEWEST_FAMILIES}
      AND abs(s.share - median(o.share)) > ${FAR_SHARE_SDS} * 1.4826 * mad(o.share))`;

const flagged = (pattern: string): string =>
  `CAST(regexp_matches(coalesce(flag, ''), ${quoteText(pattern)}) AS INTEGER)`;

const STUDIES_SQL = `
  WITH ${STATURE_SQL}, ${FAR_SQL}
  SELECT study_id, survey_family, country, gender, age_min, age_max, age_mean,
    ${YEAR_SQL} AS year, CAST(n AS INTEGER) AS n, population, measurement, match,
    CAST(is_best AS INTEGER) AS is_best,
    mean_mm, sd_mm, p5_mm, p50_mm, p95_mm, ${flagged('sex_assumed')} AS sex_assumed,
    greatest(${flagged(OTHER_DEFINITION)},
      CAST(is_best = 1 AND (study_id, gender, measurement) IN (FROM far) AS INTEGER)) AS check_definition,
    ${flagged(DOUBTED)} AS check_figure, ${flagged('derived_from_means')} AS from_means, citation
  FROM aggregates WHERE own AND mean_mm IS NOT NULL AND n >= ${MINIMUM_CELL}
  ORDER BY study_id, gender, measurement, is_best DESC, source_dimension`;

/** SQL for stature, mass and BMI of every sample, and for the larger sample that contains its people. */
function driversSql(): string {
  const parts = Object.entries(PART_OF).map(([part, whole]) => {
    return `(${quoteText(part)}, ${quoteText(whole)})`;
  });
  return `
    WITH ${STATURE_SQL},
    mass AS (${nearestSql(printedSql('Weight', 'value_kg', 'sd_kg'))}),
    bmi AS (${nearestSql(printedSql('BMI', 'value_bmi', 'sd_bmi'))}),
    parts(study_id, part_of) AS (VALUES ${parts.join(', ')})
    SELECT samples.study_id, samples.survey_family, country, samples.gender, age_mean, n,
      stature.value AS stature_mm, stature.sd AS stature_sd_mm, stature.source AS stature_from,
      mass.value AS mass_kg, mass.sd AS mass_sd_kg, mass.source AS mass_from,
      bmi.value AS bmi, bmi.sd AS bmi_sd,
      coalesce(stature.citation, mass.citation, bmi.citation, samples.citation) AS citation,
      part_of
    FROM samples LEFT JOIN stature USING (study_id, gender) LEFT JOIN mass USING (study_id, gender)
      LEFT JOIN bmi USING (study_id, gender)
      LEFT JOIN parts USING (study_id)
    WHERE samples.own
    ORDER BY samples.study_id, samples.gender`;
}

/**
 * Computes `studies.csv` and `drivers.csv` from the first file. Further files only serve the comparison of heights with
 * other families.
 *
 * @param chosen SQL condition for the rows of the first file that go into the tables
 * @throws ImportRefusal for an unknown dimension, country or match
 */
export async function aggregateTables(
  context: ImportContext,
  chosen = 'true',
): Promise<OutputTable[]> {
  const { connection, tables } = context;
  await defineCountries(connection);
  for (const index of tables.keys()) await refuseUnknown(context, index);
  const families = Object.entries(ONE_FAMILY).map(([family, whole]) => {
    return `WHEN ${quoteText(family)} THEN ${quoteText(whole)}`;
  });
  const union = tables.map((table, index) => {
    const own = index === 0 ? chosen : 'false';
    return `SELECT * REPLACE (CASE survey_family ${families.join(' ')} ELSE survey_family END
      AS survey_family), ${own} AS own FROM ${table}`;
  });
  await connection.run(`CREATE TABLE aggregates AS ${union.join(' UNION ALL BY NAME ')}`);
  return [
    await namedTable(connection, 'studies.csv', STUDY_COLUMNS, STUDIES_SQL),
    await namedTable(connection, 'drivers.csv', DRIVER_COLUMNS, driversSql()),
  ];
}
