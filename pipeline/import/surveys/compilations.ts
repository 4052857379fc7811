import { aggregatesFile, aggregateTables } from '../aggregates.js';
import type { FileSpec, Importer } from '../importer.js';
import { SOUND, studyOutputs } from '../national-study.js';

/** The first file of national studies. */
const WORLD_FILE: FileSpec = aggregatesFile(1796, 83, 1760);

/** Means, SDs and percentiles of national studies, for the calibration of countries. */
export const WORLD: Importer = {
  source: 'world',
  files: [WORLD_FILE],
  build: (context) => aggregateTables(context),
};

const MORE_FILE: FileSpec = aggregatesFile(785, 49, 1790);

/** The second file only serves the comparison of heights with other families. */
const FILES = [MORE_FILE, WORLD_FILE];

const NEW_ZEALAND = "survey_family = 'nzdfas'";

/** The second file of national studies, without New Zealand. */
export const WORLD_MORE: Importer = {
  source: 'world-more',
  files: FILES,
  build: (context) => aggregateTables(context, `NOT ${NEW_ZEALAND}`),
};

/** The armed forces of New Zealand. They are a source of their own because of their licence. */
export const NZDFAS_2016: Importer = {
  source: 'nzdfas2016',
  files: FILES,
  build: (context) => aggregateTables(context, NEW_ZEALAND),
};

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
    return studyOutputs(studies, drivers);
  },
};
