import { GENDERS, type Gender, perGender } from '../../src/core/genders.js';
import type { MeasurementName } from '../../src/core/measurements.js';
import { zOfPercentile } from '../../src/lookup/cell.js';
import { OLDEST_GROUP_YEARS } from '../fit/covariates/smoothing.js';
import { fitCarryOver } from '../fit/regressions/carry-over.js';
import type { MilitarySources } from '../fit/regressions/military-fit.js';
import type { FittedModel } from '../model/fitted-model.js';
import { Populations } from '../model/population.js';
import { lnQuantileOf } from '../numerics/marginal.js';
import { YEARS_FROM_AGE } from '../plans/axes.js';
import type { CellValue, RawTables } from '../raw-tables/raw-tables.js';
import { readSurvey } from '../raw-tables/surveys.js';
import type { Asked } from './asked.js';
import { agesOfGroup, type Quantile, quantileOfGroup } from './over-year.js';
import { exactModelOfPeriod } from './sized-model.js';

/**
 * Relation of the model to the survey's figures. `fitted`: the model is fitted to the figures. `left out`: the model
 * predicts them from the military surveys and the other girths of NHANES. `other definition`: the survey defines the
 * dimension differently.
 */
export type NhanesStatus = 'fitted' | 'left out' | 'other definition';

/** Percentiles compared. */
export const NHANES_PERCENTILES = [0.5, 1, 5, 50, 95, 99, 99.5] as const;
export type NhanesPercentile = (typeof NHANES_PERCENTILES)[number];

/** Error of one percentile of one dimension in one age group: model − survey, in SD of the group. */
export interface NhanesError {
  readonly gender: Gender;
  readonly ageGroup: string;
  readonly ageYears: number;
  readonly measurement: MeasurementName;
  /** Name of the survey's variable. It differs from the dimension's name if the definition differs. */
  readonly variable: string;
  readonly period: string;
  readonly status: NhanesStatus;
  readonly n: number;
  readonly percentile: NhanesPercentile;
  readonly errorSd: number;
  /** Two standard errors of the survey's percentile, in SD. */
  readonly twoSe: number;
  /**
   * Whether the error is within 0.05 SD at the median or 0.10 SD in the tails, or within two standard errors if these
   * are more.
   */
  readonly within: boolean;
}

const RECENT = '2011-2023/';
const EARLIER = '1999-2006/';
type Period = typeof RECENT | typeof EARLIER;
/** Middle years of the periods. */
const YEAR_OF: Readonly<Record<Period, number>> = { [RECENT]: 2017, [EARLIER]: 2003 };
const askedSd = (percentile: NhanesPercentile): number => (percentile === 50 ? 0.05 : 0.1);

interface Compared {
  readonly measurement: MeasurementName;
  readonly variable: string;
  readonly period: Period;
  readonly status: NhanesStatus;
}

const sameName = (measurement: MeasurementName, period: Period): Compared => {
  return { measurement, variable: measurement, period, status: 'fitted' };
};
const named = (
  measurement: MeasurementName,
  variable: string,
  status: NhanesStatus = 'other definition',
): Compared => ({ measurement, variable, period: RECENT, status });

/** NHANES variables and the dimensions they are compared with. */
const COMPARED: readonly Compared[] = [
  sameName('Stature', RECENT),
  sameName('HipCircumferenceMax', RECENT),
  sameName('UpperArmCircumferenceMidpoint', RECENT),
  sameName('CalfCircumference', EARLIER),
  sameName('ThighCircumferenceMidpoint', EARLIER),
  named('WaistCircumferenceAbdominal', 'WaistCircumferenceIliac', 'fitted'),
  named('SittingUpperLegLength', 'UpperLegLength', 'fitted'),
  named('AbdominalDepth', 'SagittalAbdominalDiameter'), // Measured lying, not sitting.
  named('ShoulderElbowLength', 'AcromionOlecranonLength'), // A tape along the arm's back.
];

/** Standard error of a percentile: √(p (1 − p) ÷ n) ÷ density (Cramér 1946, 28.5). */
function standardErrorMm(
  quantile: (z: number) => number,
  percentile: NhanesPercentile,
  n: number,
): number {
  const z = zOfPercentile(percentile);
  const density = Math.exp(-(z * z) / 2) / Math.sqrt(2 * Math.PI);
  const mmPerZ = (quantile(z + 0.01) - quantile(z - 0.01)) / 0.02;
  const p = percentile / 100;
  return ((mmPerZ / density) * Math.sqrt(p * (1 - p))) / Math.sqrt(n);
}

const columnOf = (percentile: NhanesPercentile): string =>
  `p${String(percentile).replace('.', '_')}`;

function errorsOf(
  row: Record<string, CellValue>,
  compared: Compared,
  ageYears: number,
  quantileAt: QuantileAt,
  { nhanes }: FittedModel,
): NhanesError[] {
  const gender = row.gender as Gender;
  const { lnOfSurvey } = nhanes[gender].get(compared.measurement) ?? {};
  const quantile = quantileOfGroup(agesOfGroup(ageYears), (age) => {
    const own = quantileAt(gender, compared.measurement, age);
    const read = Math.exp(lnOfSurvey?.(age) ?? 0);
    return (z) => read * own(z);
  });
  const [n, sd] = [Number(row.n), Number(row.sd)];
  return NHANES_PERCENTILES.flatMap((percentile) => {
    const observed = row[columnOf(percentile)];
    if (typeof observed !== 'number') return [];
    const predicted = quantile(zOfPercentile(percentile));
    const errorSd = (predicted - observed) / sd;
    const twoSe = (2 * standardErrorMm(quantile, percentile, n)) / sd;
    return {
      gender,
      ageGroup: String(row.age_group).slice(compared.period.length),
      ageYears,
      ...compared,
      n,
      percentile,
      errorSd,
      twoSe,
      within: Math.abs(errorSd) <= Math.max(askedSd(percentile), twoSe),
    };
  });
}

/** Quantiles (mm) of a dimension of Americans at an exact age. */
type QuantileAt = (gender: Gender, measurement: MeasurementName, ageYears: number) => Quantile;

/** Those of a model. */
function modelled(model: FittedModel): QuantileAt {
  const populations = new Populations(model);
  return (gender, measurement, ageYears) => {
    const ln = lnQuantileOf(populations.of(gender, 'US').at(ageYears).marginal(measurement));
    return (z) => Math.exp(ln(z));
  };
}

/** Those that are served for the middle of a period. Small children have no other year than the reference year. */
function servedIn(asked: Asked, period: Period): QuantileAt {
  return (gender, measurement, ageYears) => {
    const people = { gender, country: 'US', ageYears } as const;
    const dated = ageYears < YEARS_FROM_AGE ? people : { ...people, year: YEAR_OF[period] };
    const curve = asked.known(measurement, dated);
    return (z) => curve.at(z);
  };
}

function compare(
  model: FittedModel,
  quantileAt: QuantileAt,
  rows: readonly Record<string, CellValue>[],
  compareds: readonly Compared[],
  ageOf: (gender: string, group: string) => number | undefined,
): NhanesError[] {
  const errors: NhanesError[] = [];
  for (const gender of GENDERS) {
    for (const row of rows) {
      const group = String(row.age_group);
      if (row.gender !== gender) continue;
      const compared = compareds.find(
        (c) => c.variable === row.variable && group.startsWith(c.period),
      );
      const ageYears = ageOf(gender, group);
      if (compared === undefined || ageYears === undefined) continue;
      errors.push(...errorsOf(row, compared, ageYears, quantileAt, model));
    }
  }
  return errors;
}

/** The model as it would be if NHANES had not measured one dimension. */
export function withoutNhanes(
  model: FittedModel,
  sources: MilitarySources,
  measurement: MeasurementName,
): FittedModel {
  const nhanes = perGender(
    (gender) => new Map([...model.nhanes[gender]].filter(([name]) => name !== measurement)),
  );
  return { ...model, nhanes, carryOver: fitCarryOver(sources, nhanes, model.military) };
}

/**
 * Compares the answers for the United States with NHANES 2011–2023: every year of age from 2 in childhood, mixed over
 * the ages of the year, and every adult age group. Calf and thigh were last measured in 1999–2006. The answers are those
 * for the middle of the period. Each fitted dimension is also compared with a model that has not seen it in NHANES, and
 * that is given the people's stature and BMI. The standard errors are those of a simple random sample. The true ones are
 * larger, because NHANES samples in clusters.
 */
export async function scoreNhanes(
  asked: Asked,
  model: FittedModel,
  sources: MilitarySources,
  tables: RawTables,
): Promise<NhanesError[]> {
  const byCell = 'gender, age_group, variable';
  const keyOf = (row: Record<string, CellValue>): string =>
    `${row.gender}|${row.age_group}|${row.variable}`;
  const outermost = new Map(
    (await tables.rows('nhanes', 'tails', byCell)).map((row) => [keyOf(row), row]),
  );
  const rows = (await tables.rows('nhanes', 'moments', byCell)).map((row) => {
    const tails = outermost.get(keyOf(row));
    return tails === undefined
      ? row
      : { ...row, p0_5: tails.p0_5 ?? null, p99_5: tails.p99_5 ?? null };
  });
  const ages = new Map(
    rows
      .filter((row) => row.variable === 'AgeYears' && !String(row.age_group).includes('/m'))
      .map((row) => [`${row.gender}|${row.age_group}`, Number(row.mean)]),
  );
  const ageOf = (gender: string, group: string): number | undefined =>
    group.endsWith('80+') ? OLDEST_GROUP_YEARS : ages.get(`${gender}|${group}`);
  const nhanes = await readSurvey(tables, 'nhanes');
  const served = COMPARED.flatMap((compared) => {
    return compare(model, servedIn(asked, compared.period), rows, [compared], ageOf);
  });
  const leftOut = COMPARED.flatMap((compared) => {
    const { measurement, status, period } = compared;
    if (status !== 'fitted' || measurement === 'Stature') return [];
    const unseen = withoutNhanes(model, sources, measurement);
    const sized =
      period === RECENT ? unseen : exactModelOfPeriod(unseen, nhanes, period.slice(0, -1));
    const without = { ...compared, status: 'left out' } as const;
    return compare(model, modelled(sized), rows, [without], ageOf);
  });
  const order = (error: NhanesError): number =>
    COMPARED.findIndex(({ measurement }) => measurement === error.measurement);
  return [...served, ...leftOut].sort(
    (a, b) =>
      order(a) - order(b) ||
      a.status.localeCompare(b.status) ||
      GENDERS.indexOf(a.gender) - GENDERS.indexOf(b.gender) ||
      a.ageYears - b.ageYears ||
      a.percentile - b.percentile,
  );
}
