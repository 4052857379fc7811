import { COUNTRY_COLUMN, publishedImporter } from '../published.js';

/** Countries without a survey of children in the editions of 2024 and of 2021, most of them rich. */
const ABSENT_2024 =
  'AE AG AS AT BH BS CH CK CY DK DM ES FI FM FR GD HK HR HU IE IL IS IT KN LU MT NO NU NZ PF PW QA SE SI SK TW VC'.split(
    ' ',
  );
const ABSENT_2021 = ['BE', 'EE', 'GR', 'LT', 'LV', 'NL', 'PT', 'RU', 'UK', ...ABSENT_2024];

/** Joint Child Malnutrition Estimates 2021: national shares of wasted and overweight children. */
// biome-ignore format: a row is a line
export const JME_2021 = publishedImporter({
  source: 'jme2021',
  files: [{ label: 'JME 2021 national surveys', numbers: ['year', 'wasting_percent', 'overweight_percent'], texts: ['iso3', 'source'], rows: 614, figures: [
    ['wasted children of India in 2015, percent (published: 20.8)', 'avg(wasting_percent)', 20, 22, `iso3 = 'IND' AND year = 2015`],
    ['largest share of wasted, percent', 'max(wasting_percent)', 20, 30],
  ] }],
  countries: { column: 'iso3', codes: 'iso3', absent: ABSENT_2021 },
  outputs: {
    'weight_for_height.csv': {
      where: 'year >= 2000 AND wasting_percent IS NOT NULL AND overweight_percent IS NOT NULL',
      columns: [
        COUNTRY_COLUMN,
        ['year', 'year of the survey', 'CAST(year AS INTEGER)'],
        ['survey', 'kind of survey', 'source'],
        ['wasting', 'share of wasted children, 0 to 1', 'round(wasting_percent / 100, 5)'],
        ['overweight', 'share of overweight children, 0 to 1', 'round(overweight_percent / 100, 5)'],
      ],
    },
  },
});

/** Joint Child Malnutrition Estimates 2024: shares of stunted and overweight children in national surveys. */
// biome-ignore format: a row is a line
export const JME_2024 = publishedImporter({
  source: 'jme2024',
  files: [{ label: 'JME 2024 surveys of children of 0 to 59 months', numbers: ['year', 'age_min_months', 'age_max_months', 'prevalence_percent', 'standard_error'],
    texts: ['iso3', 'source', 'indicator', 'gender', 'who_survey_id'], rows: 28_452, figures: [
    ['stunted children of Nigeria in 2018, percent (published: 37)', 'avg(prevalence_percent)', 34, 40, `iso3 = 'NGA' AND year = 2018 AND indicator = 'stunting' AND gender = 'Both' AND age_min_months = 0 AND age_max_months = 59`],
    ['largest share, percent', 'max(prevalence_percent)', 60, 100],
    ['first year', 'min(year)', 2000, 2000],
  ] }],
  countries: { column: 'iso3', codes: 'iso3', absent: ABSENT_2024 },
  outputs: {
    'malnutrition.csv': {
      where: `(gender = 'Both' OR indicator = 'stunting') AND NOT (age_min_months = 0 AND age_max_months = 59)`,
      columns: [
        COUNTRY_COLUMN,
        ['year', 'year of the survey', 'CAST(year AS INTEGER)'],
        ['survey', 'number of the survey at WHO', 'who_survey_id'],
        ['indicator', 'stunting or overweight', 'indicator'],
        ['gender', 'Male, Female, or Both', 'gender'],
        ['age_min_months', 'first month of the band', 'CAST(age_min_months AS INTEGER)'],
        ['age_max_months', 'last month of the band', 'CAST(age_max_months AS INTEGER)'],
        ['share', 'share of the children, 0 to 1', 'round(prevalence_percent / 100, 5)'],
        ['se', 'standard error of the share', 'round(standard_error / 100, 5)'],
      ],
    },
  },
});

/** Joint low birthweight estimates of UNICEF and WHO 2023: share of live births below 2,500 g by country. */
// biome-ignore format: a row is a line
export const LBW_2023 = publishedImporter({
  source: 'lbw2023',
  files: [{ label: 'low birthweight 2010 and 2020 by country', numbers: ['year', 'below_2500_g_percent', 'low', 'high', 'predicted'], texts: ['iso3'], rows: 390, figures: [
    ['India in 2020, percent (published: 27.4)', 'avg(below_2500_g_percent)', 27.3, 27.6, `iso3 = 'IND' AND year = 2020`],
    ['largest share, percent', 'max(below_2500_g_percent)', 25, 35],
  ] }],
  countries: { column: 'iso3', codes: 'iso3', absent: ['AS', 'HK', 'PF', 'TW'] },
  outputs: {
    'low_birth_weight.csv': [
      COUNTRY_COLUMN,
      ['year', 'year of birth', 'CAST(year AS INTEGER)'],
      ['share', 'share of live births below 2,500 g, 0 to 1', 'round(below_2500_g_percent / 100, 5)'],
      ['share_low', 'lower end of the 95 % interval', 'round(low / 100, 5)'],
      ['share_high', 'upper end of the 95 % interval', 'round(high / 100, 5)'],
      ['predicted', '1 where the country has no data', 'CAST(predicted AS INTEGER)'],
    ],
  },
});
