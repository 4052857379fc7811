import type { Importer } from '../importer.js';
import { queryTable, tableColumns } from '../published.js';

const ROWS = 40;

/** A remark that gives the figure for boots. */
const BOOTS = '^heavy boots (\\d+)$';

/** Short citations by a pattern of the source column; the first match applies. */
const CITATIONS = [
  ['%openerg.com%', 'PeopleSize help (openerg.com)'],
  ['%kan-praxis.de%', 'KAN-Praxis body dimensions (koerpermass.kan-praxis.de)'],
  ['GB/T 12985%', 'GB/T 12985-1991, recalled, not read'],
  ['Pheasant%', 'Pheasant, Bodyspace ch. 2, recalled, not read'],
] as const;

/** Published allowances for clothing, posture and definition. */
export const ALLOWANCES: Importer = {
  source: 'allowances',
  title: 'Allowances for clothing, posture and definition',
  citation: 'A source per row, in the column `citation`.',
  licence: 'Published figures, cited row by row.',
  notes: [
    'Amounts are added to the unclothed, erect dimension, in mm unless a unit is given; ranges and relative amounts stay as text.',
    'Trust `high` and `med`: read at the address of the citation. `low`: recalled from memory or of unknown source, not read. `docs/clothing-and-posture.md` says which rows are used, and why the others are not.',
    'The rows `heavy boots` come from remarks on the rows `street shoes` and are also recalled.',
  ],
  files: [
    {
      label: `clothing and posture corrections (CSV, ${ROWS} rows)`,
      numbers: [],
      texts: [
        'kind',
        'condition',
        'measurement',
        'male_mm',
        'female_mm',
        'source',
        'trust',
        'note',
      ],
      minimumRows: ROWS,
      maximumRows: ROWS,
      figures: [
        {
          what: 'shoe allowance in mm of women (Pheasant: 45)',
          sql: 'max(TRY_CAST(female_mm AS DOUBLE))',
          where: `kind = 'clothing' AND condition LIKE 'shoes, outdoor%'`,
          low: 45,
          high: 45,
        },
        {
          what: 'number of kinds of row',
          sql: 'count(DISTINCT kind)',
          low: 5,
          high: 5,
        },
      ],
    },
  ],
  async build({ connection, tables }) {
    const columns = tableColumns([
      ['kind', 'clothing, posture, measurement, definition or reporting'],
      ['condition', 'what is worn, or how the body is held'],
      ['dimensions', 'dimensions it applies to'],
      ['male', 'amount for men, mm or as written'],
      ['female', 'amount for women, mm or as written'],
      ['citation', 'where it was published'],
      ['trust', 'high, med or low'],
    ]);
    const page = `'Chan, Online Anthropometry, page ' || regexp_extract(source, '(Ch\\d[\\d_-]*)\\.htm$', 1) || ' (personal.cityu.edu.hk)'`;
    const citations = CITATIONS.map(([mark, text]) => `WHEN source LIKE '${mark}' THEN '${text}'`);
    // A remark on street shoes gives the allowance of heavy boots, which becomes a row.
    const sql = `
      WITH rows AS (
        SELECT * FROM ${tables[0] ?? ''}
        UNION ALL BY NAME
        SELECT * REPLACE (
          'heavy boots' AS condition,
          regexp_extract(note, '${BOOTS}', 1) AS male_mm,
          regexp_extract(note, '${BOOTS}', 1) AS female_mm)
        FROM ${tables[0] ?? ''} WHERE regexp_matches(note, '${BOOTS}'))
      SELECT kind, trim(regexp_replace(condition, '\\(recalled[^)]*\\)', '')) AS condition,
        regexp_replace(measurement, ', | / ', '; ', 'g') AS dimensions,
        male_mm, female_mm, CASE WHEN source LIKE '%cityu.edu.hk%' THEN ${page}
          ${citations.join(' ')} ELSE 'source not identified' END AS citation,
        trust
      FROM rows ORDER BY kind, condition, dimensions, citation, male_mm`;
    return [await queryTable(connection, 'allowances.csv', columns, sql)];
  },
};
