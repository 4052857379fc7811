import {
  BOTH_GENDERS,
  COUNTRY_COLUMN,
  genderColumn,
  genderFrom,
  ofGender,
  publishedImporter,
} from '../published.js';

const MEAN = 'Mean height (cm)';
const LOW = 'Mean height lower 95% uncertainty interval (cm)';
const HIGH = 'Mean height upper 95% uncertainty interval (cm)';

/** NCD-RisC 2016: mean adult height by country, gender and year of birth. */
// biome-ignore format: a row is a line
export const NCDRISC_2016 = publishedImporter({
  source: 'ncdrisc-2016',
  files: [{ label: 'NCD-RisC 2016 height by country, sex and year of birth', numbers: ['Year of birth', MEAN, LOW, HIGH], texts: ['ISO', 'Sex'], rows: 40_400, figures: [
    ['mean height in cm of Dutch men born 1996 (published: 182.5)', `max("${MEAN}")`, 182.4, 182.7, `ISO = 'NLD' AND Sex = 'Men' AND "Year of birth" = 1996`],
    ['mean height in cm of Guatemalan women born 1996 (published: 149.4)', `max("${MEAN}")`, 149.2, 149.6, `ISO = 'GTM' AND Sex = 'Women' AND "Year of birth" = 1996`],
    ['smallest mean height in cm', `min("${MEAN}")`, 135, 145],
  ] }],
  countries: { column: 'ISO', codes: 'iso3' },
  outputs: {
    'height_by_birth_year.csv': {
      where: '("Year of birth" - 1896) % 4 = 0',
      columns: [
        COUNTRY_COLUMN,
        genderColumn(genderFrom('Sex', 'Men')),
        ['birth_year', 'year of birth', '"Year of birth"'],
        ['mean_mm', 'mean height at 18 years, mm', `"${MEAN}" * 10`],
        ['se_mm', 'standard error of the mean, mm', `("${HIGH}" - "${LOW}") / 3.92 * 10`],
      ],
    },
  },
});

/** NCD-RisC 2020: height at 19 years in 2019, by country. */
// biome-ignore format: a row is a line
export const NCDRISC_2020 = publishedImporter({
  source: 'ncdrisc-2020',
  files: [
    { label: 'NCD-RisC 2020 height at 19 by country, with regions', numbers: ['male_cm', 'female_cm', 'male_se_cm', 'female_se_cm'],
      texts: ['code', 'iso3', 'region', 'superregion'], rows: 176, figures: [
      ['height in cm at 19 of Dutch men (published: 183.8)', 'max(male_cm)', 183.6, 184, `iso3 = 'NLD'`],
      ['median of female_cm', 'median(female_cm)', 155, 165],
      ['median of male_se_cm', 'median(male_se_cm)', 0.2, 2],
      ['median of female_se_cm', 'median(female_se_cm)', 0.2, 2],
    ] },
  ],
  countries: { column: 'iso3', codes: 'iso3' },
  outputs: {
    'height_at_19.csv': {
      from: (countries) => `${countries} JOIN countries USING (iso3) ${BOTH_GENDERS}`,
      columns: [
        ['country', 'country code of the service', 'countries.code'],
        genderColumn('gender'),
        ['mean_mm', 'mean height at 19 years in 2019, mm', `${ofGender('male_cm', 'female_cm')} * 10`],
        ['se_mm', 'standard error of the mean, mm', `${ofGender('male_se_cm', 'female_se_cm')} * 10`],
        ['region', 'NCD-RisC region', "trim(regexp_replace(region, '\\(.*\\)', ''))"],
        ['superregion', 'NCD-RisC super-region', 'superregion'],
      ],
    },
  },
});

/** NCD-RisC 2020: height at 5 to 19 years in 2019, and at 19 years in 1985 and 2019, by country. */
// biome-ignore format: a row is a line
export const NCDRISC_2020_CHILDREN = publishedImporter({
  source: 'ncdrisc-2020-children',
  files: [
    { label: 'NCD-RisC 2020 height at 5 to 19 by country in 2019', numbers: ['year', 'age_years', 'mean_mm'], texts: ['country', 'gender'], rows: 6000, figures: [
      ['first and only year', 'min(year)', 2019, 2019],
      ['median of mean_mm at 19', 'median(mean_mm)', 1600, 1720, 'age_years = 19'],
      ['median of mean_mm at 5', 'median(mean_mm)', 1060, 1140, 'age_years = 5'],
    ] },
    { label: 'NCD-RisC 2020 height at 19 by country in 1985 and 2019', numbers: ['year', 'mean_mm'], texts: ['country', 'gender'], rows: 800, figures: [
      ['first year', 'min(year)', 1985, 1985],
      ['last year', 'max(year)', 2019, 2019],
      ['median of mean_mm', 'median(mean_mm)', 1600, 1720],
    ] },
  ],
  countries: { column: 'country', codes: 'code' },
  outputs: {
    'height_by_age.csv': [
      COUNTRY_COLUMN,
      genderColumn('gender'),
      ['age_years', 'age in completed years, 5 to 19', 'CAST(age_years AS INTEGER)'],
      ['mean_mm', 'mean height in 2019, mm', 'CAST(mean_mm AS INTEGER)'],
    ],
    'height_at_19_by_year.csv': {
      input: 1,
      columns: [
        COUNTRY_COLUMN,
        genderColumn('gender'),
        ['year', '1985 or 2019', 'CAST(year AS INTEGER)'],
        ['mean_mm', 'mean height at 19 years in that year, mm', 'CAST(mean_mm AS INTEGER)'],
      ],
    },
  },
});
