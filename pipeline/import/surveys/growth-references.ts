import type { FigureCheck } from '../importer.js';
import { genderColumn, publishedImporter } from '../published.js';

/** Measure in the output, item in the input, and factor from the input's unit. */
const MEASURES = [
  ['recumbent_length_mm', 'height0_3', 10],
  ['head_girth_mm', 'hc', 10],
  ['body_mass_0_3_kg', 'weight', 1],
  ['body_mass_2_20_kg', 'weight2_20', 1],
  ['stature_mm', 'height2_20', 10],
  ['bmi', 'bmi', 1],
] as const;

function largestMedian(item: string, sex: string, low: number, high: number): FigureCheck {
  const where = `item = '${item}' AND sex = '${sex}'`;
  return [`largest median of ${item}, ${sex} (cm, kg)`, 'max(mu)', low, high, where];
}

/** SQL of a value that depends on the item; null for items that are not used. */
function byItem(value: (row: (typeof MEASURES)[number]) => string): string {
  return `CASE item ${MEASURES.map((row) => `WHEN '${row[1]}' THEN ${value(row)}`).join(' ')} END`;
}

/** CDC 2000 growth reference: LMS parameters by age and gender. */
// biome-ignore format: a row is a line
export const CDC_2000 = publishedImporter({
  source: 'cdc2000',
  files: [{ label: 'CDC 2000 LMS table in long form', numbers: ['age', 'mu', 'sigma', 'nu'], texts: ['item', 'sex'], rows: 1748, figures: [
    // Published medians at 20 years: 176.8 cm and 163.3 cm.
    largestMedian('height2_20', 'male', 176.7, 177),
    largestMedian('height2_20', 'female', 163.2, 163.5),
    largestMedian('height0_3', 'male', 93, 99),
    largestMedian('weight', 'male', 13.5, 15.5),
    largestMedian('weight2_20', 'male', 70, 71.5),
    largestMedian('hc', 'male', 49, 50.5),
    largestMedian('bmi', 'male', 22.5, 23.5),
    ['largest sigma', 'max(sigma)', 0.1, 0.3],
  ] }],
  outputs: {
    'lms.csv': {
      where: 'measure IS NOT NULL',
      columns: [
        ['measure', 'measure with its unit; bmi in kg/m2', byItem(([measure]) => `'${measure}'`)],
        genderColumn("CASE sex WHEN 'male' THEN 'Male' WHEN 'female' THEN 'Female' END"),
        ['age_years', 'age in years', 'age'],
        ['l', 'Box-Cox power', 'nu'],
        ['m', 'median, in the unit of the measure', `mu * ${byItem(([, , factor]) => `${factor}`)}`],
        ['s', 'coefficient of variation', 'sigma'],
      ],
    },
  },
});

/** WHO growth standards 2006: LMS parameters at whole months from 0 to 60, and of the first 91 days. */
// biome-ignore format: a row is a line
export const WHO_2006 = publishedImporter({
  source: 'who2006',
  files: [
    { label: 'WHO 2006 LMS at whole months', numbers: ['age_months', 'l', 'm', 's'], texts: ['measure', 'gender'], rows: 604, figures: [
      ['length of boys at birth in cm (published: 49.88)', 'avg(m)', 49.8, 49.95, `measure = 'length_or_height_cm' AND gender = 'Male' AND age_months = 0`],
      ['height of girls at 60 months in cm (published: 109.4)', 'avg(m)', 109.2, 109.6, `measure = 'length_or_height_cm' AND gender = 'Female' AND age_months = 60`],
    ] },
    { label: 'WHO 2006 LMS by day, 0 to 91', numbers: ['age_days', 'l', 'm', 's'], texts: ['measure', 'gender'], rows: 552, figures: [
      ['oldest day', 'max(age_days)', 91, 91],
    ] },
  ],
  outputs: {
    'lms.csv': {
      from: (months) => `(SELECT measure, gender, age_months, l, m, s FROM ${months}
        UNION ALL SELECT measure, gender, round(age_days / 30.4375, 4), l, m, s
        FROM input_2 WHERE age_days > 0)`,
      columns: [
        ['measure', 'quantity and unit', 'measure'],
        genderColumn('gender'),
        ['age_months', 'age in months', 'age_months'],
        ['l', 'Box-Cox power', 'l'],
        ['m', 'median, in the unit of the measure', 'm'],
        ['s', 'coefficient of variation', 's'],
      ],
    },
  },
});

/** WHO growth reference 2007: BMI for age at the birthdays from 5 to 19 years. */
// biome-ignore format: a row is a line
export const WHO_2007 = publishedImporter({
  source: 'who2007',
  files: [{ label: 'WHO 2007 BMI for age, LMS at birthdays', numbers: ['sex', 'month', 'l', 'm', 's'], rows: 30, figures: [
    ['first month', 'min(month)', 61, 61],
    ['last month', 'max(month)', 228, 228],
    // At 19 years, the reference has the limits of adults, 25 and 30 kg/m² (de Onis 2007).
    ['BMI at +1 SD at 19 years (kg/m2)', 'avg(m * pow(1 + l * s, 1 / l))', 25, 25.5, 'month = 228'],
    ['BMI at +2 SD at 19 years (kg/m2)', 'avg(m * pow(1 + 2 * l * s, 1 / l))', 29.5, 30, 'month = 228'],
  ] }],
  outputs: {
    'bmi_lms.csv': [
      genderColumn("CASE sex WHEN 1 THEN 'Male' WHEN 2 THEN 'Female' END"),
      ['age_months', 'age in months', 'CAST(month AS INTEGER)'],
      ['l', 'Box-Cox power', 'l'],
      ['m', 'median BMI, kg/m2', 'm'],
      ['s', 'coefficient of variation', 's'],
    ],
  },
});
