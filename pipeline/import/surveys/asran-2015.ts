import { dimensionsOf } from '../dimensions.js';
import type { Importer } from '../importer.js';
import { driverRow, type Row, SOUND, studyOutputs } from '../national-study.js';
import {
  adultsSql,
  columnsOf,
  createCheckedPeople,
  dimensionVariables,
  driverVariables,
  publishedMean,
} from '../person-survey.js';
import { surveyMoments } from '../statistics.js';

const DIMENSIONS = dimensionsOf('asran2015');
const VARIABLES = [
  ...dimensionVariables(DIMENSIONS),
  ...driverVariables('M40_weight_kg', 'M38_stature', 'NULL'),
];
/** As for the US soldiers, a constant or a second column replaces what was not measured. */
const CLOSE = ['SacralHeightSitting', 'UpperArmCircumferenceMidpoint', 'WholeBodyBreadthMax'];

const SAMPLE = {
  study_id: 'asran-2015-women-part',
  survey_family: 'asran-2015',
  country: 'AU',
  gender: 'Female',
  citation:
    'Anthropometric Survey of the Royal Australian Navy (ASRAN) 2015. DST-Group-TR-3564, Commonwealth of Australia. CC BY 3.0 AU.',
};

/** Women of the Royal Australian Navy 2015: 84 of the 232 who were measured, mm. */
export const ASRAN_2015: Importer = {
  source: 'asran2015',
  files: [
    {
      label: 'ASRAN 2015 women',
      rows: 84,
      numbers: columnsOf(VARIABLES),
      figures: [
        publishedMean('M38_stature', 'mm', 'the 232', 1666.9, 14),
        publishedMean('M40_weight_kg', 'kg', 'the 232', 70, 2.5),
      ],
    },
  ],
  async build(context) {
    const people = adultsSql(context.tables, ['Female']);
    await createCheckedPeople(context, 'asran2015', people, VARIABLES);
    const { columns, rows } = await surveyMoments(context.connection, VARIABLES);
    const moments = rows.map((row): Row => {
      return Object.fromEntries(columns.map(([name], i) => [name, row[i] ?? null]));
    });
    const names = new Set<unknown>(DIMENSIONS.map(([name]) => name));
    const studies = moments
      .filter(({ variable }) => names.has(variable))
      .map(({ variable, n = null, mean = null, sd = null, p5 = null, p50 = null, p95 = null }) => ({
        ...{ ...SAMPLE, year: 2015, population: 'military', n, ...SOUND },
        ...{ measurement: variable ?? null, mean_mm: mean, sd_mm: sd },
        ...{ match: CLOSE.includes(String(variable)) ? 'close' : 'exact' },
        ...{ p5_mm: p5, p50_mm: p50, p95_mm: p95 },
      }));
    const [stature, mass, bmi] = ['Stature', 'BodyMass', 'Bmi'].map((name) =>
      moments.find(({ variable }) => variable === name),
    );
    const sample = { ...SAMPLE, n: stature?.n ?? null, part_of: 'asran-2015' };
    return studyOutputs(studies, [driverRow(sample, stature, mass, bmi)]);
  },
};
