import type { Importer } from '../importer.js';
import { publishedImporter } from '../published.js';

/** Published loss of stature with age. */
export const HEIGHT_LOSS: Importer = publishedImporter({
  source: 'height-loss',
  title: 'Loss of stature with age, longitudinal studies',
  citation: 'A source per row, in the column `citation`.',
  licence: 'Published figures, cited row by row.',
  notes: [
    'The table has only studies with numbers between two ages; studies with a formula or without ages are left out. The Furano cohort pools the genders.',
  ],
  files: [
    {
      label: 'published height loss',
      numbers: [],
      texts: ['source', 'from_age', 'to_age', 'men_cm', 'women_cm'],
      rows: 7,
      // biome-ignore format: a row is a line
      figures: [
        ['loss in cm of men from 30 to 80 (Sorkin 1999: 5)', 'max(TRY_CAST(men_cm AS DOUBLE))', 5, 5, `source LIKE 'Sorkin%' AND to_age = '80'`],
      ],
    },
  ],
  outputs: [
    {
      file: 'height_loss.csv',
      // biome-ignore format: a row is a line
      columns: [
        [
          'citation',
          'study',
          `CASE WHEN source LIKE 'Sorkin 1999%' THEN 'Sorkin 1999, Am J Epidemiol 150:969 (BLSA)'
            ELSE source END`,
        ],
        ['from_age_years', 'first age', 'TRY_CAST(from_age AS DOUBLE)'],
        ['to_age_years', 'second age', 'TRY_CAST(to_age AS DOUBLE)'],
        ['male_mm', 'stature lost between the ages by men, mm', 'TRY_CAST(men_cm AS DOUBLE) * 10'],
        ['female_mm', 'stature lost between the ages by women, mm', 'TRY_CAST(women_cm AS DOUBLE) * 10'],
      ],
      where: `from_age_years IS NOT NULL AND to_age_years IS NOT NULL
        AND male_mm IS NOT NULL AND female_mm IS NOT NULL`,
      orderBy: ['citation', 'from_age_years', 'to_age_years'],
    },
  ],
});
