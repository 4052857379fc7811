import type { Importer } from '../importer.js';
import { COUNTRY_COLUMN, publishedImporter } from '../published.js';

/** Countries without a survey of children, most of them rich. */
const ABSENT =
  'AE AG AS AT BH BS CH CK CY DK DM ES FI FM FR GD HK HR HU IE IL IS IT KN LU MT NO NU NZ PF PW QA SE SI SK TW VC'.split(
    ' ',
  );

/** Joint Child Malnutrition Estimates 2024: shares of stunted and overweight children in national surveys. */
export const JME_2024: Importer = publishedImporter({
  source: 'jme2024',
  title: 'Joint Child Malnutrition Estimates 2024, national surveys of children under 5 years',
  citation:
    'UNICEF, World Health Organization and World Bank Group. Joint Child Malnutrition Estimates, country-level input data, edition 2024. Repository WorldHealthOrganization/mnf-sdg-stunting-overweight, commit 76c29f96.',
  licence: 'CC BY 4.0.',
  notes: [
    'Stunted: more than 2 SD below the median height for age of the WHO growth standards 2006. Overweight: more than 2 SD above their median weight for height. Both genders together, and of stunting each gender, by band of age.',
    'Surveys since 2000. Nineteen surveys are kept apart by the team as judges.',
  ],
  files: [
    {
      label: 'JME 2024 surveys of children of 0 to 59 months',
      numbers: ['year', 'age_min_months', 'age_max_months', 'prevalence_percent', 'standard_error'],
      texts: ['iso3', 'source', 'indicator', 'gender', 'who_survey_id'],
      rows: 28_452,
      figures: [
        [
          'stunted children of Nigeria in 2018, percent (published: 37)',
          'avg(prevalence_percent)',
          34,
          40,
          `iso3 = 'NGA' AND year = 2018 AND indicator = 'stunting' AND gender = 'Both' AND age_min_months = 0 AND age_max_months = 59`,
        ],
        ['largest share, percent', 'max(prevalence_percent)', 60, 100],
        ['first year', 'min(year)', 2000, 2000],
      ],
    },
  ],
  countries: { column: 'iso3', codes: 'iso3', absent: ABSENT },
  outputs: [
    {
      file: 'malnutrition.csv',
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
      where: `(gender = 'Both' OR indicator = 'stunting') AND NOT (age_min_months = 0 AND age_max_months = 59)`,
      orderBy: ['country', 'year', 'survey', 'indicator', 'gender', 'age_min_months'],
    },
  ],
});
