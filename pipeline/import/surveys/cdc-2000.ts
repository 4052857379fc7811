import type { FigureCheck, Importer } from '../importer.js';
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
  return [
    `largest median of ${item}, ${sex} (cm, kg)`,
    'max(mu)',
    low,
    high,
    `item = '${item}' AND sex = '${sex}'`,
  ];
}

/** SQL of a value that depends on the item; null for items that are not used. */
function byItem(value: (row: (typeof MEASURES)[number]) => string): string {
  return `CASE item ${MEASURES.map((row) => `WHEN '${row[1]}' THEN ${value(row)}`).join(' ')} END`;
}

/** CDC 2000 growth reference: LMS parameters by age and gender. */
export const CDC_2000: Importer = publishedImporter({
  source: 'cdc2000',
  title: 'CDC 2000 growth charts, LMS parameters',
  citation:
    'Kuczmarski RJ et al. 2000 CDC growth charts for the United States: methods and development. Vital and Health Statistics 11(246), 2002.',
  licence: 'Public domain (CDC/NCHS).',
  notes: [
    'Box-Cox power L, median M and coefficient of variation S. Weight-for-length is left out. The stature curve ends at 20 years, length at 3 years.',
  ],
  files: [
    {
      label: 'CDC 2000 LMS table in long form',
      numbers: ['age', 'mu', 'sigma', 'nu'],
      texts: ['item', 'sex'],
      rows: 1748,
      figures: [
        // Published medians at 20 years: 176.8 cm and 163.3 cm.
        largestMedian('height2_20', 'male', 176.7, 177),
        largestMedian('height2_20', 'female', 163.2, 163.5),
        largestMedian('height0_3', 'male', 93, 99),
        largestMedian('weight', 'male', 13.5, 15.5),
        largestMedian('weight2_20', 'male', 70, 71.5),
        largestMedian('hc', 'male', 49, 50.5),
        largestMedian('bmi', 'male', 22.5, 23.5),
        ['largest sigma', 'max(sigma)', 0.1, 0.3],
      ],
    },
  ],
  outputs: [
    {
      file: 'lms.csv',
      // biome-ignore format: a row is a line
      columns: [
        ['measure', 'measure with its unit; bmi in kg/m2', byItem(([measure]) => `'${measure}'`)],
        genderColumn("CASE sex WHEN 'male' THEN 'Male' WHEN 'female' THEN 'Female' END"),
        ['age_years', 'age in years', 'age'],
        ['l', 'Box-Cox power', 'nu'],
        ['m', 'median, in the unit of the measure', `mu * ${byItem(([, , factor]) => `${factor}`)}`],
        ['s', 'coefficient of variation', 'sigma'],
      ],
      where: 'measure IS NOT NULL',
      orderBy: ['measure', 'gender', 'age_years'],
    },
  ],
});
