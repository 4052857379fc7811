import type { Gender } from '../../../src/core/genders.js';
import { memoisePopulations } from '../../model/covariates.js';
import { type DampedTrend, fitTrend, projected } from '../../numerics/damped-trend.js';
import { interpolate, mean } from '../../numerics/numbers.js';
import { FIRST_YEAR, REFERENCE_YEAR, YEARS } from '../../plans/axes.js';
import { ByPopulation, type Rows } from '../../raw-tables/by-population.js';
import { cleaned } from './bmi-grid.js';
import { BMI_NEIGHBOURS } from './country-bmi.js';

/** Source of the BMI of adults by year. */
export const BMI_YEARS_SOURCE = 'ncdrisc-2024-bmi-years';
/** Years between two rows of the table. */
const BMI_STEP_YEARS = 4;
/** Years of the table; the later ones of `YEARS` are projected. */
export const BMI_YEARS = YEARS.filter((year) => year <= REFERENCE_YEAR);
/** First ages of the table's groups. */
const AGES_FROM = [18, ...Array.from({ length: 14 }, (_, i) => 20 + 5 * i)];
/** Middle of each group; the open group of 85 and over is placed at 87. */
const GROUP_AGES = AGES_FROM.map((from) => (from === 18 ? 19 : from === 85 ? 87 : from + 2.5));
/**
 * Lowest limit of the classes behind the fits, kg/m². If more than half of the people are in the open class
 * below it, a fit only tells that the median is lower: its mean runs away downwards and its spread upwards.
 * The mean is then held at the limit, and the spread comes from neighbouring cells.
 */
const LN_LOWEST_LIMIT = Math.log(18.5);
/** Steps ahead for which the trend is fitted. The last year is three and a quarter steps ahead. */
export const BMI_TREND_STEPS = 3;

/** BMI of one country and gender by year: mean and ln SD of ln BMI, [age group][year of the table]. */
export interface BmiSeries {
  readonly mean: readonly (readonly number[])[];
  readonly lnSd: readonly (readonly number[])[];
}

/** Mean and ln SD of ln BMI. */
export interface LnBmi {
  readonly mean: number;
  readonly lnSd: number;
}

/** A record with the same figure of mean and spread. */
const ofBoth = <T>(make: (field: keyof LnBmi) => T): Record<keyof LnBmi, T> => {
  return { mean: make('mean'), lnSd: make('lnSd') };
};

/** Mean and SD of ln X for the lognormal X that has the mean and variance of a gamma. */
function lnMoments(shape: number, scale: number): { mean: number; sd: number } {
  const variance = Math.log(1 + 1 / shape);
  return { mean: Math.log(shape * scale) - variance / 2, sd: Math.sqrt(variance) };
}

/** Change of BMI since the reference year, in ln units. */
type BmiChange = (gender: Gender, country: string, ageYears: number, year: number) => LnBmi;

/**
 * The series of the table, without bad fits and gaps.
 *
 * @param lastYear last year of the series; later years count as unknown
 */
export function bmiSeries(rows: Rows, lastYear: number = REFERENCE_YEAR): ByPopulation<BmiSeries> {
  const years = BMI_YEARS.filter((year) => year <= lastYear);
  const empty = () => AGES_FROM.map(() => years.map((): number | undefined => undefined));
  const known = rows.filter((row) => Number(row.year) <= lastYear);
  const grids = ByPopulation.of(known, (own) => {
    const grid = ofBoth(empty);
    for (const row of own) {
      const group = AGES_FROM.indexOf(Number(row.age_min));
      const year = (Number(row.year) - FIRST_YEAR) / BMI_STEP_YEARS;
      const moments = lnMoments(Number(row.shape), Number(row.scale));
      grid.mean[group][year] = Math.max(moments.mean, LN_LOWEST_LIMIT);
      if (moments.mean >= LN_LOWEST_LIMIT) grid.lnSd[group][year] = Math.log(moments.sd);
    }
    return grid;
  });
  const clean = ofBoth((field) => cleaned(grids.values.map((grid) => grid[field])));
  return grids.map((_, __, i) => ofBoth((field) => clean[field][i]));
}

/** Changes since the reference year, [year of `YEARS`][age group]. */
function changesOf(series: readonly (readonly number[])[], { phi }: DampedTrend): number[][] {
  const reference = BMI_YEARS.length - 1;
  return YEARS.map((year, i) =>
    series.map((ofGroup) => {
      const steps = (year - REFERENCE_YEAR) / BMI_STEP_YEARS;
      const value = steps <= 0 ? ofGroup[i] : projected(ofGroup, steps, phi);
      return value - ofGroup[reference];
    }),
  );
}

/** The mean of several countries' changes. */
function averaged(all: readonly number[][][]): number[][] {
  return YEARS.map((_, y) => GROUP_AGES.map((_, a) => mean(all.map((changes) => changes[y]?.[a]))));
}

/**
 * Fits the change of adults' BMI since the reference year to the table of BMI by year. A damped trend
 * continues the change. The table gives only changes, because its level is that of an earlier run of the
 * same fits.
 */
export function fitBmiYears(rows: Rows): BmiChange {
  const bySeries = bmiSeries(rows);
  const trends = ofBoth((field) =>
    fitTrend(
      bySeries.values.flatMap((series) => series[field]),
      BMI_TREND_STEPS,
    ),
  );
  const changes = bySeries.map((series) =>
    ofBoth((field) => changesOf(series[field], trends[field])),
  );
  const known = memoisePopulations((gender, country) => {
    const of = (one: string) => changes.known(gender, one, BMI_YEARS_SOURCE);
    const neighbours = BMI_NEIGHBOURS[country]?.map(of);
    if (neighbours === undefined) return of(country);
    return ofBoth((field) => averaged(neighbours.map((change) => change[field])));
  });
  return (gender, country, ageYears, year) => {
    const of = known(gender, country);
    return ofBoth((field) =>
      interpolate(
        YEARS,
        of[field].map((ofYear) => interpolate(GROUP_AGES, ofYear, ageYears)),
        year,
      ),
    );
  };
}
