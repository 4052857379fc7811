import { queryRows, quoteText } from '../duck.js';
import { type ImportContext, type Importer, ImportRefusal } from '../importer.js';
import { publishedImporter } from '../published.js';

/** Identifier in the input, study, short method, and whether the study pools both genders. */
const STUDIES = [
  ['buryanov2010_66_adults_mixed', 'Buryanov 2010, 66 adults', 'X-ray, MCP joint to tip', true],
  ['faa_techops_2006_08_US_civil', 'FAA Tech Ops 2006-08, US', 'caliper, from P5 P50 P95', false],
  ['hsiao2015_firefighters_855M_88F', 'Hsiao 2015, US firefighters', '2D scan, web to tip', false],
  ['mexico2024_2275M_562F', 'Mexico 2024, ages 15-59', 'direct', false],
  ['nag2003_indian_women_95', 'Nag 2003, Indian women', 'caliper', false],
  ['us_truck_drivers_2008_1779M_171F', 'Guan 2012, US truck drivers', 'weighted', false],
] as const;

const STUDY_ROWS = STUDIES.map(
  ([id, study, method, both]) =>
    `(${quoteText(id)}, ${quoteText(study)}, ${quoteText(method)}, ${both})`,
);

/** @throws ImportRefusal for a study that `STUDIES` does not list */
async function refuseUnknownStudies({ connection, tables, fileNames }: ImportContext) {
  const known = STUDIES.map(([id]) => quoteText(id)).join(', ');
  const unknown = await queryRows(
    connection,
    `SELECT source FROM ${tables[0] ?? ''} WHERE source NOT IN (${known}) ORDER BY source`,
  );
  if (unknown[0] === undefined) return;
  const reason = `names a study that is not known (${String(unknown[0][0])})`;
  throw new ImportRefusal(fileNames[0] ?? '', reason, 'Add it to the importer');
}

/** Hand and finger dimensions from the literature. */
export const HAND_LITERATURE: Importer = publishedImporter({
  source: 'hand-literature',
  title: 'Hand and finger dimensions from the literature',
  citation: 'A study per row, in the column `study`.',
  licence: 'Published figures, cited row by row.',
  notes: [
    'Methods differ by 1 to 2 mm at the joints; breadths of the 2D scan read 1.5 to 2.5 mm wider than calipers. The FAA figures are P50 and (P95 - P5) / 3.29. Buryanov 2010 pools the genders (`Both`) and gives sums of means without a standard deviation.',
  ],
  files: [
    {
      label: 'hand literature summary',
      numbers: ['mean_mm', 'sd_mm'],
      texts: ['source', 'dimension', 'sex'],
      rows: 68,
      figures: [
        ['smallest hand length in mm', 'min(mean_mm)', 165, 175, `dimension = 'hand_length'`],
        ['smallest mean_mm', 'min(mean_mm)', 10, 12],
        ['median of sd_mm', 'median(sd_mm)', 3, 6],
      ],
    },
  ],
  check: refuseUnknownStudies,
  outputs: [
    {
      file: 'hand.csv',
      // biome-ignore format: a row is a line
      columns: [
        ['study', 'study and its people', 'study'],
        ['method', 'how it was measured', 'method'],
        ['dimension', 'dimension', 'dimension'],
        ['gender', 'Male or Female; Both where the study pools them', "CASE WHEN pooled THEN 'Both' WHEN sex = 'M' THEN 'Male' ELSE 'Female' END"],
        ['mean_mm', 'mean, mm', 'mean_mm'],
        ['sd_mm', 'standard deviation, mm; empty where not published', 'sd_mm'],
      ],
      from: (table) => `${table} JOIN (VALUES ${STUDY_ROWS.join(', ')})
        AS studies(id, study, method, pooled) ON source = id`,
      orderBy: ['study', 'dimension', 'gender'],
    },
  ],
});
