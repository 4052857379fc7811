import { COMPARED_NAMES } from '../../plans/correlation-plan.js';
import { ANSUR2_DIMENSIONS } from '../columns/ansur2-columns.js';
import { conditionalQuantiles } from '../conditional-quantiles.js';
import type { FileSpec, ImportContext, Importer } from '../importer.js';
import {
  adultsSql,
  ageSquaredVariable,
  columnsOf,
  createCheckedPeople,
  dimensionVariables,
  driverVariables,
  type PersonVariable,
  publishedMean,
} from '../person-survey.js';
import { surveyStatistics } from '../statistics.js';

// Age is in completed years, so half a year is added. weightkg is stored in tenths of a kg.
const AGE_YEARS = 'Age + 0.5';
/** The dimensions and drivers of ANSUR II. */
const VARIABLES: readonly PersonVariable[] = [
  ...dimensionVariables(ANSUR2_DIMENSIONS),
  ...driverVariables('weightkg / 10', 'stature', AGE_YEARS),
  ageSquaredVariable(AGE_YEARS),
];

/** A file of one gender. A genuine file reproduces the published means of NATICK/TR-15/007. */
function fileSpec(
  gender: 'Male' | 'Female',
  rows: number,
  statureMm: number,
  massKg: number,
): FileSpec {
  return {
    label: `ANSUR II ${gender === 'Male' ? 'men' : 'women'}`,
    rows,
    numbers: columnsOf(VARIABLES),
    texts: ['Gender', 'DODRace', 'Ethnicity'],
    // biome-ignore format: a row is a line
    figures: [
      [`share of rows with Gender ${gender}`, `avg(CASE WHEN Gender = '${gender}' THEN 1 ELSE 0 END)`, 1, 1],
      publishedMean('stature', 'mm', 'NATICK/TR-15/007', statureMm, 0.5),
      publishedMean('weightkg', '0.1 kg', 'NATICK/TR-15/007', massKg * 10, 3),
    ],
  };
}

/**
 * Creates the table `people` from both files. Returns the variables.
 *
 * @param source folder of the committed table of these groups
 * @param group SQL of the age group
 */
export async function ansur2People(
  context: ImportContext,
  source = 'ansur2',
  group = "'adult'",
): Promise<readonly PersonVariable[]> {
  const rowsSql = `SELECT * REPLACE (${group} AS age_group) FROM (${adultsSql(context.tables)})`;
  await createCheckedPeople(context, source, rowsSql, VARIABLES);
  return VARIABLES;
}

/** US Army Anthropometric Survey 2012 (ANSUR II): 4082 men and 1986 women, mm. */
export const ANSUR2: Importer = {
  source: 'ansur2',
  title: 'ANSUR II, US Army Anthropometric Survey 2012',
  citation:
    'Gordon CC et al. 2012 Anthropometric Survey of U.S. Army Personnel: Methods and Summary Statistics. NATICK/TR-15/007, 2014.',
  licence: 'Work of the US Government, released to the public (public domain in the USA).',
  notes: [
    'Soldiers aged 17 to 58, not a sample of the civilian population. Age is in completed years plus one half. Measurements without their own column are sums and differences of columns, as `pipeline/import/columns/ansur2-columns.ts` lists them. PalmLength is about 7 mm longer than in other surveys, and ChestBreadth of men about 32 mm narrower than in 1988. BicepsCircumferenceFlexed and ForearmForearmBreadth are extra predictors.',
  ],
  files: [fileSpec('Male', 4082, 1756.2, 85.5), fileSpec('Female', 1986, 1628.5, 67.8)],
  async build(context) {
    const { connection, log } = context;
    await ansur2People(context);
    const statistics = await surveyStatistics(connection, VARIABLES, log);
    return [...statistics, await conditionalQuantiles(connection, COMPARED_NAMES)];
  },
};
