import { GENDERS, type Gender } from '../../src/core/genders.js';
import type { MeasurementName } from '../../src/core/measurements.js';
import { lnQuantile } from '../fit/dimension.js';
import { type Cohort, type FittedModel, Population } from '../fit/population.js';
import { groupDrivers } from '../fit/us-drivers.js';
import type { Cell, RawTables } from '../tables/database.js';
import { readSurvey, type Survey } from '../tables/surveys.js';
import { type SizedAge, sizedModel } from './sized-model.js';

/** One percentile of one dimension in one age group: model less survey, in the group's SD. */
export interface NhanesError {
  readonly gender: Gender;
  readonly ageGroup: string;
  readonly ageYears: number;
  readonly measurement: MeasurementName;
  /** The survey's variable; another name where the definition is another. */
  readonly variable: string;
  readonly sameDefinition: boolean;
  readonly period: string;
  /** The model was fitted to these very figures. */
  readonly inSample: boolean;
  readonly n: number;
  readonly percentile: 5 | 50 | 95;
  readonly errorSd: number;
  /** Two standard errors of the survey's own percentile, in SD. */
  readonly twoSe: number;
  /** What is asked: 0.05 SD at the median, 0.10 at the tails, or two standard errors if more. */
  readonly within: boolean;
}

const RECENT = '2011-2023/';
const EARLIER = '1999-2006/';
type Period = typeof RECENT | typeof EARLIER;
const OLDEST_GROUP_YEARS = 84.5;
const Z = { 5: -1.6448536269514722, 50: 0, 95: 1.6448536269514722 } as const;
/** √(p (1 − p)) ÷ φ(z): standard error of a normal percentile for one person, in SD. */
const SE_OF_ONE = { 5: 2.1132, 50: 1.2533, 95: 2.1132 } as const;
const ASKED = { 5: 0.1, 50: 0.05, 95: 0.1 } as const;

interface Compared {
  readonly measurement: MeasurementName;
  readonly variable: string;
  readonly period: Period;
  readonly sameDefinition: boolean;
}

const alike = (measurement: MeasurementName, period: Period): Compared => {
  return { measurement, variable: measurement, period, sameDefinition: true };
};
const otherwise = (measurement: MeasurementName, variable: string): Compared => {
  return { measurement, variable, period: RECENT, sameDefinition: false };
};

/** NHANES variables and the dimensions they are compared with. */
const COMPARED: readonly Compared[] = [
  alike('Stature', RECENT),
  alike('HipCircumferenceMax', RECENT),
  alike('UpperArmCircumferenceMidpoint', RECENT),
  alike('CalfCircumference', EARLIER),
  alike('ThighCircumferenceMidpoint', EARLIER),
  otherwise('WaistCircumferenceAbdominal', 'WaistCircumferenceIliac'), // At the iliac crest.
  otherwise('AbdominalDepth', 'SagittalAbdominalDiameter'), // Lying, not sitting.
  otherwise('ShoulderElbowLength', 'AcromionOlecranonLength'), // A tape along the arm's back.
];

/**
 * Dimensions whose US level is fitted to NHANES itself, so that their scores are in-sample. Whoever
 * calibrates another dimension to NHANES adds it here.
 */
const FITTED: ReadonlySet<string> = new Set(['Stature']);

function errorsOf(
  row: Record<string, Cell>,
  compared: Compared,
  cohort: Cohort,
  ageYears: number,
): NhanesError[] {
  const marginal = cohort.marginal(compared.measurement);
  const [n, sd] = [Number(row.n), Number(row.sd)];
  return ([5, 50, 95] as const).map((percentile) => {
    const predicted = Math.exp(lnQuantile(marginal, Z[percentile]));
    const errorSd = (predicted - Number(row[`p${percentile}`])) / sd;
    const twoSe = (2 * SE_OF_ONE[percentile]) / Math.sqrt(n);
    return {
      gender: row.gender as Gender,
      ageGroup: String(row.age_group).slice(compared.period.length),
      ageYears,
      ...compared,
      inSample: FITTED.has(compared.measurement),
      n,
      percentile,
      errorSd,
      twoSe,
      within: Math.abs(errorSd) <= Math.max(ASKED[percentile], twoSe),
    };
  });
}

function compare(
  model: FittedModel,
  rows: readonly Record<string, Cell>[],
  period: Period,
  ageOf: (gender: string, group: string) => number | undefined,
): NhanesError[] {
  const errors: NhanesError[] = [];
  for (const gender of GENDERS) {
    const population = new Population(model, gender, 'US');
    const cohorts = new Map<string, Cohort>();
    for (const row of rows) {
      const group = String(row.age_group);
      if (row.gender !== gender || !group.startsWith(period)) continue;
      const compared = COMPARED.find((c) => c.variable === row.variable && c.period === period);
      const ageYears = ageOf(gender, group);
      if (compared === undefined || ageYears === undefined) continue;
      const cohort = cohorts.get(group) ?? population.at(ageYears);
      cohorts.set(group, cohort);
      errors.push(...errorsOf(row, compared, cohort, ageYears));
    }
  }
  return errors;
}

/** The model with the stature and BMI of the earlier period at every age. */
function modelOfEarlier(
  model: FittedModel,
  nhanes: Survey,
  ageOf: (gender: string, group: string) => number | undefined,
): FittedModel {
  const agesOf = (gender: Gender): SizedAge[] =>
    [...nhanes.groups].flatMap(([key, group]) => {
      const [groupGender = '', ageGroup = ''] = key.split('|');
      const ageYears = ageOf(gender, ageGroup);
      const other = groupGender !== gender || !ageGroup.startsWith(EARLIER);
      return other || ageYears === undefined ? [] : [{ ageYears, drivers: groupDrivers(group) }];
    });
  const ages = { Male: agesOf('Male'), Female: agesOf('Female') };
  return sizedModel(model, ages, Number.POSITIVE_INFINITY);
}

/**
 * Compares the model's own United States, drivers and all, with NHANES 2011–2023: every child year
 * from 2, every adult age group. Calf and thigh were last measured in 2006; they are compared at the
 * stature and BMI of 1999–2006. The standard errors are those of a simple random sample; NHANES'
 * clusters make them larger in truth.
 */
export async function scoreNhanes(model: FittedModel, tables: RawTables): Promise<NhanesError[]> {
  const rows = await tables.rows('nhanes', 'moments', 'gender, age_group, variable');
  const ages = new Map(
    rows
      .filter((row) => row.variable === 'AgeYears' && !String(row.age_group).includes('/m'))
      .map((row) => [`${row.gender}|${row.age_group}`, Number(row.mean)]),
  );
  const ageOf = (gender: string, group: string): number | undefined =>
    group.endsWith('80+') ? OLDEST_GROUP_YEARS : ages.get(`${gender}|${group}`);
  const nhanes = await readSurvey(tables, 'nhanes');
  const errors = [
    ...compare(model, rows, RECENT, ageOf),
    ...compare(modelOfEarlier(model, nhanes, ageOf), rows, EARLIER, ageOf),
  ];
  return errors.sort(
    (a, b) =>
      COMPARED.findIndex(({ variable }) => variable === a.variable) -
        COMPARED.findIndex(({ variable }) => variable === b.variable) ||
      GENDERS.indexOf(a.gender) - GENDERS.indexOf(b.gender) ||
      a.ageYears - b.ageYears ||
      a.percentile - b.percentile,
  );
}
