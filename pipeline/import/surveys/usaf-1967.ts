import { COMPARED_NAMES } from '../../plans/correlation-plan.js';
import { USAF_1967_DIMENSIONS } from '../columns/usaf-1967-columns.js';
import { conditionalQuantiles } from '../conditional-quantiles.js';
import type { Importer } from '../importer.js';
import {
  adultsSql,
  ageSquaredVariable,
  columnsOf,
  createCheckedPeople,
  dimensionVariables,
  driverVariables,
  publishedMean,
  screenMisreadings,
} from '../person-survey.js';
import { surveyStatistics } from '../statistics.js';

const KG_PER_LB = 0.45359237;

// AGE is stored in tenths of a year, WEIGHT in pounds.
const AGE_YEARS = 'AGE / 10';
const VARIABLES = [
  ...dimensionVariables(USAF_1967_DIMENSIONS),
  ...driverVariables(`WEIGHT * ${KG_PER_LB}`, 'STATURE', AGE_YEARS),
  ageSquaredVariable(AGE_YEARS),
];

/** Dimensions that ANSUR measures at the same landmarks. */
const MEASURED = new Set<string>(USAF_1967_DIMENSIONS.map(([name]) => name));
const JUDGED = COMPARED_NAMES.filter((name) => MEASURED.has(name));

/** US Air Force flying personnel 1967: 2420 men, mm. */
export const USAF_1967: Importer = {
  source: 'usaf1967',
  title: 'USAF 1967, anthropometry of US Air Force flying personnel',
  citation:
    'Survey of US Air Force rated officers, 1967; data in: Churchill E, Kikta P, Churchill T. The AMRL Anthropometric Data Bank Library, AMRL-TR-77-1, 1977.',
  licence: 'Data of the US Government, released to the public (public domain in the USA).',
  notes: [
    'The people are rated officers, men only. Zero is a missing value. Readings whose logarithm is more than six robust standard deviations from the median are left out as misread. Head distances are measured from a wall and from the top of the head; BackOfHeadToChin is menton to wall. ThighCircumferenceMidpoint is the mean of upper thigh and knee circumference. BackOfHeadToLip is to the most forward point of the lips.',
  ],
  files: [
    {
      label: 'USAF 1967 men',
      rows: 2420,
      numbers: columnsOf(VARIABLES),
      missing: 0,
      figures: [
        publishedMean('STATURE', 'mm', 'the survey', 1773.4, 1),
        publishedMean('WEIGHT', 'lb', 'the survey', 173.6, 1),
      ],
    },
  ],
  async build(context) {
    const { connection, tables, log } = context;
    await createCheckedPeople(context, 'usaf1967', adultsSql(tables, ['Male']), VARIABLES);
    log(`${await screenMisreadings(connection, VARIABLES)} misread values left out`);
    const statistics = await surveyStatistics(connection, VARIABLES, log);
    return [...statistics, await conditionalQuantiles(connection, JUDGED)];
  },
};
