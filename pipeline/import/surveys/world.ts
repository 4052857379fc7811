import { aggregatesFile, aggregateTables, FAR_SHARE_SDS, FEWEST_FAMILIES } from '../aggregates.js';
import type { FileSpec, Importer } from '../importer.js';

/** The first file of national studies. */
export const WORLD_FILE: FileSpec = aggregatesFile(1796, 83, 1760);

/** Remark on survey families to which the input gives different names. */
export const FAMILY_NOTE =
  'The 1960–61 surveys of Turkey, Greece and Italy are one family, because one team measured them with one set of instruments (Hertzberg et al. 1963). So are the two sources on the Czech army’s examinations, and the Russian men and women of one study.';

/** Means, SDs and percentiles of national studies, for the calibration of countries. */
export const WORLD: Importer = {
  source: 'world',
  title: 'National studies: means, SDs and percentiles of adult dimensions',
  citation: 'A source per row, in the column `citation`.',
  licence:
    'Published figures, selected and reshaped, cited row by row; ASRAN 2015 is CC BY 3.0 AU (Commonwealth of Australia, DSTG).',
  notes: [
    'Copied by hand from public compilations of survey reports (NASA RP-1024 Vol. II 1978 and others). Most samples are lean young soldiers of 1955 to 1975; ages are mostly unknown, about 18 to 35. They show proportions given the sample’s own stature and mass, not the size of people today.',
    'A survey family counts once and is left out as a whole. People who are in two samples count once (`part_of`): a dimension is read from the larger sample that has it. The 1905 women of the USAF in 1968 are `rp1024-us-usaf-women1968`, and S7 in another table. S8 are 548 officers and nurses of them, S9 and S10 are 1216 and 131 enlisted women. Their weighted means agree with the 1905 within 0.4 mm; stature is 6 mm lower, which is doubtful because every part has less than the whole. The National Health Examination Survey 1960–62 has S11 (women) and S37 (men) of 18 to 79 years; S12 and S38 are their people of 25 to 40.',
    FAMILY_NOTE,
    `A height whose share of the sample’s stature lies more than ${FAR_SHARE_SDS} robust SDs from the median of other families’ (at least ${FEWEST_FAMILIES}) has \`check_definition\` too. Besides rows that already have a flag, this is one row: ShoulderHeight of \`id-2020-iqbal-army\`, 0.860 of stature against 0.80 to 0.84 elsewhere.`,
  ],
  files: [WORLD_FILE],
  build: (context) => aggregateTables(context),
};
