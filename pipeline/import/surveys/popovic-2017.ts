import type { Importer } from '../importer.js';
import { cellsOf, DRIVER_COLUMNS, SOUND, STUDY_COLUMNS } from '../national-study.js';

const CITATION =
  'Popović S. Arm-span measurement as an alternative estimation of true height in Montenegrin young adults of both sexes: a national survey. Anthropological Notebooks 2017.';

/** Printed means and SDs, mm. */
const PRINTED = [
  { gender: 'Female', n: 1107, stature: [1693.6, 63.7], span: [1680.4, 75.2] },
  { gender: 'Male', n: 981, stature: [1833.4, 68.9], span: [1845.6, 82.8] },
] as const;

const SAMPLE = {
  study_id: 'popovic-2017',
  survey_family: 'popovic-2017',
  country: 'ME',
  citation: CITATION,
};

/** Stature and span of young adults of all municipalities of Montenegro. The abstract prints them; no file is read. */
export const POPOVIC_2017: Importer = {
  source: 'popovic2017',
  title: 'Stature and span of young adults of Montenegro',
  citation: CITATION,
  licence: 'Published figures, copied from the abstract.',
  notes: [
    'A national survey by the protocol of ISAK. Only the abstract was read: it prints no ages, masses or BMI, and no year of measurement, so the year is that of the publication. The calibration takes the BMI of the model (`withUsualBmi`).',
  ],
  files: [],
  build: async () => {
    const studies = PRINTED.flatMap(({ gender, n, stature, span }) =>
      ([['Span', span] as const, ['Stature', stature] as const] as const).map(
        ([measurement, [mean_mm, sd_mm]]) => ({
          ...{ ...SAMPLE, gender, year: 2017, n, population: 'general', measurement },
          ...{ match: 'exact', mean_mm, sd_mm, ...SOUND },
        }),
      ),
    );
    const drivers = PRINTED.map(({ gender, n, stature: [stature_mm, stature_sd_mm] }) => ({
      ...{ ...SAMPLE, gender, n, stature_mm, stature_sd_mm, stature_from: SAMPLE.study_id },
    }));
    return [
      {
        file: 'studies.csv',
        columns: STUDY_COLUMNS,
        rows: studies.map((row) => cellsOf(STUDY_COLUMNS, row)),
      },
      {
        file: 'drivers.csv',
        columns: DRIVER_COLUMNS,
        rows: drivers.map((row) => cellsOf(DRIVER_COLUMNS, row)),
      },
    ];
  },
};
