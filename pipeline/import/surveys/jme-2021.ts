import type { Importer } from '../importer.js';
import { COUNTRY_COLUMN, publishedImporter } from '../published.js';

/** Countries without a survey of children, most of them rich. */
const ABSENT =
  'BE EE GR LT LV NL PT RU UK AE AG AS AT BH BS CH CK CY DK DM ES FI FM FR GD HK HR HU IE IL IS IT KN LU MT NO NU NZ PF PW QA SE SI SK TW VC'.split(
    ' ',
  );

/** Joint Child Malnutrition Estimates 2021: national shares of wasted and overweight children. */
export const JME_2021: Importer = publishedImporter({
  source: 'jme2021',
  title:
    'Joint Child Malnutrition Estimates 2021, national shares of wasted and overweight children',
  citation:
    'UNICEF, World Health Organization and World Bank Group. Joint Child Malnutrition Estimates, country-level survey data, edition 2021. Public copy Mukeshram-07/Global-Malnutrition-PowerBI, commit de5cf5d3.',
  licence: 'CC BY 3.0 IGO.',
  notes: [
    'Wasted: more than 2 SD below the median weight for height of the WHO growth standards 2006. Overweight: more than 2 SD above it. Children of 0 to 59 months, boys and girls together.',
    'Surveys since 2000 with both shares.',
  ],
  files: [
    {
      label: 'JME 2021 national surveys',
      numbers: ['year', 'wasting_percent', 'overweight_percent'],
      texts: ['iso3', 'source'],
      rows: 614,
      // biome-ignore format: a row is a line
      figures: [
        ['wasted children of India in 2015, percent (published: 20.8)', 'avg(wasting_percent)', 20, 22, `iso3 = 'IND' AND year = 2015`],
        ['largest share of wasted, percent', 'max(wasting_percent)', 20, 30],
      ],
    },
  ],
  countries: { column: 'iso3', codes: 'iso3', absent: ABSENT },
  outputs: [
    {
      file: 'weight_for_height.csv',
      // biome-ignore format: a row is a line
      columns: [
        COUNTRY_COLUMN,
        ['year', 'year of the survey', 'CAST(year AS INTEGER)'],
        ['survey', 'kind of survey', 'source'],
        ['wasting', 'share of wasted children, 0 to 1', 'round(wasting_percent / 100, 5)'],
        ['overweight', 'share of overweight children, 0 to 1', 'round(overweight_percent / 100, 5)'],
      ],
      where: 'year >= 2000 AND wasting_percent IS NOT NULL AND overweight_percent IS NOT NULL',
      orderBy: ['country', 'year', 'survey', 'wasting'],
    },
  ],
});
