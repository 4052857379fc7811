import type { Importer, TableColumn } from '../importer.js';
import { DRIVER_COLUMNS, STUDY_COLUMNS } from '../national-study.js';
import { namedTable } from '../published.js';

const CITATION =
  'Size Korea, 7th national anthropometric survey (direct measurements of 2015). Korean Agency for Technology and Standards.';

/** Dimensions whose landmarks differ from the service’s in part. */
const CLOSE = ['ElbowHeight', 'VerticalGripReachStanding'];
/** Dimensions in which two surveys of the country differ by 10 to 20 mm at equal stature. */
const DOUBTED = [
  ...['ButtockPoplitealLength', 'PoplitealHeight', 'SittingElbowHeight', 'ThighThickness'],
];
/**
 * Radiale above the underside of the bent elbow, mm (men, women): in ANSUR II, the mean of ElbowHeight less
 * (Stature - SittingHeight + SittingElbowHeight).
 */
const RADIALE_MM = [22.5, 19.6];

const among = (names: readonly string[]): string =>
  `measurement IN (${names.map((name) => `'${name}'`).join(', ')})`;

/** SQL of the columns that both tables have; the sample of an age group is `korea-2015-20-29`. */
const SAMPLE = `concat('korea-2015-', age_min, '-', age_max) AS study_id,
  'korea-2015' AS survey_family, 'KR' AS country, gender,
  (age_min + age_max + 1) / 2 AS age_mean, '${CITATION}' AS citation`;

/** SQL of a figure in mm; the elbow is raised to the radiale. */
const mm = (column: string): string => `round(${column} + CASE WHEN measurement = 'ElbowHeight'
  THEN CASE gender WHEN 'Male' THEN ${RADIALE_MM[0]} ELSE ${RADIALE_MM[1]} END ELSE 0 END, 2)`;

const STUDIES_SQL = `
  SELECT ${SAMPLE}, age_min, age_max, 2015 AS year, n, 'general' AS population, measurement,
    CASE WHEN measurement = 'KnuckleHeight' THEN 'poor' WHEN ${among(CLOSE)} THEN 'close' ELSE 'exact' END AS match,
    1 AS is_best, ${mm('mean')} AS mean_mm, sd AS sd_mm,
    ${mm('p5')} AS p5_mm, ${mm('p50')} AS p50_mm, ${mm('p95')} AS p95_mm, 0 AS sex_assumed,
    CAST(${among(DOUBTED)} AS INTEGER) AS check_definition, 0 AS check_figure, 0 AS from_means
  FROM people WHERE unit = 'mm' ORDER BY study_id, gender, measurement`;

const figure = (measurement: string, column: string): string =>
  `max(${column}) FILTER (measurement = '${measurement}')`;

const DRIVERS_SQL = `
  SELECT ${SAMPLE}, ${figure('Stature', 'n')} AS n,
    ${figure('Stature', 'mean')} AS stature_mm, ${figure('Stature', 'sd')} AS stature_sd_mm,
    study_id AS stature_from, ${figure('BodyMass', 'mean')} AS mass_kg,
    ${figure('BodyMass', 'sd')} AS mass_sd_kg, study_id AS mass_from,
    NULL AS bmi, NULL AS bmi_sd, NULL AS part_of
  FROM people GROUP BY gender, age_min, age_max ORDER BY study_id, gender`;

/** Columns of `regressions.csv`. */
const REGRESSION_COLUMNS: readonly TableColumn[] = [
  ['country', 'country code of the service'],
  ['gender', 'Male or Female'],
  ['age_min', 'youngest age in years'],
  ['n', 'people measured'],
  ['measurement', 'dimension'],
  ['reference_stature_mm', 'stature at which the mean is given, mm'],
  ['mean_mm', 'mean at this stature and a BMI of 23 kg/m², mm'],
  ['slope_stature', 'slope of ln of the dimension on ln stature'],
  ['slope_bmi', 'slope of ln of the dimension on ln BMI'],
  ['residual_sd', 'SD of the residual of ln of the dimension'],
];

/** The regression is linear in mm. */
const REGRESSIONS_SQL = `
  SELECT 'KR' AS country, gender, CAST(age_min AS INTEGER) AS age_min, CAST(n AS INTEGER) AS n,
    measurement, reference_stature_mm, mean_mm, round(per_unit_of_ln_bmi / mean_mm, 4) AS slope_bmi,
    round(residual_sd / mean_mm, 4) AS residual_sd,
    round(per_mm_of_stature * reference_stature_mm / mean_mm, 4) AS slope_stature
  FROM (SELECT *, ${mm('at_reference')} AS mean_mm,
    CASE gender WHEN 'Male' THEN 1700 ELSE 1580 END AS reference_stature_mm FROM given WHERE age_min >= 20)
  ORDER BY gender, measurement, age_min`;

/** Civilians of Korea from 20 to 69 years by gender and ten years of age: 48 dimensions in mm, and body mass. */
export const KOREA_2015: Importer = {
  source: 'korea2015',
  files: [
    {
      label: 'Size Korea 2015 by gender and age',
      rows: 776,
      numbers: ['age_min', 'age_max', 'n', 'mean', 'sd', 'p5', 'p50', 'p95'],
      texts: ['gender', 'measurement', 'unit'],
      // biome-ignore format: a row is a line
      figures: [
        ['dimensions', 'count(DISTINCT measurement)', 49, 49],
        ['stature in mm of women of 20 to 29', 'min(mean)', 1605, 1613, `measurement = 'Stature' AND gender = 'Female' AND age_min = 20`],
      ],
    },
    {
      label: 'Size Korea 2015, regressions on stature and BMI',
      rows: 744,
      numbers: [
        ...[
          'age_min',
          'n',
          'at_reference',
          'per_mm_of_stature',
          'per_unit_of_ln_bmi',
          'residual_sd',
        ],
      ],
      texts: ['gender', 'measurement'],
      figures: [['residual SD in mm', 'max(residual_sd)', 35, 42]],
    },
  ],
  build: async ({ connection, tables: [table = '', given = ''] }) => {
    await connection.run(`CREATE VIEW given AS SELECT * FROM ${given}`);
    await connection.run(`CREATE TABLE people AS SELECT * REPLACE (CAST(age_min AS INTEGER)
      AS age_min, CAST(age_max AS INTEGER) AS age_max, CAST(n AS INTEGER) AS n)
      FROM ${table} WHERE age_min >= 20`);
    return [
      await namedTable(connection, 'studies.csv', STUDY_COLUMNS, STUDIES_SQL),
      await namedTable(connection, 'drivers.csv', DRIVER_COLUMNS, DRIVERS_SQL),
      await namedTable(connection, 'regressions.csv', REGRESSION_COLUMNS, REGRESSIONS_SQL),
    ];
  },
};
