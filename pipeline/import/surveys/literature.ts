import { queryRows, quoteText } from '../duck.js';
import { type ImportContext, ImportRefusal } from '../importer.js';
import { genderColumn, genderFrom, publishedImporter } from '../published.js';

/** Head and face dimensions of ANSUR 1988, measured with the headboard. */
// biome-ignore format: a row is a line
export const ANSUR1_HEADBOARD = publishedImporter({
  source: 'ansur1-headboard',
  files: [{ label: 'ANSUR 1988 headboard summary', numbers: ['n', 'mean_mm', 'sd_mm'], texts: ['dimension', 'sex'], rows: 89, figures: [
    ['mean tragion to back of head of men in mm (published: 98.9)', 'max(mean_mm)', 98.9, 98.9, `dimension = 'tragion_back_of_head' AND sex = 'M'`],
    ['median of mean_mm', 'median(mean_mm)', 90, 190],
    ['median of sd_mm', 'median(sd_mm)', 4, 10],
  ] }],
  outputs: {
    'headboard.csv': [
      ['dimension', 'dimension as the report names it', 'dimension'],
      genderColumn(genderFrom('sex', 'M')),
      ['n', 'people measured', 'n'],
      ['mean_mm', 'mean, mm', 'mean_mm'],
      ['sd_mm', 'standard deviation, mm', 'sd_mm'],
    ],
  },
});

/** Identifier in the input, study, short method, and whether the study pools both genders. */
const STUDIES = [
  ['buryanov2010_66_adults_mixed', 'Buryanov 2010, 66 adults', 'X-ray, MCP joint to tip', true],
  ['faa_techops_2006_08_US_civil', 'FAA Tech Ops 2006-08, US', 'caliper, from P5 P50 P95', false],
  ['hsiao2015_firefighters_855M_88F', 'Hsiao 2015, US firefighters', '2D scan, web to tip', false],
  ['mexico2024_2275M_562F', 'Mexico 2024, ages 15-59', 'direct', false],
  ['nag2003_indian_women_95', 'Nag 2003, Indian women', 'caliper', false],
  ['us_truck_drivers_2008_1779M_171F', 'Guan 2012, US truck drivers', 'weighted', false],
] as const;

const STUDY_ROWS = STUDIES.map(
  ([id, study, method, both]) =>
    `(${quoteText(id)}, ${quoteText(study)}, ${quoteText(method)}, ${both})`,
);

/** @throws ImportRefusal for a study that `STUDIES` does not list */
async function refuseUnknownStudies({ connection, tables, fileNames }: ImportContext) {
  const known = STUDIES.map(([id]) => quoteText(id)).join(', ');
  const unknown = await queryRows(
    connection,
    `SELECT source FROM ${tables[0] ?? ''} WHERE source NOT IN (${known}) ORDER BY source`,
  );
  if (unknown[0] === undefined) return;
  const reason = `names a study that is not known (${String(unknown[0][0])})`;
  throw new ImportRefusal(fileNames[0] ?? '', reason, 'Add it to the importer');
}

/** Hand and finger dimensions from the literature. */
// biome-ignore format: a row is a line
export const HAND_LITERATURE = publishedImporter({
  source: 'hand-literature',
  files: [{ label: 'hand literature summary', numbers: ['mean_mm', 'sd_mm'], texts: ['source', 'dimension', 'sex'], rows: 68, figures: [
    ['smallest hand length in mm', 'min(mean_mm)', 165, 175, `dimension = 'hand_length'`],
    ['smallest mean_mm', 'min(mean_mm)', 10, 12],
    ['median of sd_mm', 'median(sd_mm)', 3, 6],
  ] }],
  check: refuseUnknownStudies,
  outputs: {
    'hand.csv': {
      from: (table) => `${table} JOIN (VALUES ${STUDY_ROWS.join(', ')}) AS studies(id, study, method, pooled) ON source = id`,
      columns: [
        ['study', 'study and its people', 'study'],
        ['method', 'how it was measured', 'method'],
        ['dimension', 'dimension', 'dimension'],
        ['gender', 'Male or Female; Both where the study pools them', "CASE WHEN pooled THEN 'Both' WHEN sex = 'M' THEN 'Male' ELSE 'Female' END"],
        ['mean_mm', 'mean, mm', 'mean_mm'],
        ['sd_mm', 'standard deviation, mm; empty where not published', 'sd_mm'],
      ],
    },
  },
});

/** Published loss of stature with age. */
// biome-ignore format: a row is a line
export const HEIGHT_LOSS = publishedImporter({
  source: 'height-loss',
  files: [{ label: 'published height loss', numbers: [], texts: ['source', 'from_age', 'to_age', 'men_cm', 'women_cm'], rows: 7, figures: [
    ['loss in cm of men from 30 to 80 (Sorkin 1999: 5)', 'max(TRY_CAST(men_cm AS DOUBLE))', 5, 5, `source LIKE 'Sorkin%' AND to_age = '80'`],
  ] }],
  outputs: {
    'height_loss.csv': {
      where: `from_age_years IS NOT NULL AND to_age_years IS NOT NULL AND male_mm IS NOT NULL AND female_mm IS NOT NULL`,
      columns: [
        ['citation', 'study', `CASE WHEN source LIKE 'Sorkin 1999%' THEN 'Sorkin 1999, Am J Epidemiol 150:969 (BLSA)' ELSE source END`],
        ['from_age_years', 'first age', 'TRY_CAST(from_age AS DOUBLE)'],
        ['to_age_years', 'second age', 'TRY_CAST(to_age AS DOUBLE)'],
        ['male_mm', 'stature lost between the ages by men, mm', 'TRY_CAST(men_cm AS DOUBLE) * 10'],
        ['female_mm', 'stature lost between the ages by women, mm', 'TRY_CAST(women_cm AS DOUBLE) * 10'],
      ],
    },
  },
});

/** Published standard deviations of adult stature by population. */
// biome-ignore format: a row is a line
export const STATURE_SD = publishedImporter({
  source: 'stature-sd',
  files: [{ label: 'SD of stature by population', numbers: ['n', 'mean_cm', 'sd_cm'],
    texts: ['code', 'population', 'sex', 'age', 'year', 'kind', 'source'], rows: 25, figures: [
    ['smallest mean_cm', 'min(mean_cm)', 145, 155],
    ['largest mean_cm', 'max(mean_cm)', 178, 184],
    ['median sd_cm', 'median(sd_cm)', 5.5, 7],
  ] }],
  outputs: {
    'stature_sd.csv': {
      orderBy: ['country', 'gender', 'age', 'mean_mm'],
      columns: [
        ['country', 'country code of the service, or the name of a population of several countries', "CASE WHEN code = '--' THEN population ELSE code END"],
        genderColumn('sex'),
        ['age', 'ages as published', 'age'],
        ['year', 'year or years of measurement', 'year'],
        ['n', 'people measured, empty where not published', 'n'],
        ['mean_mm', 'mean stature, mm', 'mean_cm * 10'],
        ['sd_mm', 'standard deviation of stature, mm', 'sd_cm * 10'],
        ['kind', '`measured`, or `percentiles` where the SD is derived from P5 and P95', "CASE WHEN kind LIKE 'measured%' THEN 'measured' ELSE 'percentiles' END"],
        ['citation', 'where the figures were published', `CASE WHEN source LIKE '%Subramanian 2011%' THEN 'Subramanian 2011, PLoS ONE 6(4):e18962, Table 1 (CC BY)'
          WHEN source LIKE '%Juergens 1989%' THEN 'Juergens 1989, after KAN-Praxis, koerpermass.kan-praxis.de' ELSE source END`],
      ],
    },
  },
});
