import { COMPARED_NAMES } from '../../plans/correlation-plan.js';
import { conditionalQuantiles } from '../conditional-quantiles.js';
import { dimensionsOf } from '../dimensions.js';
import { queryNumber } from '../duck.js';
import { orderShares } from '../group-tables.js';
import type { FileSpec, ImportContext, Importer } from '../importer.js';
import {
  completionResiduals,
  jointShares,
  rangeTails,
  scoreCorrelations,
} from '../joint-persons.js';
import { personScores } from '../person-scores.js';
import {
  adultsSql,
  adultVariables,
  columnsOf,
  createCheckedPeople,
  dimensionVariables,
  type PersonVariable,
  publishedMean,
  screenMisreadings,
} from '../person-survey.js';
import { selectedTable } from '../published.js';
import { MINIMUM_CELL, surveyMoments, surveyStatistics } from '../statistics.js';

// Ages in completed years get half a year.

/** WEIGHT is stored in tenths of a kg. */
const OF_ANSUR1 = adultVariables('ansur1', 'WEIGHT / 10', 'STATURE', 'AGE_ANSUR88 + 0.5');

const ansur1File = (people: string, rows: number, statureMm: number): FileSpec => ({
  ...{ label: `ANSUR 1988 ${people}`, rows, numbers: columnsOf(OF_ANSUR1), missing: -999 },
  figures: [publishedMean('STATURE', 'mm', 'NATICK/TR-89/044', statureMm, 0.5)],
});

/** Creates the table `people` from both files. Returns the variables. */
async function ansur1People(context: ImportContext): Promise<readonly PersonVariable[]> {
  const rowsSql = adultsSql(context.tables, ['Male', 'Female']);
  await createCheckedPeople(context, 'ansur1', rowsSql, OF_ANSUR1);
  return OF_ANSUR1;
}

/** US Army Anthropometric Survey 1988 (ANSUR I): 1774 men and 2208 women, mm. */
export const ANSUR1: Importer = {
  source: 'ansur1',
  files: [ansur1File('men', 1774, 1755.8), ansur1File('women', 2208, 1629.4)],
  async build(context) {
    const variables = await ansur1People(context);
    await context.connection.run(
      `UPDATE people SET FemaleChestCircumferenceBelowBreasts = NULL WHERE gender = 'Male'`,
    );
    return [
      ...(await surveyStatistics(context.connection, variables, context.log)),
      await conditionalQuantiles(context.connection, COMPARED_NAMES),
    ];
  },
};

/** weightkg is stored in tenths of a kg. */
const OF_ANSUR2 = adultVariables('ansur2', 'weightkg / 10', 'stature', 'Age + 0.5');

/** A file of one gender. A genuine file reproduces the published means of NATICK/TR-15/007. */
function ansur2File(
  gender: 'Male' | 'Female',
  rows: number,
  statureMm: number,
  massKg: number,
): FileSpec {
  const label = `ANSUR II ${gender === 'Male' ? 'men' : 'women'}`;
  const ofGender = `avg(CASE WHEN Gender = '${gender}' THEN 1 ELSE 0 END)`;
  return {
    ...{ label, rows, numbers: columnsOf(OF_ANSUR2), texts: ['Gender', 'DODRace', 'Ethnicity'] },
    figures: [
      [`share of rows with Gender ${gender}`, ofGender, 1, 1],
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
async function ansur2People(
  context: ImportContext,
  source = 'ansur2',
  group = "'adult'",
): Promise<readonly PersonVariable[]> {
  const rowsSql = `SELECT * REPLACE (${group} AS age_group) FROM (${adultsSql(context.tables)})`;
  await createCheckedPeople(context, source, rowsSql, OF_ANSUR2);
  return OF_ANSUR2;
}

/** US Army Anthropometric Survey 2012 (ANSUR II): 4082 men and 1986 women, mm. */
export const ANSUR2: Importer = {
  source: 'ansur2',
  files: [ansur2File('Male', 4082, 1756.2, 85.5), ansur2File('Female', 1986, 1628.5, 67.8)],
  async build(context) {
    return surveyStatistics(context.connection, await ansur2People(context), context.log);
  },
};

const only = (names: string): string => `regexp_full_match(Ethnicity, '((${names}) ?)+')`;

/**
 * SQL for the origin of a soldier. It is the race of the US Department of Defense (DODRace: 1 White, 2 Black, 3
 * Hispanic, 4 Asian, 6 Pacific Islander). For Asians, it is the ethnic group that they named.
 */
const ORIGIN_SQL = `CASE
  WHEN DODRace = '1' THEN 'White'
  WHEN DODRace = '2' THEN 'Black'
  WHEN DODRace = '3' THEN 'Hispanic'
  WHEN DODRace = '4' AND ${only('Chinese|Japanese|Korean|Taiwanese')} THEN 'EastAsian'
  WHEN DODRace = '4' AND ${only('Burmese|Cambodian|Filipino|Hmong|Laotian|Thai|Vietnamese')}
    THEN 'SoutheastAsian'
  WHEN DODRace = '6' THEN 'PacificIslander' END`;

/** Soldiers of ANSUR II by origin: counts, means and spreads of groups of ten or more people. */
export const ANSUR2_ORIGINS: Importer = {
  ...ANSUR2,
  source: 'ansur2-origins',
  async build(context) {
    const { connection, log } = context;
    const variables = await ansur2People(context, 'ansur2-origins', ORIGIN_SQL);
    const moments = await surveyMoments(connection, variables);
    const count = await queryNumber(connection, 'SELECT count(*) FROM people');
    log(`${count} people with a known origin`);
    const columns = moments.columns.map((column) =>
      column[0] === 'age_group' ? (['origin', 'origin of the soldiers'] as const) : column,
    );
    return [{ ...moments, file: 'origins.csv', columns }];
  },
};

/** Statistics on how measurements of the same soldier of a survey go together. */
const personsOf = (
  survey: Importer,
  source: string,
  people: (context: ImportContext) => Promise<readonly PersonVariable[]>,
): Importer => ({
  ...survey,
  source,
  async build(context) {
    const { connection, log } = context;
    const names = (await people(context)).map(({ name }) => name);
    const groups = await personScores(connection);
    for (const { gender, n } of groups) log(`${gender}: ${n} people have all quantities`);
    return [
      ...[jointShares, rangeTails, scoreCorrelations, completionResiduals].map((table) =>
        table(groups),
      ),
      await orderShares(connection, names, 'age_group'),
    ];
  },
});

export const ANSUR1_PERSONS = personsOf(ANSUR1, 'ansur1-persons', ansur1People);
export const ANSUR2_PERSONS = personsOf(ANSUR2, 'ansur2-persons', ansur2People);

/** Lengths of the arm and the shoulders, and the reaches that were measured on the same people. */
const REACH_NAMES = [
  ...[
    'ShoulderBreadthBiacromial',
    'SittingShoulderHeight',
    'UpperLimbLength',
    'ShoulderGripLength',
  ],
  ...['WorkReach', 'WorkReachExtended', 'HorizontalPinchGripReach', 'VerticalGripReachSitting'],
  'Span',
];
const REACH_SQL = new Map([...dimensionsOf('ansur1'), ...dimensionsOf('ansur1-reach')]);
const OF_REACH = dimensionVariables(REACH_NAMES.map((name) => [name, REACH_SQL.get(name) ?? '']));
const AGE_GROUP = `CASE WHEN AGE_ANSUR88 < 25 THEN '17-24' WHEN AGE_ANSUR88 < 35 THEN '25-34' ELSE '35-51' END`;

/** Reaches, arms and shoulders of the same soldiers of 1988, in two halves: one to fit, one to test. */
export const ANSUR1_REACH: Importer = {
  ...ANSUR1,
  source: 'ansur1-reach',
  files: ANSUR1.files.map((file, i) => ({
    ...{ ...file, numbers: [...columnsOf(OF_REACH), 'AGE_ANSUR88'] },
    figures: [
      publishedMean('THUMB_TIP_REACH', 'mm', 'NATICK/TR-89/044', i === 0 ? 800.8 : 734.6, 0.5),
    ],
  })),
  async build(context) {
    const half = `CASE WHEN row_id % 2 = 0 THEN '|fit' ELSE '|test' END`;
    const people = adultsSql(context.tables, ['Male', 'Female']);
    const rowsSql = `SELECT * REPLACE (${AGE_GROUP} || ${half} AS age_group) FROM (${people})`;
    await createCheckedPeople(context, 'ansur1-reach', rowsSql, OF_REACH);
    const names = OF_REACH.map(({ name }) => name);
    const complete = names.map((name) => `${name} IS NOT NULL`).join(' AND ');
    const pairs = names.flatMap((a, i) =>
      names.slice(i).map(
        (b, k) => `SELECT ${100 * i + k} AS pair, gender, split_part(age_group, '|', 1) AS ages,
          split_part(age_group, '|', 2) AS half, '${a}' AS a, '${b}' AS b, ${a} AS x, ${b} AS y
          FROM people WHERE ${complete}`,
      ),
    );
    const columns = [
      ['gender', 'Male or Female', 'gender'],
      ['age_group', 'completed years', 'ages'],
      ['half', '`fit` or `test`', 'half'],
      ['a', 'measurement', 'a'],
      ['b', 'the same or another measurement', 'b'],
      ['n', 'people who have all measurements, at least 10', 'count(*)'],
      ['mean_a', 'mean of a in mm', 'round(avg(x), 3)'],
      ['mean_b', 'mean of b in mm', 'round(avg(y), 3)'],
      ['cov', 'covariance in mm², n - 1', 'round(covar_samp(x, y), 3)'],
    ] as const;
    const rest = `FROM (${pairs.join(' UNION ALL ')}) GROUP BY pair, gender, ages, half, a, b
      HAVING count(*) >= ${MINIMUM_CELL} ORDER BY pair, gender, ages, half`;
    return [await selectedTable(context.connection, 'pairs.csv', columns, rest)];
  },
};

const KG_PER_LB = 0.45359237;

/** AGE is stored in tenths of a year, WEIGHT in pounds. */
const OF_USAF = adultVariables('usaf1967', `WEIGHT * ${KG_PER_LB}`, 'STATURE', 'AGE / 10');

/** US Air Force flying personnel 1967: 2420 men, mm. */
export const USAF_1967: Importer = {
  source: 'usaf1967',
  files: [
    {
      ...{ label: 'USAF 1967 men', rows: 2420, numbers: columnsOf(OF_USAF), missing: 0 },
      figures: [
        publishedMean('STATURE', 'mm', 'the survey', 1773.4, 1),
        publishedMean('WEIGHT', 'lb', 'the survey', 173.6, 1),
      ],
    },
  ],
  async build(context) {
    const { connection, tables, log } = context;
    await createCheckedPeople(context, 'usaf1967', adultsSql(tables, ['Male']), OF_USAF);
    log(`${await screenMisreadings(connection, OF_USAF)} misread values left out`);
    return surveyStatistics(connection, OF_USAF, log);
  },
};
