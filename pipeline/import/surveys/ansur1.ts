import { COMPARED_NAMES } from '../../plans/correlation-plan.js';
import { ANSUR1_DIMENSIONS } from '../columns/ansur1-columns.js';
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

// AGE_ANSUR88 is in completed years, so half a year is added. WEIGHT is stored in tenths of a kg.
const AGE_YEARS = 'AGE_ANSUR88 + 0.5';
/** The dimensions and drivers of ANSUR I. */
const VARIABLES: readonly PersonVariable[] = [
  ...dimensionVariables(ANSUR1_DIMENSIONS),
  ...driverVariables('WEIGHT / 10', 'STATURE', AGE_YEARS),
  ageSquaredVariable(AGE_YEARS),
];

function fileSpec(people: string, rows: number, statureMm: number): FileSpec {
  return {
    label: `ANSUR 1988 ${people}`,
    rows,
    numbers: columnsOf(VARIABLES),
    missing: -999,
    figures: [publishedMean('STATURE', 'mm', 'NATICK/TR-89/044', statureMm, 0.5)],
  };
}

/** Creates the table `people` from both files. Returns the variables. */
export async function ansur1People(context: ImportContext): Promise<readonly PersonVariable[]> {
  const rowsSql = adultsSql(context.tables, ['Male', 'Female']);
  await createCheckedPeople(context, 'ansur1', rowsSql, VARIABLES);
  return VARIABLES;
}

/** US Army Anthropometric Survey 1988 (ANSUR I): 1774 men and 2208 women, mm. */
export const ANSUR1: Importer = {
  source: 'ansur1',
  title: 'ANSUR I, US Army Anthropometric Survey 1988',
  citation:
    'Gordon CC et al. 1988 Anthropometric Survey of U.S. Army Personnel: Methods and Summary Statistics. NATICK/TR-89/044, 1989.',
  licence: 'Work of the US Government, released to the public (public domain in the USA).',
  notes: [
    'Soldiers of 1988, leaner than today. Age is in completed years plus one half. Measurements without their own column are sums and differences of columns, as `pipeline/import/columns/ansur1-columns.ts` lists them. FrontOfNeckToWaistLength is measured standing (ANSUR II: sitting). ButtockToSoleSitting has another definition than in ANSUR II. SittingUpperLegLength and ThighLength use mid-patella and femoral epicondyle. FemaleChestCircumferenceBelowBreasts was also measured on men; the tables have women only.',
    'conditional_quantiles.csv uses normal scores within the survey.',
  ],
  files: [fileSpec('men', 1774, 1755.8), fileSpec('women', 2208, 1629.4)],
  async build(context) {
    const { connection, log } = context;
    await ansur1People(context);
    await connection.run(
      `UPDATE people SET FemaleChestCircumferenceBelowBreasts = NULL WHERE gender = 'Male'`,
    );
    const statistics = await surveyStatistics(connection, VARIABLES, log);
    return [...statistics, await conditionalQuantiles(connection, COMPARED_NAMES)];
  },
};
