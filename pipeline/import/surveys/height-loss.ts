import type { Importer } from '../importer.js';
import { queryTable, tableColumns } from '../published.js';

const ROWS = 7;

/** Published loss of stature with age. */
export const HEIGHT_LOSS: Importer = {
  source: 'height-loss',
  title: 'Loss of stature with age, longitudinal studies',
  citation: 'A source per row, in the column `citation`.',
  licence: 'Published figures, cited row by row.',
  notes: [
    'The table has only studies with numbers between two ages; studies with a formula or without ages are left out. The Furano cohort pools the genders.',
  ],
  files: [
    {
      label: `published height loss (CSV, ${ROWS} rows)`,
      numbers: [],
      texts: ['source', 'from_age', 'to_age', 'men_cm', 'women_cm'],
      minimumRows: ROWS,
      maximumRows: ROWS,
      figures: [
        {
          what: 'loss in cm of men from 30 to 80 (Sorkin 1999: 5)',
          sql: 'max(TRY_CAST(men_cm AS DOUBLE))',
          where: `source LIKE 'Sorkin%' AND to_age = '80'`,
          low: 5,
          high: 5,
        },
      ],
    },
  ],
  async build({ connection, tables }) {
    const columns = tableColumns([
      ['citation', 'study'],
      ['from_age_years', 'first age'],
      ['to_age_years', 'second age'],
      ['male_mm', 'stature lost between the ages by men, mm'],
      ['female_mm', 'stature lost between the ages by women, mm'],
    ]);
    const sql = `
      SELECT CASE WHEN source LIKE 'Sorkin 1999%' THEN 'Sorkin 1999, Am J Epidemiol 150:969 (BLSA)'
          ELSE source END AS citation,
        TRY_CAST(from_age AS DOUBLE) AS from_years, TRY_CAST(to_age AS DOUBLE) AS to_years,
        TRY_CAST(men_cm AS DOUBLE) * 10 AS male_mm, TRY_CAST(women_cm AS DOUBLE) * 10 AS female_mm
      FROM ${tables[0] ?? ''}
      WHERE from_years IS NOT NULL AND to_years IS NOT NULL
        AND male_mm IS NOT NULL AND female_mm IS NOT NULL
      ORDER BY citation, from_years, to_years`;
    return [await queryTable(connection, 'height_loss.csv', columns, sql)];
  },
};
