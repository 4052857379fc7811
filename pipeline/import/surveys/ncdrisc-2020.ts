import type { Importer } from '../importer.js';
import {
  defineCountries,
  NCDRISC_TERMS,
  queryTable,
  refuseMissingCountries,
  tableColumns,
} from '../published.js';

const COUNTRY_ROWS = 176;
const REGION_ROWS = 9450;

const HEIGHT_AT_19 = tableColumns([
  ['country', 'country code of the service'],
  ['gender', 'Male or Female'],
  ['mean_mm', 'mean height at 19 years in 2019, mm'],
  ['se_mm', 'standard error of the mean, mm'],
  ['region', 'NCD-RisC region'],
  ['superregion', 'NCD-RisC super-region'],
  ['growth_region', 'region of region_height_by_age.csv'],
]);

const HEIGHT_BY_AGE = tableColumns([
  ['growth_region', 'one of nine regions'],
  ['gender', 'Male or Female'],
  ['age_years', 'age in completed years, 5 to 19'],
  ['mean_mm', 'mean height in 2019, mm'],
  ['se_mm', 'standard error of the mean, mm'],
]);

function heightAt19Sql(table: string): string {
  const half = (gender: string, prefix: string): string => `
    SELECT code AS country, '${gender}' AS gender, ${prefix}_cm * 10 AS mean_mm,
      ${prefix}_se_cm * 10 AS se_mm, trim(regexp_replace(region, '\\(.*\\)', '')) AS region,
      superregion, lancet2020_region_assumed AS growth_region
    FROM (SELECT t.* EXCLUDE (code), countries.code FROM ${table} AS t JOIN countries USING (iso3))`;
  return `SELECT * FROM (${half('Male', 'male')} UNION ALL ${half('Female', 'female')})
    ORDER BY country, gender`;
}

/** NCD-RisC 2020: height at 19 by country and at 5 to 19 by region, in 2019. */
export const NCDRISC_2020: Importer = {
  source: 'ncdrisc-2020',
  title: 'NCD-RisC 2020, height of children and adolescents',
  citation:
    'NCD Risk Factor Collaboration. Height and body-mass index trajectories of school-aged children and adolescents from 1985 to 2019 in 200 countries and territories. Lancet 2020;396:1511-1524.',
  licence: `CC BY 4.0 (the paper). ${NCDRISC_TERMS}`,
  notes: [
    'Height at 19 years in 2019 (born about 2000). A standard error of 30 mm or more means that there are nearly no data. The means differ from those of `ncdrisc-2016` by up to several cm, so the two must not be joined without a correction. The assignment of countries to the growth regions is this project’s own reading of the paper.',
  ],
  files: [
    {
      label: `NCD-RisC 2020 height at 19 by country, with regions (CSV, ${COUNTRY_ROWS} rows)`,
      numbers: ['male_cm', 'female_cm', 'male_se_cm', 'female_se_cm'],
      texts: ['code', 'iso3', 'region', 'superregion', 'lancet2020_region_assumed'],
      minimumRows: COUNTRY_ROWS,
      maximumRows: COUNTRY_ROWS,
      figures: [
        {
          what: 'height in cm at 19 of Dutch men (published: 183.8)',
          sql: 'max(male_cm)',
          where: `iso3 = 'NLD'`,
          low: 183.6,
          high: 184,
        },
        { what: 'median of female_cm', sql: 'median(female_cm)', low: 155, high: 165 },
        { what: 'median of male_se_cm', sql: 'median(male_se_cm)', low: 0.2, high: 2 },
        { what: 'median of female_se_cm', sql: 'median(female_se_cm)', low: 0.2, high: 2 },
      ],
    },
    {
      label: `NCD-RisC 2020 height at 5 to 19 by region (CSV, ${REGION_ROWS} rows)`,
      numbers: ['Year', 'Age group', 'Mean height', 'Mean height standard error'],
      texts: ['Region', 'Sex'],
      minimumRows: REGION_ROWS,
      maximumRows: REGION_ROWS,
      figures: [
        { what: 'last year', sql: 'max("Year")', low: 2019, high: 2019 },
        {
          what: 'median height in cm at 19 in 2019',
          sql: 'median("Mean height")',
          where: '"Year" = 2019 AND "Age group" = 19',
          low: 160,
          high: 172,
        },
        {
          what: 'median standard error in cm',
          sql: 'median("Mean height standard error")',
          low: 0.05,
          high: 1.5,
        },
      ],
    },
  ],
  async build(context) {
    const { connection, tables } = context;
    const [countries = '', regions = ''] = tables;
    await defineCountries(connection);
    await refuseMissingCountries(context, 0, 'iso3');
    const byAge = `
      SELECT "Region" AS growth_region, CASE Sex WHEN 'Boys' THEN 'Male' ELSE 'Female' END AS gender,
        "Age group" AS age_years, "Mean height" * 10, "Mean height standard error" * 10
      FROM ${regions} WHERE "Year" = 2019 ORDER BY growth_region, gender, age_years`;
    return [
      await queryTable(connection, 'height_at_19.csv', HEIGHT_AT_19, heightAt19Sql(countries)),
      await queryTable(connection, 'region_height_by_age.csv', HEIGHT_BY_AGE, byAge),
    ];
  },
};
