import { COUNTRY_CODES } from '../../../src/core/countries.js';
import type { FigureCheck } from '../importer.js';
import {
  ageGroupColumns,
  COUNTRY_COLUMN,
  genderColumn,
  type PublishedColumn,
  publishedImporter,
} from '../published.js';

/**
 * SQL condition for a gamma fit of BMI that describes people. The search for the two parameters can stop far away from
 * them. The mean (kg/m²) and SD ÷ mean of such a fit are impossible for a population.
 */
const SANE_FIT =
  'converged = 1 AND bmi_mean BETWEEN 12 AND 45 AND bmi_sd / bmi_mean BETWEEN 0.05 AND 0.4';

/** Input columns of the two tables from which bad fits are left out, and a check of both tables. */
const NUMBERS = ['k', 'theta', 'bmi_mean', 'bmi_sd', 'converged'];
const MEANS_AGREE: FigureCheck = [
  'largest distance of k * theta from bmi_mean among sane fits',
  'max(abs(k * theta - bmi_mean))',
  0,
  0.05,
  SANE_FIT,
];

const GAMMA = [
  ['shape', 'shape of the gamma distribution', 'k'],
  ['scale', 'scale of the gamma distribution, kg/m2', 'theta'],
] as const;
const MOMENTS = [
  ['mean', 'mean BMI, kg/m2', 'bmi_mean'],
  ['sd', 'standard deviation of BMI, kg/m2', 'bmi_sd'],
] as const;
const BY_YEAR = [
  COUNTRY_COLUMN,
  genderColumn('gender'),
  ['year', 'year that the fit describes', 'CAST(year AS INTEGER)'],
  ...ageGroupColumns('age_group'),
] as const;
const BY_AGE = [
  COUNTRY_COLUMN,
  genderColumn('gender'),
  ['age_years', 'age in completed years', 'CAST(age AS INTEGER)'],
] as const;

/** The table of sane fits, and the table of the others. */
function saneAndDropped(file: string, group: readonly PublishedColumn[]) {
  const ended = '1 if the search for the parameters ended';
  const converged = ['converged', ended, 'CAST(converged AS INTEGER)'] as const;
  const dropped = [...group, ...MOMENTS, converged];
  return {
    [file]: { columns: [...group, ...GAMMA, ...MOMENTS], where: SANE_FIT },
    'dropped.csv': { columns: dropped, where: `NOT (${SANE_FIT})` },
  };
}

/** Gamma distributions of BMI in 2022 by country, gender and age. */
// biome-ignore format: a row is a line
export const NCDRISC_2024_BMI = publishedImporter({
  source: 'ncdrisc-2024-bmi',
  files: [{ label: 'gamma fits of BMI 2022 by country, age and sex', numbers: ['k', 'theta', 'bmi_mean', 'bmi_sd'], texts: ['iso3', 'sex', 'age'], rows: 7600, figures: [
    ['median of bmi_mean (kg/m2)', 'median(bmi_mean)', 23, 29],
    ['largest distance of k * theta from bmi_mean', 'max(abs(k * theta - bmi_mean))', 0, 0.01],
    ['largest distance of sqrt(k) * theta from bmi_sd', 'max(abs(sqrt(k) * theta - bmi_sd))', 0, 0.01],
  ] }],
  countries: { column: 'iso3', codes: 'iso3', absent: ['HK'] },
  outputs: {
    'bmi_gamma.csv': [
      COUNTRY_COLUMN,
      genderColumn('sex'),
      ...ageGroupColumns('age'),
      ...GAMMA,
      ...MOMENTS,
    ],
  },
});

/** Gamma distributions of adults' BMI from 1990 to 2022 by country, gender and age group. */
// biome-ignore format: a row is a line
export const NCDRISC_2024_BMI_YEARS = publishedImporter({
  source: 'ncdrisc-2024-bmi-years',
  files: [{ label: "gamma fits of adults' BMI by country, sex, year and age", numbers: ['year', ...NUMBERS],
    texts: ['country', 'gender', 'age_group'], rows: 47_250, figures: [
    ['median of bmi_mean (kg/m2)', 'median(bmi_mean)', 23, 28],
    ['first year', 'min(year)', 1990, 1990],
    ['last year', 'max(year)', 2022, 2022],
    MEANS_AGREE,
  ] }],
  countries: { column: 'country', codes: 'code', absent: ['HK'] },
  outputs: saneAndDropped('bmi_gamma_by_year.csv', BY_YEAR),
});

/** Gamma distributions of the BMI of children of 5 to 19 years in 2022, by country and gender. */
// biome-ignore format: a row is a line
export const NCDRISC_2024_BMI_CHILDREN = publishedImporter({
  source: 'ncdrisc-2024-bmi-children',
  files: [{ label: "gamma fits of children's BMI by country, sex and age", numbers: ['age', ...NUMBERS], texts: ['country', 'gender'], rows: 5250, figures: [
    ['median of bmi_mean (kg/m2)', 'median(bmi_mean)', 16, 21],
    ['first age', 'min(age)', 5, 5],
    ['last age', 'max(age)', 19, 19],
    MEANS_AGREE,
  ] }],
  countries: { column: 'country', codes: 'code', absent: ['HK'] },
  outputs: saneAndDropped('bmi_gamma_by_age.csv', BY_AGE),
});

/** The classes of adults and of children in their order. */
const ADULTS = ['lt18_5', 'b18_5_20', 'b20_25', 'b25_30', 'b30_35', 'b35_40', 'ge40'];
const CHILDREN = ['lt_m2sd', 'm2_m1sd', 'm1_p1sd', 'p1_p2sd', 'gt_p2sd'];
/** Columns of the shares of people, and of the 95 % intervals that the file has. */
const sharesOf = (classes: readonly string[], printed: readonly string[]): PublishedColumn[] => [
  ...classes.map((name) => [name, 'share of people in the class, 0 to 1', name] as const),
  ...printed.flatMap((name) =>
    ['lo95', 'hi95'].map((end) => {
      const column = `${name}_${end}`;
      return [column, `end of the 95 % interval of ${name}`, column] as const;
    }),
  ),
];
const ADULT_SHARES = sharesOf([...ADULTS, 'ge30'], ['lt18_5', 'b18_5_20', 'ge30', 'ge40']);
const CHILD_SHARES = sharesOf(CHILDREN, CHILDREN);

const YEAR = ['year', 'year that the shares describe', 'CAST(year AS INTEGER)'] as const;
const BY_COUNTRY = [COUNTRY_COLUMN, genderColumn('gender'), YEAR];

/** A file of shares by country, gender and year. The classes of a row sum to 1. */
function classFile(label: string, columns: readonly PublishedColumn[], classes: string[]) {
  const off = `max(abs(${classes.join(' + ')} - 1))`;
  const sums: FigureCheck = ['largest distance of the sum of the classes from 1', off, 0, 0.001];
  const numbers = ['year', ...columns.map(([name]) => name)];
  return { label, rows: 3600, numbers, texts: ['gender', 'iso3'], figures: [sums] };
}

/** Shares of adults and children in NCD-RisC's own classes of BMI, from 1990 to 2022. */
// biome-ignore format: a row is a line
export const NCDRISC_2024_CLASSES = publishedImporter({
  source: 'ncdrisc-2024-classes',
  files: [
    classFile("classes of adults' BMI by country, gender and year", ADULT_SHARES, ADULTS),
    classFile("classes of children's BMI by country, gender and year", CHILD_SHARES, CHILDREN),
  ],
  countries: { column: 'iso3', codes: 'iso3', absent: ['HK'] },
  outputs: {
    'adults.csv': [...BY_COUNTRY, ...ADULT_SHARES],
    'children.csv': { input: 1, columns: [...BY_COUNTRY, ...CHILD_SHARES] },
  },
});

/** Shares of thin adults by age, in the edition of 2026. */
// biome-ignore format: a row is a line
export const NCDRISC_2026_THIN = publishedImporter({
  source: 'ncdrisc-2026-thin',
  files: [{ label: 'shares under 18.5 and of 18.5 to 20 kg/m2 by country, gender and age', numbers: ['year', 'age_min', 'age_max', 'lt18_5', 'b18_5_20'],
    texts: ['iso3', 'gender'], rows: 360, figures: [
    ['largest share under 18.5', 'max(lt18_5)', 0.3, 0.6],
  ] }],
  countries: { column: 'iso3', codes: 'iso3', absent: COUNTRY_CODES },
  outputs: {
    'thin_by_age.csv': [
      COUNTRY_COLUMN,
      genderColumn('gender'),
      ['age_min', 'first age of the group, completed years', 'CAST(age_min AS INTEGER)'],
      ['age_max', 'last age; 120 for the open group', 'CAST(age_max AS INTEGER)'],
      ...sharesOf(ADULTS.slice(0, 2), []),
    ],
  },
});
