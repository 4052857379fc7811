import { MEASUREMENT_NAMES } from '../../../src/core/measurements.js';
import { queryRows, quoteText } from '../duck.js';
import { type ImportContext, type Importer, ImportRefusal, type OutputTable } from '../importer.js';
import { DRIVER_COLUMNS, STUDY_COLUMNS } from '../national-study.js';
import { defineCountries, queryTable } from '../published.js';
import { MINIMUM_CELL } from '../statistics.js';

const ROWS = 1796;

/** Flags of a figure whose definition differs, or seems to differ, from that of this service. */
const OTHER_DEFINITION =
  '(^|;)(dev_|definition_differs|.*_definition|ratio_.*OUTLIER|.*_level_|palm_|neck_base|chest_below|nasion|same_numbers|biacromial_low|ratio_.*_soft)';
/** Flags of a figure that may be wrong because of a printing, scanning or copying error. */
const DOUBTED = '(^|;)(sd_|printed_|.*_ocr|p5_maybe|p95_maybe|p50_off|mean_\\d|percentile_spread)';

/**
 * Samples that are part of another sample in the file, each with the larger sample.
 * - 1905 women of the USAF in 1968: S8 are 548 officers and nurses, S9 and S10 are 1216 and 131 enlisted
 *   women. The weighted means of these 1895 agree with those of the 1905 within 0.4 mm in 54 of 56
 *   dimensions. S7 is the larger sample in another table of RP-1024.
 * - National Health Examination Survey 1960–62 (3581 women and 3091 men of 18 to 79 years): S12 and S38
 *   are the people of 25 to 40 years.
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
 * A height is doubtful if its share of the sample's stature is more than this many robust SDs
 * (1.4826 × median absolute deviation, Hampel 1974) from the median share of other families. The second
 * constant is the smallest number of other families for this check.
 */
const FAR_SHARE_SDS = 4;
const FEWEST_FAMILIES = 5;

/** Middle of a year or of a range of years. */
const YEAR_SQL = `CAST((TRY_CAST(regexp_extract(year, '^(\\d{4})', 1) AS INTEGER)
  + TRY_CAST(regexp_extract(year, '(\\d{4})(\\.0)?$', 1) AS INTEGER)) // 2 AS INTEGER)`;

async function refuseUnknown(context: ImportContext): Promise<void> {
  const table = context.tables[0] ?? '';
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
  throw new ImportRefusal(context.fileNames[0] ?? '', reason, 'Correct the file or the importer');
}

/** SQL for the best rows of `measurement` with a `value`. */
function printedSql(table: string, measurement: string, value: string, sd: string): string {
  return `
    SELECT study_id, survey_family, gender, n, ${value} AS value, ${sd} AS sd, citation
    FROM ${table} WHERE measurement = '${measurement}' AND ${value} IS NOT NULL AND is_best = 1`;
}

/**
 * SQL for the figure of each sample (`samples`) in `rows`, from the sample itself or from the same people
 * under another name: a compilation may print a sample's stature and mass under one name and its other
 * dimensions under another. Two samples of a family and gender whose numbers of people agree within 5 %
 * count as the same people.
 */
function nearestSql(rows: string): string {
  return `
    SELECT s.study_id, s.gender, s.survey_family, d.study_id AS source, value, sd, d.citation
    FROM samples s JOIN (${rows}) d ON d.survey_family = s.survey_family AND d.gender = s.gender
      AND (d.study_id = s.study_id OR abs(d.n - s.n) <= 0.05 * s.n)
    QUALIFY row_number() OVER (PARTITION BY s.study_id, s.gender
      ORDER BY d.study_id <> s.study_id, abs(d.n - s.n), d.study_id) = 1`;
}

/** Common table expressions `samples` and `stature`. */
function statureSql(table: string): string {
  return `samples AS (
      SELECT study_id, any_value(survey_family) AS survey_family, any_value(country) AS country,
        gender, max(age_mean) AS age_mean, median(n) AS n, min(citation) AS citation
      FROM ${table} GROUP BY study_id, gender HAVING median(n) >= ${MINIMUM_CELL}),
    stature AS (${nearestSql(printedSql(table, 'Stature', 'mean_mm', 'sd_mm'))})`;
}

/** Common table expression `far`: heights with another share of stature than in other families. */
function farSql(table: string): string {
  return `shares AS (
      SELECT t.study_id, t.gender, t.survey_family, measurement, mean_mm / value AS share
      FROM ${table} t JOIN stature USING (study_id, gender)
      WHERE measurement LIKE '%Height%' AND match <> 'poor' AND is_best = 1),
    far AS (
      SELECT s.study_id, s.gender, s.measurement
      FROM shares s JOIN shares o
        ON o.measurement = s.measurement AND o.survey_family <> s.survey_family
      GROUP BY s.study_id, s.gender, s.measurement, s.share
      HAVING count(DISTINCT o.survey_family) >= ${FEWEST_FAMILIES}
        AND abs(s.share - median(o.share)) > ${FAR_SHARE_SDS} * 1.4826 * mad(o.share))`;
}

function studyTable({ connection, tables }: ImportContext): Promise<OutputTable> {
  const table = tables[0] ?? '';
  const flagged = (pattern: string): string =>
    `CAST(regexp_matches(coalesce(flag, ''), ${quoteText(pattern)}) AS INTEGER)`;
  const sql = `
    WITH ${statureSql(table)}, ${farSql(table)}
    SELECT study_id, survey_family, country, gender, age_min, age_max, age_mean, ${YEAR_SQL},
      CAST(n AS INTEGER), population, measurement, match, CAST(is_best AS INTEGER),
      mean_mm, sd_mm, p5_mm, p50_mm, p95_mm, ${flagged('sex_assumed')},
      greatest(${flagged(OTHER_DEFINITION)},
        CAST(is_best = 1 AND (study_id, gender, measurement) IN (FROM far) AS INTEGER)),
      ${flagged(DOUBTED)}, ${flagged('derived_from_means')}, citation
    FROM ${table} WHERE mean_mm IS NOT NULL AND n >= ${MINIMUM_CELL}
    ORDER BY study_id, gender, measurement, is_best DESC, source_dimension`;
  return queryTable(connection, 'studies.csv', STUDY_COLUMNS, sql);
}

/** Stature, mass and BMI of every sample, and the larger sample that contains its people. */
function driverTable({ connection, tables }: ImportContext): Promise<OutputTable> {
  const table = tables[0] ?? '';
  const parts = Object.entries(PART_OF).map(([part, whole]) => {
    return `(${quoteText(part)}, ${quoteText(whole)})`;
  });
  const sql = `
    WITH ${statureSql(table)},
    mass AS (${nearestSql(printedSql(table, 'Weight', 'value_kg', 'sd_kg'))}),
    bmi AS (${nearestSql(printedSql(table, 'BMI', 'value_bmi', 'sd_bmi'))}),
    parts(study_id, part_of) AS (VALUES ${parts.join(', ')})
    SELECT samples.study_id, samples.survey_family, country, samples.gender, age_mean, n,
      stature.value, stature.sd, stature.source, mass.value, mass.sd, mass.source,
      bmi.value, bmi.sd, coalesce(stature.citation, mass.citation, bmi.citation, samples.citation),
      part_of
    FROM samples LEFT JOIN stature USING (study_id, gender) LEFT JOIN mass USING (study_id, gender)
      LEFT JOIN bmi USING (study_id, gender)
      LEFT JOIN parts USING (study_id)
    ORDER BY samples.study_id, samples.gender`;
  return queryTable(connection, 'drivers.csv', DRIVER_COLUMNS, sql);
}

/** Means, SDs and percentiles of national studies, for the calibration of countries. */
export const WORLD: Importer = {
  source: 'world',
  title: 'National studies: means, SDs and percentiles of adult dimensions',
  citation: 'A source per row, in the column `citation`.',
  licence:
    'Published figures, selected and reshaped, cited row by row; ASRAN 2015 is CC BY 3.0 AU (Commonwealth of Australia, DSTG).',
  notes: [
    'Copied by hand from public compilations of survey reports (NASA RP-1024 Vol. II 1978 and others). Most samples are lean young soldiers of 1955 to 1975; ages are mostly unknown, about 18 to 35. They show proportions given the sample’s own stature and mass, not the size of people today.',
    'A survey family counts once and is left out as a whole. People who are in two samples count once (`part_of`): a dimension is read from the larger sample that has it. The 1905 women of the USAF in 1968 are `rp1024-us-usaf-women1968`, and S7 in another table. S8 are 548 officers and nurses of them, S9 and S10 are 1216 and 131 enlisted women. The weighted means of these parts agree with the 1905 within 0.4 mm in 54 of 56 dimensions; sitting height is 1 mm lower, and stature 6 mm lower, which is doubtful because every part has less than the whole. The National Health Examination Survey 1960–62 has S11 (women) and S37 (men) of 18 to 79 years; S12 and S38 are their people of 25 to 40.',
    `A height whose share of the sample’s stature lies more than ${FAR_SHARE_SDS} robust SDs from the median of other families’ (at least ${FEWEST_FAMILIES}) has \`check_definition\` too. Besides rows that already have a flag, this is one row: ShoulderHeight of \`id-2020-iqbal-army\`, 0.860 of stature against 0.80 to 0.84 elsewhere.`,
    'Rows under another name of the same dimension are left out; `pipeline/model/dimension-plan.ts` lists such names.',
    'The column `also_same_as` of the input and percentiles of mass are not used.',
  ],
  files: [
    {
      label: `aggregates of national studies (CSV, ${ROWS} rows)`,
      numbers: [
        ...['age_min', 'age_max', 'age_mean', 'n', 'mean_mm', 'sd_mm', 'p5_mm', 'p50_mm', 'p95_mm'],
        ...['value_kg', 'sd_kg', 'value_bmi', 'sd_bmi', 'is_best'],
      ],
      texts: [
        ...['study_id', 'country', 'gender', 'year', 'population', 'source_dimension'],
        ...['measurement', 'match', 'survey_family', 'flag', 'citation'],
      ],
      minimumRows: ROWS,
      maximumRows: ROWS,
      figures: [
        { what: 'number of studies', sql: 'count(DISTINCT study_id)', low: 83, high: 83 },
        {
          what: 'median stature in mm',
          sql: 'median(mean_mm)',
          where: `measurement = 'Stature'`,
          low: 1650,
          high: 1760,
        },
        { what: 'smallest mean in mm', sql: 'min(mean_mm)', low: 10, high: 40 },
        { what: 'median body mass in kg', sql: 'median(value_kg)', low: 55, high: 80 },
      ],
    },
  ],
  async build(context) {
    await defineCountries(context.connection);
    await refuseUnknown(context);
    return [await studyTable(context), await driverTable(context)];
  },
};
