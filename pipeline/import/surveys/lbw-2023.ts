import type { Importer } from '../importer.js';
import { COUNTRY_COLUMN, publishedImporter } from '../published.js';

/** Joint low birthweight estimates of UNICEF and WHO 2023: share of live births below 2,500 g by country. */
export const LBW_2023: Importer = publishedImporter({
  source: 'lbw2023',
  title: 'Joint low birthweight estimates 2023, share of live births below 2,500 g',
  citation:
    'UNICEF, World Health Organization. Joint low birthweight estimates, edition 2023: national estimates 2010 and 2020. Repository WorldHealthOrganization/mca-pretermbirths-analysis, commit 4c3954d2.',
  licence:
    'Published estimates of UNICEF and the World Health Organization; no licence file could be read. Operators may leave the source out with `--without <source>`.',
  notes: [
    'Below 2,500 g: share of live births, term and preterm, single and multiple. `predicted` is 1 where the country has no data.',
  ],
  files: [
    {
      label: 'low birthweight 2010 and 2020 by country',
      numbers: ['year', 'below_2500_g_percent', 'low', 'high', 'predicted'],
      texts: ['iso3'],
      rows: 390,
      // biome-ignore format: a row is a line
      figures: [
        ['India in 2020, percent (published: 27.4)', 'avg(below_2500_g_percent)', 27.3, 27.6, `iso3 = 'IND' AND year = 2020`],
        ['largest share, percent', 'max(below_2500_g_percent)', 25, 35],
      ],
    },
  ],
  countries: { column: 'iso3', codes: 'iso3', absent: ['AS', 'HK', 'PF', 'TW'] },
  outputs: [
    {
      file: 'low_birth_weight.csv',
      // biome-ignore format: a row is a line
      columns: [
        COUNTRY_COLUMN,
        ['year', 'year of birth', 'CAST(year AS INTEGER)'],
        ['share', 'share of live births below 2,500 g, 0 to 1', 'round(below_2500_g_percent / 100, 5)'],
        ['share_low', 'lower end of the 95 % interval', 'round(low / 100, 5)'],
        ['share_high', 'upper end of the 95 % interval', 'round(high / 100, 5)'],
        ['predicted', '1 where the country has no data', 'CAST(predicted AS INTEGER)'],
      ],
      orderBy: ['country', 'year'],
    },
  ],
});
