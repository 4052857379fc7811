import type { Importer } from '../importer.js';
import { genderColumn, publishedImporter } from '../published.js';

/** WHO growth reference 2007: BMI for age at the birthdays from 5 to 19 years. */
export const WHO_2007: Importer = publishedImporter({
  source: 'who2007',
  title: 'WHO growth reference 2007, BMI for age, LMS parameters',
  citation:
    'de Onis M and others. Development of a WHO growth reference for school-aged children and adolescents. Bulletin of the World Health Organization 2007;85:660-667.',
  licence:
    'Published reference values of the World Health Organization. WHO: terms for commercial use could not be read; operators may leave the source out with `--without <source>`.',
  notes: [
    'Typed over from the expanded tables of WHO; the first row is at 61 months, where the reference begins.',
    'Used only to read the fits of `ncdrisc-2024-bmi-children`, whose classes have these limits.',
    'The value at z SD is M × (1 + L × S × z) to the power of 1 ÷ L.',
  ],
  files: [
    {
      label: 'WHO 2007 BMI for age, LMS at birthdays',
      numbers: ['sex', 'month', 'l', 'm', 's'],
      rows: 30,
      // biome-ignore format: a row is a line
      figures: [
        ['first month', 'min(month)', 61, 61],
        ['last month', 'max(month)', 228, 228],
        // At 19 years, the reference has the limits of adults, 25 and 30 kg/m² (de Onis 2007).
        ['BMI at +1 SD at 19 years (kg/m2)', 'avg(m * pow(1 + l * s, 1 / l))', 25, 25.5, 'month = 228'],
        ['BMI at +2 SD at 19 years (kg/m2)', 'avg(m * pow(1 + 2 * l * s, 1 / l))', 29.5, 30, 'month = 228'],
      ],
    },
  ],
  outputs: [
    {
      file: 'bmi_lms.csv',
      columns: [
        genderColumn("CASE sex WHEN 1 THEN 'Male' WHEN 2 THEN 'Female' END"),
        ['age_months', 'age in months', 'CAST(month AS INTEGER)'],
        ['l', 'Box-Cox power', 'l'],
        ['m', 'median BMI, kg/m2', 'm'],
        ['s', 'coefficient of variation', 's'],
      ],
      orderBy: ['gender', 'age_months'],
    },
  ],
});
