import { dimensionsOf } from '../dimensions.js';
import { cycleMeans, exactAges, subsampleStatistics, tailPercentiles } from '../group-tables.js';
import type { FigureCheck, Importer } from '../importer.js';
import {
  columnsOf,
  createPeople,
  dimensionVariables,
  type PersonVariable,
} from '../person-survey.js';
import { surveyStatistics } from '../statistics.js';

/** Cycles that are pooled, and the number of years of data that the weights of each cycle stand for. */
interface Period {
  readonly name: string;
  readonly years: Readonly<Record<string, number>>;
}

/** The periods that are pooled; 2007-2010 is in neither. */
const PERIODS: readonly Period[] = [
  {
    name: '1999-2006',
    years: { '1999-2000': 2, '2001-2002': 2, '2003-2004': 2, '2005-2006': 2 },
  },
  {
    name: '2011-2023',
    years: {
      '2011-2012': 2,
      '2013-2014': 2,
      '2015-2016': 2,
      // This cycle contains all people of 2017-2018, so 2017-2018 is not read.
      '2017-Mar2020': 3.2,
      'Aug2021-Aug2023': 2,
    },
  },
];

/**
 * Middle of each cycle whose means are written separately. 2007-2010 is left out, because an evaluation leaves these
 * years out of the fit.
 */
const CYCLE_YEARS: Readonly<Record<string, number>> = {
  '1999-2000': 2000,
  '2001-2002': 2002,
  '2003-2004': 2004,
  '2005-2006': 2006,
  '2011-2012': 2012,
  '2013-2014': 2014,
  '2015-2016': 2016,
  '2017-Mar2020': 2018.6,
  'Aug2021-Aug2023': 2022.6,
};
const CYCLES: readonly Period[] = Object.keys(CYCLE_YEARS).map((name) => {
  return { name, years: { [name]: 1 } };
});

/** The periods whose spreads at exact ages are written. The spreads of the model are fitted to the second one. */
const EXACT_PERIODS: readonly Period[] = [
  {
    name: '1999-2010',
    years: { ...PERIODS[0]?.years, '2007-2008': 2, '2009-2010': 2 },
  },
  { name: '2011-2023', years: { ...PERIODS[1]?.years } },
];

const VARIABLES: readonly PersonVariable[] = [
  ...dimensionVariables(dimensionsOf('nhanes')),
  { name: 'BodyMass', unit: 'kg', sql: 'BMXWT' },
  {
    name: 'Bmi',
    unit: 'kg/m2',
    sql: 'CASE WHEN age_years >= 2 THEN BMXWT / (BMXHT / 100) ** 2 END',
  },
  { name: 'AgeYears', unit: 'years', sql: 'age_years', linear: true },
];

const NUMBERS = [
  ...['SEQN', 'RIAGENDR', 'RIDAGEYR', 'RIDAGEMN', 'RIDAGEEX', 'RIDEXAGM', 'RIDEXPRG', 'WTMEC'],
  ...columnsOf(VARIABLES).filter((name) => /^BM/.test(name)),
];

const ADULT = 'RIDAGEYR >= 20';

function adultMedian(column: string, unit: string, low: number, high: number): FigureCheck {
  return [`adult median of ${column} (${unit})`, `median(${column})`, low, high, ADULT];
}

/** Checks the weighted mean of a column against a figure that CDC published. */
function cdcMean(what: string, where: string, column: string, expected: number): FigureCheck {
  return [
    `${what} (CDC: ${expected})`,
    `sum(${column} * WTMEC) / sum(WTMEC)`,
    Number((expected * 0.9985).toPrecision(6)),
    Number((expected * 1.0015).toPrecision(6)),
    `${where} AND ${column} IS NOT NULL AND coalesce(RIDEXPRG, 0) <> 1`,
  ];
}

const IN_2003_2006 = `cycle IN ('2003-2004', '2005-2006')`;

const FIGURES: readonly FigureCheck[] = [
  ['number of cycles', 'count(DISTINCT cycle)', 12, 12],
  cdcMean(
    'stature of men 20-29 in 2003-2006, cm',
    `${IN_2003_2006} AND RIAGENDR = 1 AND RIDAGEYR BETWEEN 20 AND 29`,
    'BMXHT',
    177.6,
  ),
  adultMedian('BMXHT', 'cm', 160, 175),
  adultMedian('BMXWT', 'kg', 70, 90),
  adultMedian('BMXLEG', 'cm', 35, 44),
  adultMedian('BMXCALF', 'cm', 34, 42),
  adultMedian('BMXARML', 'cm', 33, 41),
  adultMedian('BMXARMC', 'cm', 29, 37),
  adultMedian('BMXWAIST', 'cm', 88, 108),
  adultMedian('BMXTHICR', 'cm', 46, 58),
  adultMedian('BMDAVSAD', 'cm', 18, 27),
  adultMedian('BMXHIP', 'cm', 95, 115),
  ['median of BMXHEAD (cm)', 'median(BMXHEAD)', 37, 46],
  ['median of BMXRECUM (cm)', 'median(BMXRECUM)', 65, 95],
];

/** SQL for the years of data behind a person's weight. It is null for cycles outside the periods. */
function yearsSql(periods: readonly Period[]): string {
  const cases = periods.flatMap((period) =>
    Object.entries(period.years).map(([cycle, years]) => `WHEN '${cycle}' THEN ${years}`),
  );
  return `CASE cycle ${cases.join(' ')} END`;
}

function periodSql(periods: readonly Period[]): string {
  const cases = periods.flatMap((period) =>
    Object.keys(period.years).map((cycle) => `WHEN '${cycle}' THEN '${period.name}'`),
  );
  return `CASE cycle ${cases.join(' ')} END`;
}

/** SQL for the age group: from the age in whole months under two years, and in whole years above. */
const GROUP_SQL = `CASE
  WHEN age_months < 3 THEN 'm0-2'
  WHEN age_months < 6 THEN 'm3-5'
  WHEN age_months < 9 THEN 'm6-8'
  WHEN age_months < 12 THEN 'm9-11'
  WHEN age_months < 18 THEN 'm12-17'
  WHEN age_months < 24 THEN 'm18-23'
  WHEN whole_years < 20 THEN CAST(whole_years AS VARCHAR)
  WHEN whole_years >= 80 THEN '80+'
  ELSE CAST(whole_years // 5 * 5 AS VARCHAR) || '-' || CAST(whole_years // 5 * 5 + 4 AS VARCHAR)
END`;

/**
 * SQL for the examined people of periods: row_id, gender, age_group (with the period), sample_weight, whole_years,
 * age_years, and the columns of the file. Pregnant women are left out.
 */
export function nhanesPeopleSql(table: string, periods: readonly Period[]): string {
  return `
    WITH examined AS (
      SELECT *, ${periodSql(periods)} AS period, WTMEC * ${yearsSql(periods)} AS sample_weight,
        CASE WHEN RIAGENDR = 1 THEN 'Male' ELSE 'Female' END AS gender,
        -- Months at the examination, of minors only; where not released, at the interview.
        CASE WHEN RIDAGEYR < 20 THEN coalesce(RIDEXAGM, RIDAGEEX, RIDAGEMN) END AS age_months
      FROM ${table}
      WHERE ${periodSql(periods)} IS NOT NULL AND WTMEC > 0 AND coalesce(RIDEXPRG, 0) <> 1),
    aged AS (
      SELECT *,
        CAST(CASE WHEN age_months IS NULL THEN RIDAGEYR ELSE floor(age_months / 12) END
          AS INTEGER) AS whole_years,
        CASE WHEN age_months IS NULL THEN RIDAGEYR + 0.5 ELSE (age_months + 0.5) / 12 END
          AS age_years
      FROM examined WHERE RIDAGEYR >= 2 OR age_months IS NOT NULL)
    SELECT *, period || '/' || ${GROUP_SQL} AS age_group FROM aged`;
}

/** Dimensions measured on fewer people than stature and BMI: the hip since 2017, the others in some cycles. */
const SUBSAMPLED = [
  ...['AcromionOlecranonLength', 'UpperArmCircumferenceMidpoint', 'WaistCircumferenceIliac'],
  ...['HipCircumferenceMax', 'CalfCircumference', 'ThighCircumferenceMidpoint'],
  ...['SagittalAbdominalDiameter', 'UpperLegLength'],
];

/** NHANES 1999-2023: US population, weighted; cm converted to mm. */
export const NHANES: Importer = {
  source: 'nhanes',
  files: [
    {
      label: 'NHANES 1999-2023 body measures with demographics, merged and compressed',
      rows: 119_926,
      numbers: NUMBERS,
      texts: ['cycle'],
      figures: FIGURES,
    },
  ],
  async build({ connection, tables, log }) {
    await createPeople(connection, nhanesPeopleSql(tables[0] ?? '', PERIODS), VARIABLES);
    const pooled = [
      ...(await surveyStatistics(connection, VARIABLES, log)),
      await subsampleStatistics(connection, SUBSAMPLED, true),
      await tailPercentiles(connection, ['Stature', ...SUBSAMPLED]),
    ];
    await createPeople(connection, nhanesPeopleSql(tables[0] ?? '', CYCLES), VARIABLES);
    const cycles = await cycleMeans(connection, CYCLE_YEARS);
    await createPeople(connection, nhanesPeopleSql(tables[0] ?? '', EXACT_PERIODS), [
      ...VARIABLES,
      { name: 'AgeMonths', unit: 'years', sql: 'age_months', linear: true },
    ]);
    return [...pooled, cycles, await exactAges(connection)];
  },
};
