import type { Importer } from '../importer.js';
import {
  COUNTRY_COLUMN,
  genderColumn,
  genderFrom,
  NCDRISC_TERMS,
  publishedImporter,
} from '../published.js';

const MEAN = 'Mean height (cm)';
const LOW = 'Mean height lower 95% uncertainty interval (cm)';
const HIGH = 'Mean height upper 95% uncertainty interval (cm)';

/** NCD-RisC 2016: mean adult height by country, gender and year of birth. */
export const NCDRISC_2016: Importer = publishedImporter({
  source: 'ncdrisc-2016',
  title: 'NCD-RisC 2016, height by year of birth',
  citation:
    'NCD Risk Factor Collaboration. A century of trends in adult human height. eLife 2016;5:e13410.',
  licence: `CC BY 4.0 (the paper). ${NCDRISC_TERMS}`,
  notes: [
    'Mean height at 18 years of the people born in a year. The table has every fourth year of birth from 1896 to 1996. The standard error is the width of the 95 % interval ÷ 3.92.',
  ],
  files: [
    {
      label: 'NCD-RisC 2016 height by country, sex and year of birth',
      numbers: ['Year of birth', MEAN, LOW, HIGH],
      texts: ['ISO', 'Sex'],
      rows: 40_400,
      // biome-ignore format: a row is a line
      figures: [
        ['mean height in cm of Dutch men born 1996 (published: 182.5)', `max("${MEAN}")`, 182.4, 182.7, `ISO = 'NLD' AND Sex = 'Men' AND "Year of birth" = 1996`],
        [
          'mean height in cm of Guatemalan women born 1996 (published: 149.4)',
          `max("${MEAN}")`,
          149.2,
          149.6,
          `ISO = 'GTM' AND Sex = 'Women' AND "Year of birth" = 1996`,
        ],
        ['smallest mean height in cm', `min("${MEAN}")`, 135, 145],
      ],
    },
  ],
  countries: { column: 'ISO', codes: 'iso3' },
  outputs: [
    {
      file: 'height_by_birth_year.csv',
      columns: [
        COUNTRY_COLUMN,
        genderColumn(genderFrom('Sex', 'Men')),
        ['birth_year', 'year of birth', '"Year of birth"'],
        ['mean_mm', 'mean height at 18 years, mm', `"${MEAN}" * 10`],
        ['se_mm', 'standard error of the mean, mm', `("${HIGH}" - "${LOW}") / 3.92 * 10`],
      ],
      where: '("Year of birth" - 1896) % 4 = 0',
      orderBy: ['country', 'gender', 'birth_year'],
    },
  ],
});
