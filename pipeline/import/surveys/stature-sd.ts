import type { Importer } from '../importer.js';
import { genderColumn, publishedImporter } from '../published.js';

/** Published standard deviations of adult stature by population. */
export const STATURE_SD: Importer = publishedImporter({
  source: 'stature-sd',
  title: 'Standard deviation of adult stature by population',
  citation: 'A source per row, in the column `citation`.',
  licence: 'Published figures, cited row by row; Subramanian 2011 is CC BY.',
  notes: [
    'The table is a small selection: demographic and health surveys (women 25-49), regional percentiles of 1989 (means rounded to 10 mm, SD = (P95 - P5) / 3.29) and students in Lagos. The SDs of DR Congo (CD) and Congo (CG) are inflated by measurement error; the pooled row includes differences between countries.',
  ],
  files: [
    {
      label: 'SD of stature by population',
      numbers: ['n', 'mean_cm', 'sd_cm'],
      texts: ['code', 'population', 'sex', 'age', 'year', 'kind', 'source'],
      rows: 25,
      figures: [
        ['smallest mean_cm', 'min(mean_cm)', 145, 155],
        ['largest mean_cm', 'max(mean_cm)', 178, 184],
        ['median sd_cm', 'median(sd_cm)', 5.5, 7],
      ],
    },
  ],
  outputs: [
    {
      file: 'stature_sd.csv',
      // biome-ignore format: a row is a line
      columns: [
        ['country', 'country code of the service, or the name of a population of several countries', "CASE WHEN code = '--' THEN population ELSE code END"],
        genderColumn('sex'),
        ['age', 'ages as published', 'age'],
        ['year', 'year or years of measurement', 'year'],
        ['n', 'people measured, empty where not published', 'n'],
        ['mean_mm', 'mean stature, mm', 'mean_cm * 10'],
        ['sd_mm', 'standard deviation of stature, mm', 'sd_cm * 10'],
        ['kind', '`measured`, or `percentiles` where the SD is derived from P5 and P95', "CASE WHEN kind LIKE 'measured%' THEN 'measured' ELSE 'percentiles' END"],
        [
          'citation',
          'where the figures were published',
          `CASE WHEN source LIKE '%Subramanian 2011%'
              THEN 'Subramanian 2011, PLoS ONE 6(4):e18962, Table 1 (CC BY)'
            WHEN source LIKE '%Juergens 1989%'
              THEN 'Juergens 1989, after KAN-Praxis, koerpermass.kan-praxis.de'
            ELSE source END`,
        ],
      ],
      orderBy: ['country', 'gender', 'age', 'mean_mm'],
    },
  ],
});
