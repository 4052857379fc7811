import { publishedImporter } from '../published.js';

/** A remark that gives the figure for boots. */
const BOOTS = '^heavy boots (\\d+)$';

/** Short citations, by a pattern of the source column. The first pattern that matches applies. */
// biome-ignore format: a row is a line
const CITATIONS = [
  ['%openerg.com%', 'PeopleSize help (openerg.com)'],
  ['%kan-praxis.de%', 'KAN-Praxis body dimensions (koerpermass.kan-praxis.de)'],
  ['Helander%', 'Helander, A Guide to Human Factors and Ergonomics, fig. 8.4 (what-when-how.com)'],
  ['Range of flat%', 'Range of the figures read for flat shoes: 25 (Chan and PeopleSize, men), 29 (PeopleSize, women), 30 (Helander)'],
  ['RU 307%', 'Technical regulation on products for children, Russian Federation, No. 307 of 2009 (docs.cntd.ru/document/902152023)'],
  ['GOST 9155%', 'GOST 9155-88, sports shoes of rubber and textile, table of soles'],
] as const;

/** SQL expression for a citation of Chan’s online manual. It reads the page number from the address in `source`. */
const CITED_PAGE = `'Chan, Online Anthropometry, page ' || regexp_extract(source, '(Ch\\d[\\d_-]*)\\.htm$', 1) || ' (personal.cityu.edu.hk)'`;
const CITED = CITATIONS.map(([mark, text]) => `WHEN source LIKE '${mark}' THEN '${text}'`);

/** Pages of Chan’s manual, read on 2026-11-29, that print figures which the input has from Pheasant’s Bodyspace. */
const PRINTED = {
  ThighThickness: '12',
  'ChestDepth, AbdominalDepth': '20',
  SittingHeight: '8',
  FootBreadth: '31',
};
const ADDRESS = 'http://personal.cityu.edu.hk/meachan/online anthropometry/Chapter2/Ch2-';
const PAGES = Object.entries(PRINTED).map(
  ([of, page]) => `WHEN '${of}' THEN '${ADDRESS}${page}.htm'`,
);

const FROM_FLOOR = 'all standing and sitting dimensions measured from the floor';

/** Figures for shoes that the input lacks. They were read in the cited texts on 2026-11-23. */
const SHOES = [
  ['shoe height', 'PoplitealHeight', '30', '30', 'Helander'],
  ['flat everyday shoes', FROM_FLOOR, '25..30', '25..30', 'Range of flat shoes'],
  [
    ...(['heel of a child’s shoe, at most', 'the shoe'] as const),
    '5 (1–3 years); 10 (3–7 years); 20 (7–16 years)',
    '5 (1–3 years); 10 (3–7 years); 20 (7–12 years); 30 (12–16 years)',
    'RU 307',
  ],
  ['sole under the heel, at least', 'the shoe', '6 (children); 7', '6 (children); 7', 'GOST 9155'],
] as const;

/**
 * SQL of the rows that were read or that a profile needs, of `SHOES`, and of one more row: a remark on street shoes states
 * the allowance of heavy boots.
 */
const withMore = (table: string): string => `(
  WITH found AS (
    SELECT * REPLACE (
      CASE WHEN source LIKE 'Pheasant%' THEN CASE measurement ${PAGES.join(' ')} ELSE source END ELSE source END AS source)
    FROM ${table} WHERE trust <> 'low' OR kind = 'clothing' AND source LIKE 'Pheasant%'
  ), rated AS (SELECT * REPLACE (if(source LIKE 'http%' AND trust = 'low', 'high', trust) AS trust) FROM found)
  SELECT * FROM rated
  UNION ALL BY NAME
  SELECT 'clothing' AS kind, 'high' AS trust, * FROM (VALUES
    ${SHOES.map((texts) => `(${texts.map((text) => `'${text}'`).join(', ')})`).join(',\n    ')}
  ) AS shoes(condition, measurement, male_mm, female_mm, source)
  UNION ALL BY NAME
  SELECT * REPLACE (
    'heavy boots' AS condition,
    regexp_extract(note, '${BOOTS}', 1) AS male_mm,
    regexp_extract(note, '${BOOTS}', 1) AS female_mm)
  FROM rated WHERE regexp_matches(note, '${BOOTS}'))`;

/** Published allowances for clothing, posture and definition. */
// biome-ignore format: a row is a line
export const ALLOWANCES = publishedImporter({
  source: 'allowances',
  files: [{ label: 'clothing and posture corrections', numbers: [],
    texts: ['kind', 'condition', 'measurement', 'male_mm', 'female_mm', 'source', 'trust', 'note'], rows: 40, figures: [
    ['shoe allowance in mm of women (Pheasant: 45)', 'max(TRY_CAST(female_mm AS DOUBLE))', 45, 45, `kind = 'clothing' AND condition LIKE 'shoes, outdoor%'`],
    ['number of kinds of row', 'count(DISTINCT kind)', 5, 5],
  ] }],
  outputs: {
    'allowances.csv': {
      from: withMore,
      orderBy: ['kind', 'condition', 'dimensions', 'citation', 'male'],
      columns: [
        ['kind', 'clothing, posture, measurement, definition or reporting', 'kind'],
        ['condition', 'what is worn, or how the body is held', "trim(regexp_replace(condition, '\\(recalled[^)]*\\)', ''))"],
        ['dimensions', 'dimensions it applies to', "regexp_replace(measurement, ', | / ', '; ', 'g')"],
        ['male', 'amount for men, mm or as written', 'male_mm'],
        ['female', 'amount for women, mm or as written', 'female_mm'],
        [
          'citation',
          'where it was published',
          `CASE WHEN source LIKE '%cityu.edu.hk%' THEN ${CITED_PAGE}
            ${CITED.join(' ')} ELSE 'our own assumption, after Pheasant, Bodyspace (not read)' END`,
        ],
        ['trust', 'high, med or low', 'trust'],
      ],
    },
  },
});
