import { COMPARED_NAMES } from '../../plans/correlation-plan.js';
import { ANSUR2_COLUMNS, ANSUR2_DIMENSIONS } from '../columns/ansur2-columns.js';
import { conditionalQuantiles } from '../conditional-quantiles.js';
import type { FigureCheck, FileSpec, Importer } from '../importer.js';
import {
  ageSquaredVariable,
  createPeople,
  dimensionVariables,
  driverVariables,
  medianChecks,
  type PersonVariable,
} from '../person-survey.js';
import { surveyStatistics } from '../statistics.js';

// Age is in completed years, so half a year is added. weightkg is stored in tenths of a kg.
const AGE_YEARS = 'Age + 0.5';
/** The dimensions and drivers of ANSUR II. */
export const ANSUR2_VARIABLES: readonly PersonVariable[] = [
  ...dimensionVariables(ANSUR2_DIMENSIONS),
  ...driverVariables('weightkg / 10', 'stature', AGE_YEARS),
  ageSquaredVariable(AGE_YEARS),
];

/** Published means (NATICK/TR-15/007), which a genuine file reproduces. */
function published(gender: 'Male' | 'Female', statureMm: number, massKg: number): FigureCheck[] {
  return [
    {
      what: `share of rows with Gender ${gender}`,
      sql: `avg(CASE WHEN Gender = '${gender}' THEN 1 ELSE 0 END)`,
      low: 1,
      high: 1,
    },
    {
      what: `mean stature in mm (NATICK/TR-15/007: ${statureMm})`,
      sql: 'avg(stature)',
      low: statureMm - 0.5,
      high: statureMm + 0.5,
    },
    {
      what: `mean weightkg in 0.1 kg (NATICK/TR-15/007: ${massKg * 10})`,
      sql: 'avg(weightkg)',
      low: massKg * 10 - 3,
      high: massKg * 10 + 3,
    },
  ];
}

function fileSpec(
  gender: 'Male' | 'Female',
  rows: number,
  figures: FigureCheck[],
  texts: readonly string[],
): FileSpec {
  return {
    label: `ANSUR II ${gender === 'Male' ? 'men' : 'women'} (CSV, ${rows} rows)`,
    numbers: ANSUR2_COLUMNS.map(([column]) => column),
    texts: ['Gender', ...texts],
    minimumRows: rows,
    maximumRows: rows,
    figures: [...figures, ...medianChecks(ANSUR2_COLUMNS, gender)],
  };
}

/** The files of ANSUR II, with further text columns. */
export function ansur2Files(texts: readonly string[] = []): FileSpec[] {
  return [
    fileSpec('Male', 4082, published('Male', 1756.2, 85.5), texts),
    fileSpec('Female', 1986, published('Female', 1628.5, 67.8), texts),
  ];
}

/** SQL for the people of both files. The adults of each gender are one group. */
export function ansur2PeopleSql([men = '', women = '']: readonly string[]): string {
  const rows = (table: string, gender: string): string =>
    `SELECT *, '${gender}' AS sex FROM ${table}`;
  const all = `${rows(men, 'Male')} UNION ALL BY NAME ${rows(women, 'Female')}`;
  return `
    SELECT * EXCLUDE (Gender, sex), sex AS gender, 'adult' AS age_group, 1.0 AS sample_weight
    FROM (${all})`;
}

/** US Army Anthropometric Survey 2012 (ANSUR II): 4082 men and 1986 women, mm. */
export const ANSUR2: Importer = {
  source: 'ansur2',
  title: 'ANSUR II, US Army Anthropometric Survey 2012',
  citation:
    'Gordon CC et al. 2012 Anthropometric Survey of U.S. Army Personnel: Methods and Summary Statistics. NATICK/TR-15/007, 2014.',
  licence: 'Work of the US Government, released to the public (public domain in the USA).',
  notes: [
    'Statistics computed from the person records; the records are not part of the repository.',
    'Soldiers aged 17 to 58, not a sample of the civilian population. Age is in completed years plus one half. Measurements without their own column are sums and differences of columns, as `pipeline/import/columns/ansur2-columns.ts` lists them. PalmLength is about 7 mm longer than in other surveys, and ChestBreadth of men about 32 mm narrower than in 1988. BicepsCircumferenceFlexed and ForearmForearmBreadth are extra predictors.',
    'conditional_quantiles.csv serves to score correlations fitted to the other surveys.',
  ],
  files: ansur2Files(),
  async build({ connection, tables, log }) {
    await createPeople(connection, ansur2PeopleSql(tables), ANSUR2_VARIABLES);
    const statistics = await surveyStatistics(connection, ANSUR2_VARIABLES, log);
    return [...statistics, await conditionalQuantiles(connection, COMPARED_NAMES)];
  },
};
