import { aggregatesFile, aggregateTables, FAR_SHARE_SDS, FEWEST_FAMILIES } from '../aggregates.js';
import type { FileSpec, Importer } from '../importer.js';
import { SOUND, studyOutputs } from '../national-study.js';

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
    return studyOutputs(studies, drivers);
  },
};
