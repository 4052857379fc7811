import type { Importer } from '../importer.js';
import { DRIVER_COLUMNS, STUDY_COLUMNS } from '../national-study.js';
import { namedTable } from '../published.js';

const CITATION =
  'School Health Statistics of Japan (Ministry of Education, Culture, Sports, Science and Technology), about 2006 and 2013; public tables with open data of a prefecture.';

/** Pupils of a gender, year of age and survey: some 700,000 in 26 groups. */
const PUPILS = 27_000;

/**
 * Dimensions that follow from sitting height: their ratio (men, women) to it, or to the rest of stature, among the
 * soldiers of JASDF (`ja-1990-jasdf` of `world`), the only Japanese who have both.
 */
const DERIVED = {
  SittingEyeHeight: { of: 'ratio', men: 791 / 912, women: 732 / 855 },
  CrotchHeight: { of: '1 - ratio', men: 761 / 787, women: 716 / 729 },
} as const;

const SAMPLE = `concat('japan-school-', year) AS study_id, 'japan-school' AS survey_family, 'JP' AS country,
  gender, 17.5 AS age_mean, ${PUPILS} AS n, '${CITATION}' AS citation`;

const rowSql = (name: string, match: string, mm: string, sd: string): string => `
  SELECT ${SAMPLE}, 17 AS age_min, 18 AS age_max, year, 'general' AS population, '${name}' AS measurement,
    '${match}' AS match, 1 AS is_best, round(${mm}, 1) AS mean_mm, ${sd} AS sd_mm, NULL AS p5_mm, NULL AS p50_mm,
    NULL AS p95_mm, 0 AS sex_assumed, 0 AS check_definition, 0 AS check_figure, 1 AS from_means FROM oldest`;

const STUDIES_SQL = `${[
  rowSql('SittingHeight', 'exact', 'ratio * stature_mm', 'sd_mm'),
  ...Object.entries(DERIVED).map(([name, { of, men, women }]) => {
    const share = `CASE gender WHEN 'Male' THEN ${men} ELSE ${women} END`;
    return rowSql(name, 'close', `(${of}) * stature_mm * ${share}`, 'NULL');
  }),
].join(' UNION ALL ')} ORDER BY study_id, gender, measurement`;

const DRIVERS_SQL = `
  SELECT ${SAMPLE}, stature_mm, NULL AS stature_sd_mm, study_id AS stature_from, NULL AS mass_kg,
    NULL AS mass_sd_kg, NULL AS mass_from, NULL AS bmi, NULL AS bmi_sd, NULL AS part_of
  FROM oldest ORDER BY study_id, gender`;

/** Sitting height of Japanese pupils of 5 to 17 years over stature. */
export const JAPAN_SCHOOL: Importer = {
  source: 'japan-school',
  files: [
    {
      label: 'sitting height over stature of Japanese pupils',
      rows: 42,
      numbers: ['age_mean', 'sitting_height_sd_cm', 'sitting_height_per_stature'],
      texts: ['gender', 'year'],
      figures: [
        ['ratio', 'min(sitting_height_per_stature)', 0.53, 0.535],
        ['SD in cm', 'max(sitting_height_sd_cm)', 4, 5],
      ],
    },
    {
      label: 'NCD-RisC 2020 height at 5 to 19 by country in 2019',
      rows: 6000,
      numbers: ['age_years', 'mean_mm'],
      texts: ['country', 'gender'],
      figures: [['ages', 'max(age_years)', 19, 19]],
    },
  ],
  build: async ({ connection, tables: [ratios = '', heights = ''] }) => {
    await connection.run(`CREATE TABLE pupils AS SELECT gender, age_mean AS age_years,
      CAST(right(year, 4) AS INTEGER) AS year, sitting_height_per_stature AS ratio,
      round(10 * sitting_height_sd_cm, 1) AS sd_mm FROM ${ratios}`);
    await connection.run(`CREATE TABLE oldest AS SELECT pupils.*, mean_mm AS stature_mm
      FROM pupils JOIN ${heights} h USING (gender)
      WHERE h.country = 'JP' AND h.age_years = 17 AND pupils.age_years = 17.5`);
    return [
      await namedTable(
        connection,
        'sitting_height.csv',
        [
          ['country', 'country code of the service'],
          ['gender', 'Male or Female'],
          ['year', 'year of measurement'],
          ['age_years', 'mean age, years'],
          ['ratio', 'mean sitting height over mean stature'],
          ['sd_mm', 'standard deviation of sitting height, mm'],
        ],
        `SELECT 'JP' AS country, * FROM pupils ORDER BY gender, year, age_years`,
      ),
      await namedTable(connection, 'studies.csv', STUDY_COLUMNS, STUDIES_SQL),
      await namedTable(connection, 'drivers.csv', DRIVER_COLUMNS, DRIVERS_SQL),
    ];
  },
};
