import {
  BOTH_GENDERS,
  COUNTRY_COLUMN,
  genderColumn,
  ofGender,
  publishedImporter,
} from '../published.js';

/** People of every country in 2022 by gender and five-year age group. */
// biome-ignore format: a row is a line
export const WPP_2022 = publishedImporter({
  source: 'wpp2022',
  files: [{ label: 'population by country and age group', numbers: ['men_thousand', 'women_thousand'], texts: ['country', 'age_group'], rows: 2992, figures: [
    ['population of all countries (thousands)', 'sum(men_thousand + women_thousand)', 7_800_000, 8_000_000],
    ['smallest age group (thousands)', 'min(least(men_thousand, women_thousand))', 0, 1],
    ['age groups', 'count(DISTINCT age_group)', 17, 17],
  ] }],
  countries: { column: 'country', codes: 'code' },
  outputs: {
    'population.csv': {
      from: (table) => `${table} JOIN countries ON country = code ${BOTH_GENDERS}`,
      columns: [
        COUNTRY_COLUMN,
        genderColumn('gender'),
        ['age_min', 'first age of the group, completed years; 80 is the open group', "CAST(regexp_extract(age_group, '^\\d+') AS INTEGER)"],
        // The column is text, because numbers are written with only seven digits.
        ['persons', 'people of the group', `CAST(CAST(round(${ofGender('men_thousand', 'women_thousand')} * 1000) AS BIGINT) AS VARCHAR)`],
      ],
    },
  },
});
