import { aggregatesFile, aggregateTables } from '../aggregates.js';
import type { FileSpec, Importer } from '../importer.js';
import { FAMILY_NOTE, WORLD_FILE } from './world.js';

const MORE_FILE: FileSpec = aggregatesFile(785, 49, 1790);

/** The second file only serves the comparison of heights with other families. */
const FILES = [MORE_FILE, WORLD_FILE];

const NEW_ZEALAND = "survey_family = 'nzdfas'";

const CHECK_NOTE =
  'A height is compared with the families of `world` too, when its share of stature is checked (see there). The second input file serves this check only.';

/** The second file of national studies, without New Zealand. */
export const WORLD_MORE: Importer = {
  source: 'world-more',
  title: 'More national studies: means, SDs and percentiles of adult dimensions',
  citation: 'A source per row, in the column `citation`.',
  licence: 'Published figures, selected and reshaped, cited row by row.',
  notes: [
    'Copied by hand from public compilations of survey reports, as `world`. The Australian Army of 2012 and the Canadian Forces of 1996 are modern surveys with documented landmarks; the other large ones are of 1955 to 1974.',
    FAMILY_NOTE,
    CHECK_NOTE,
    'Many small samples give stature and mass only. They do not take part in the calibration.',
  ],
  files: FILES,
  build: (context) => aggregateTables(context, `NOT ${NEW_ZEALAND}`),
};

/** The armed forces of New Zealand. They are a source of their own because of their licence. */
export const NZDFAS_2016: Importer = {
  source: 'nzdfas2016',
  title: 'NZDFAS 2016: New Zealand Defence Force, means and SDs of adult dimensions',
  citation:
    'Kolose S. et al. New Zealand Defence Force Anthropometric Survey (NZDFAS), monograph, Auckland University of Technology, 2021.',
  licence:
    'CC BY-NC 4.0 (the monograph). Operators who may not rely on it leave the source out with `--without nzdfas2016`. Published figures, selected and reshaped.',
  notes: [
    'A modern survey with documented landmarks. Rows read from 3D scans, with landmarks of their own, have `check_definition`.',
    CHECK_NOTE,
  ],
  files: FILES,
  build: (context) => aggregateTables(context, NEW_ZEALAND),
};
