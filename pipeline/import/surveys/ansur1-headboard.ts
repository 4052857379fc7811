import type { Importer } from '../importer.js';
import { genderColumn, genderFrom, publishedImporter } from '../published.js';

/** Head and face dimensions of ANSUR 1988, measured with the headboard. */
export const ANSUR1_HEADBOARD: Importer = publishedImporter({
  source: 'ansur1-headboard',
  title: 'ANSUR 1988 headboard, head and face dimensions',
  citation:
    'Gordon CC et al. 1988 Anthropometric Survey of U.S. Army Personnel: Methods and Summary Statistics. NATICK/TR-89/044, 1989.',
  licence: 'Work of the US Government, released to the public (public domain in the USA).',
  notes: [
    'Published means and standard deviations. Head in the Frankfort plane; distances to the back and to the top of the head. The value of women for pronasale to top of head could not be read in the report and is absent.',
  ],
  files: [
    {
      label: 'ANSUR 1988 headboard summary',
      numbers: ['n', 'mean_mm', 'sd_mm'],
      texts: ['dimension', 'sex'],
      rows: 89,
      // biome-ignore format: a row is a line
      figures: [
        ['mean tragion to back of head of men in mm (published: 98.9)', 'max(mean_mm)', 98.9, 98.9, `dimension = 'tragion_back_of_head' AND sex = 'M'`],
        ['median of mean_mm', 'median(mean_mm)', 90, 190],
        ['median of sd_mm', 'median(sd_mm)', 4, 10],
      ],
    },
  ],
  outputs: [
    {
      file: 'headboard.csv',
      columns: [
        ['dimension', 'dimension as the report names it', 'dimension'],
        genderColumn(genderFrom('sex', 'M')),
        ['n', 'people measured', 'n'],
        ['mean_mm', 'mean, mm', 'mean_mm'],
        ['sd_mm', 'standard deviation, mm', 'sd_mm'],
      ],
      orderBy: ['dimension', 'gender'],
    },
  ],
});
