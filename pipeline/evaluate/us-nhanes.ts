import { index } from 'd3-array';
import { GENDERS, type Gender, perGender } from '../../src/core/genders.js';
import type { MeasurementName } from '../../src/core/measurements.js';
import { zOfPercentile } from '../../src/lookup/cell.js';
import { meanAge } from '../fit/covariates/group-covariates.js';
import type { Fit } from '../fit/fit-model.js';
import { fitCarryOver } from '../fit/regressions/carry-over.js';
import type { MilitarySources } from '../fit/regressions/military-fit.js';
import type { FittedModel } from '../model/fitted-model.js';
import { Populations } from '../model/population.js';
import { lnQuantileOf } from '../numerics/marginal.js';
import { YEARS_FROM_AGE } from '../plans/axes.js';
import type { RawTables } from '../raw-tables/raw-tables.js';
import type { Rows } from '../raw-tables/source-tables.js';
import type { SurveyGroup } from '../raw-tables/surveys.js';
import type { Asked } from './asked.js';
import { agesOfGroup, type Quantile, quantileOfGroup } from './over-year.js';
import { exactModelOfPeriod } from './sized-model.js';

/**
 * Relation of the model to the survey's figures. `fitted`: the model is fitted to the figures. `left out`: the model
 * predicts them from the military surveys and the other girths of NHANES. `other definition`: the survey defines the
 * dimension differently.
 */
type NhanesStatus = 'fitted' | 'left out' | 'other definition';

/** Percentiles compared. */
const NHANES_PERCENTILES = [0.5, 1, 5, 50, 95, 99, 99.5] as const;
type NhanesPercentile = (typeof NHANES_PERCENTILES)[number];

/** Error of one percentile of one dimension in one age group: model − survey, in SD of the group. */
export interface NhanesError extends Compared {
  readonly gender: Gender;
  readonly ageGroup: string;
  readonly ageYears: number;
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
  /** Name of the survey's variable. It differs from the dimension's name if the definition differs. */
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

/** A group of NHANES with its outermost percentiles, by variable. */
interface Group {
  readonly gender: Gender;
  readonly ages: string;
  readonly ageYears: number;
  readonly moments: SurveyGroup['moments'];
  readonly tails: ReadonlyMap<string, Rows[number]>;
}

/** Compares a dimension with the groups of its period. */
function compare(
  { nhanes }: FittedModel,
  quantileAt: QuantileAt,
  groups: readonly Group[],
  compared: Compared,
): NhanesError[] {
  const { measurement, variable, period } = compared;
  return groups.flatMap(({ gender, ages, ageYears, moments, tails }) => {
    const moment = moments.get(variable);
    if (!ages.startsWith(period) || moment === undefined) return [];
    const { lnOfSurvey } = nhanes[gender].get(measurement) ?? {};
    const quantile = quantileOfGroup(agesOfGroup(ageYears), (age) => {
      const own = quantileAt(gender, measurement, age);
      const read = lnOfSurvey === undefined ? 1 : Math.exp(lnOfSurvey(age));
      return (z) => read * own(z);
    });
    const { n, sd, p1, p5, p50, p95, p99 } = moment;
    const { p0_5: lowest, p99_5: highest } = tails.get(variable) ?? {};
    const seen = { 0.5: lowest, 1: p1, 5: p5, 50: p50, 95: p95, 99: p99, 99.5: highest };
    return NHANES_PERCENTILES.flatMap((percentile): NhanesError[] => {
      const observed = seen[percentile];
      if (typeof observed !== 'number') return [];
      const errorSd = (quantile(zOfPercentile(percentile)) - observed) / sd;
      const twoSe = (2 * standardErrorMm(quantile, percentile, n)) / sd;
      const within = Math.abs(errorSd) <= Math.max(askedSd(percentile), twoSe);
      const about = { gender, ageGroup: ages.slice(period.length), ageYears, ...compared, n };
      return [{ ...about, percentile, errorSd, twoSe, within }];
    });
  });
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
  { sources, tables: { nhanes } }: Fit,
  tables: RawTables,
): Promise<NhanesError[]> {
  const outermost = index(
    await tables.rows('nhanes', 'tails', 'gender, age_group, variable'),
    ({ gender, age_group }) => `${gender}|${age_group}`,
    ({ variable }) => String(variable),
  );
  const groups = GENDERS.flatMap((gender) =>
    nhanes.groupsOf(gender).flatMap(([ages, group]): Group[] => {
      if (ages.includes('/m')) return [];
      const tails = outermost.get(`${gender}|${ages}`) ?? new Map();
      return [{ gender, ages, ageYears: meanAge(ages, group), moments: group.moments, tails }];
    }),
  );
  const served = COMPARED.flatMap((compared) => {
    return compare(model, servedIn(asked, compared.period), groups, compared);
  });
  const leftOut = COMPARED.flatMap((compared) => {
    const { measurement, status, period } = compared;
    if (status !== 'fitted' || measurement === 'Stature') return [];
    const unseen = withoutNhanes(model, sources, measurement);
    const sized =
      period === RECENT ? unseen : exactModelOfPeriod(unseen, nhanes, period.slice(0, -1));
    return compare(model, modelled(sized), groups, { ...compared, status: 'left out' });
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
