import { type Gender, perGender } from '../../../src/core/genders.js';
import {
  type ByAge,
  type ByCountry,
  type Covariates,
  memoisePopulations,
} from '../../model/covariates.js';
import type { CohortStatures } from '../../model/fitted-model.js';
import { localLinear, memoise } from '../../numerics/numbers.js';
import { REFERENCE_YEAR } from '../../plans/axes.js';
import { ByPopulation, type Rows } from '../../raw-tables/by-population.js';
import { type Genders, gapError, TRUE_GAP_SD, worldGap } from './gender-gaps.js';

/** Year that the table describes. */
const TABLE_YEAR = 2019;
/** Year of birth of the people of 19 in the table. */
const LAST_BIRTH_YEAR = 2000;
/** Half width in years of the window over which a country's ratio to the US is smoothed. */
const RATIO_WINDOW = 3;
/** Half width in years for the bias of the table, which bends where children grow fastest. */
const BIAS_WINDOW = 2.2;
/**
 * Share of the table's difference from NHANES that other countries are assumed to have too. The table draws
 * the growth of all countries with one smooth family of curves, so countries share a part of its error. One
 * country cannot tell the shared part from its own. If both parts have the same variance, half is the best
 * prediction.
 */
const COMMON_BIAS = 0.5;

/** Age from which gaps of genders truly differ by more than `TRUE_GAP_SD`, because puberty has its own time. */
const PUBERTY_FROM = 10;

/** The heights of one population by age. */
export const lnHeights = (rows: Rows) => ({
  ages: rows.map((row) => Number(row.age_years) + 0.5), // The table's ages are completed years.
  ln: rows.map((row) => Math.log(Number(row.mean_mm))),
});

/** Stature of children by country. */
export interface ChildStature {
  /** Mean ln stature at 5 to 20 years minus that of the US. */
  readonly shift: ByCountry;
  /** ln of the table's height at 19 over that at 18 completed years. */
  readonly lastStep: (gender: Gender, country: string) => number;
}

/**
 * Mean ln stature of a country's children of 5 to 20 years minus that of the US. The level comes from the
 * table's heights at 5 to 19 completed years, smoothed over age. Half of the table's error in the US is
 * subtracted. Children of 2022 were born three years later than those of the table. They are taller
 * by the growth of the cohorts of adults in these years. A country's gap between the genders is shrunk to the world's.
 *
 * @param rows the table; undefined where it was left out
 * @param us covariates of the US
 * @returns undefined without the table
 */
export function childStature(
  rows: Rows | undefined,
  cohorts: CohortStatures,
  us: ByAge<Covariates>,
): ChildStature | undefined {
  if (rows === undefined) return undefined;
  const curves = ByPopulation.of(rows, lnHeights);
  const curveOf = (gender: Gender, country: string) =>
    curves.known(gender, country, 'ncdrisc-2020-children');
  const smooth = (ages: readonly number[], values: readonly number[], window: number) => {
    const weights = ages.map(() => 1);
    // The first age is the middle of a year. The line there reaches its birthday.
    const [first, last] = [ages[0] - 0.5, ages.at(-1) as number];
    return memoise((age: number) =>
      localLinear(ages, values, weights, Math.min(Math.max(age, first), last), window),
    );
  };
  const home = perGender((gender) => curveOf(gender, 'US'));
  /** ln of the table's mean over NHANES' mean in the US. ln of a mean lies above the mean of ln S. */
  const bias = perGender((gender) => {
    const { ages, ln } = home[gender];
    const gaps = ages.map((age, i) => {
      const { lnStature, lnStatureSd } = us(gender, age);
      return ln[i] - (lnStature + lnStatureSd ** 2 / 2);
    });
    return smooth(ages, gaps, BIAS_WINDOW);
  });
  const ratios = memoisePopulations((gender, country) => {
    const { ages, ln } = curveOf(gender, country);
    const differences = ln.map((value, i) => value - home[gender].ln[i]);
    const born = (year: number) => cohorts(gender, country, year).meanMm;
    const later = LAST_BIRTH_YEAR + REFERENCE_YEAR - TABLE_YEAR;
    const taller = Math.log(born(later) / born(LAST_BIRTH_YEAR));
    const ratio = smooth(ages, differences, RATIO_WINDOW);
    return (age: number) => ratio(age) + taller;
  });
  const gendersOf = (country: string, age: number): Genders => {
    const [male, female] = [ratios('Male', country)(age), ratios('Female', country)(age)];
    return { lnMean: (male + female) / 2, gap: male - female };
  };
  const countries = [...new Set(rows.map((row) => String(row.country)))];
  // An error of one gender moves gap and mean together, so a fitted slope would follow the errors.
  const world = memoise((age: number) => {
    const genders = countries.map((country) => gendersOf(country, age));
    return worldGap(genders, 0);
  });
  /**
   * The table's gaps of genders have errors. Each gender takes half of them. In puberty the errors are those before it,
   * and what the gaps scatter more is true.
   */
  const error = (country: string, age: number): number => {
    const of = world(age);
    const scatter = world(Math.min(age, PUBERTY_FROM)).sd ** 2;
    const variance = Math.max(0, Math.min(scatter, of.sd ** 2) - TRUE_GAP_SD ** 2);
    const truly = Math.max(TRUE_GAP_SD ** 2, of.sd ** 2 - variance);
    return gapError(gendersOf(country, age), of, variance, truly) / 2;
  };
  return {
    shift: (gender, country, ageYears) =>
      ratios(gender, country)(ageYears) +
      (1 - COMMON_BIAS) * bias[gender](ageYears) +
      (gender === 'Male' ? -1 : 1) * error(country, ageYears),
    lastStep: (gender, country) => {
      const [at18 = 0, at19 = 0] = curveOf(gender, country).ln.slice(-2);
      return at19 - at18;
    },
  };
}
