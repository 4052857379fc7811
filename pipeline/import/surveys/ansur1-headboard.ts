import type { Importer } from '../importer.js';
import { queryTable, tableColumns } from '../published.js';

const ROWS = 89;

/** Head and face dimensions of ANSUR 1988, taken with the headboard. */
export const ANSUR1_HEADBOARD: Importer = {
  source: 'ansur1-headboard',
  title: 'ANSUR 1988 headboard, head and face dimensions',
  citation:
    'Gordon CC et al. 1988 Anthropometric Survey of U.S. Army Personnel: Methods and Summary Statistics. NATICK/TR-89/044, 1989.',
  licence: 'Work of the US Government, released to the public (public domain in the USA).',
  notes: [
    'Published means and standard deviations. Head in the Frankfort plane; distances to the back and to the top of the head. The value of women for pronasale to top of head could not be read in the report and is absent.',
  ],
  files: [
    {
      label: `ANSUR 1988 headboard summary (CSV, ${ROWS} rows)`,
      numbers: ['n', 'mean_mm', 'sd_mm'],
      texts: ['dimension', 'sex'],
      minimumRows: ROWS,
      maximumRows: ROWS,
      figures: [
        {
          what: 'mean tragion to back of head of men in mm (published: 98.9)',
          sql: 'max(mean_mm)',
          where: `dimension = 'tragion_back_of_head' AND sex = 'M'`,
          low: 98.9,
          high: 98.9,
        },
        { what: 'median of mean_mm', sql: 'median(mean_mm)', low: 90, high: 190 },
        { what: 'median of sd_mm', sql: 'median(sd_mm)', low: 4, high: 10 },
      ],
    },
  ],
  async build({ connection, tables }) {
    const columns = tableColumns([
      ['dimension', 'dimension as the report names it'],
      ['gender', 'Male or Female'],
      ['n', 'people measured'],
      ['mean_mm', 'mean, mm'],
      ['sd_mm', 'standard deviation, mm'],
    ]);
    const sql = `
      SELECT dimension, CASE sex WHEN 'M' THEN 'Male' ELSE 'Female' END AS gender, n, mean_mm, sd_mm
      FROM ${tables[0] ?? ''} ORDER BY dimension, gender`;
    return [await queryTable(connection, 'headboard.csv', columns, sql)];
  },
};
