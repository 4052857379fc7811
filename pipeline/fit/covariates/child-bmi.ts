import type { Gender } from '../../../src/core/genders.js';
import type { Marginal } from '../../numerics/marginal.js';
import { interpolate, median, robustLocalLinear } from '../../numerics/numbers.js';
import type { Rows, SourceTables } from '../../raw-tables/source-tables.js';
import { shapeBehind } from './bmi-classes.js';

/** BMI of a country's people at one age. */
export interface BmiLevel {
  /** ln of the mean BMI, kg/m². */
  readonly lnMean: number;
  /** ln of the SD of ln BMI over that of the US. */
  readonly lnSpread: number;
}

/** Limits of NCD-RisC's classes of children's BMI, in SD of the WHO reference of 2007. */
const CLASS_LIMITS_SD = [-2, -1, 1, 2] as const;
/** First and last age of the fits, years. */
export const CHILD_BMI_FROM = 5;
export const CHILD_BMI_TO = 19;
/**
 * Half widths in years of the windows over which the single years of a country are smoothed. The mean is
 * smoothed as its ratio to the world's median. The spread has the wider window. Where many children are
 * obese, a gamma fit has two possible answers: one meets the highest class, the other ignores it. In some
 * countries, the fits change between the two answers at one age.
 */
const MEAN_WINDOW = 3.5;
const SPREAD_WINDOW = 9;
/** Largest change of a mean's ratio to the world in one year of age, in ln, that a population shows. */
const LARGEST_STEP = 0.05;
/**
 * A fit has failed if its distribution is this many times wider or narrower than the world's median at its
 * age.
 */
const FAILED_FIT = 1.7;

interface Points {
  readonly ages: number[];
  readonly values: number[];
  readonly weights: number[];
}

/** The fits of one country and gender: means, and the spreads behind them. */
interface Fits {
  readonly lnMean: Points;
  readonly lnSpread: Points;
}

/** Figures of one population that its fit gives. */
interface Found {
  readonly country: string;
  readonly gender: Gender;
  readonly age: number;
  readonly lnMean: number;
  /** The spread behind the fit; undefined where none is found. */
  readonly behind: { readonly lnSpread: number; readonly misfit: number } | undefined;
}

/** Median of a figure over countries, by `gender|age`. */
function worldMedian(
  found: readonly Found[],
  pick: (one: Found) => number | undefined,
): Map<string, number> {
  const values = new Map<string, number[]>();
  for (const one of found) {
    const value = pick(one);
    const key = `${one.gender}|${one.age}`;
    if (value !== undefined) values.set(key, [...(values.get(key) ?? []), value]);
  }
  return new Map([...values].map(([key, all]) => [key, median(all)]));
}

const noPoints = (): Points => ({ ages: [], values: [], weights: [] });

function addPoint(points: Points, age: number, value: number, weight: number): void {
  points.ages.push(age);
  points.values.push(value);
  points.weights.push(weight);
}

/**
 * Returns the fits by `country|gender`. Failed spreads are left out, and means are ratios to the world's.
 *
 * @param world ln of the median of the means, by `gender|age`
 */
function fitsOf(found: readonly Found[], world: ReadonlyMap<string, number>): Map<string, Fits> {
  const middle = worldMedian(found, ({ behind }) => behind?.lnSpread);
  const usual = median(
    found.flatMap(({ behind }) => (behind === undefined ? [] : [behind.misfit])),
  );
  const populations = new Map<string, Fits>();
  for (const { country, gender, age, lnMean, behind } of found) {
    const [key, group] = [`${country}|${gender}`, `${gender}|${age}`];
    const fits = populations.get(key) ?? { lnMean: noPoints(), lnSpread: noPoints() };
    populations.set(key, fits);
    addPoint(fits.lnMean, age, lnMean - (world.get(group) as number), 1);
    if (behind === undefined) continue;
    const { lnSpread, misfit } = behind;
    if (Math.abs(lnSpread - (middle.get(group) as number)) > Math.log(FAILED_FIT)) continue;
    addPoint(fits.lnSpread, age, lnSpread, usual / (usual + misfit));
  }
  return populations;
}

/**
 * Whether a mean jumps from one year of age to the next. There the fits change between their two answers.
 */
function jumps({ ages, values }: Points): boolean {
  return values.some((value, i) => {
    const years = ages[i] - (ages[i - 1] ?? Number.NEGATIVE_INFINITY);
    return Math.abs(value - (values[i - 1] ?? value)) > LARGEST_STEP * years;
  });
}

/** Smooths the points over age. The curve is linear between their ages and constant beyond. */
function smoothed({ ages, values, weights }: Points, window: number): (age: number) => number {
  const curve = robustLocalLinear(ages, values, weights, window);
  const smooth = ages.map(curve);
  return (age) => interpolate(ages, smooth, age);
}

/** Limits of the classes (kg/m²) by gender and age in years. */
function classLimits(rows: Rows): Map<string, number[]> {
  return new Map(
    rows.map((row) => {
      const [l, m, s] = [Number(row.l), Number(row.m), Number(row.s)];
      const limits = CLASS_LIMITS_SD.map((z) => m * (1 + l * s * z) ** (1 / l));
      return [`${row.gender}|${Math.floor(Number(row.age_months) / 12)}`, limits];
    }),
  );
}

/**
 * Fits BMI of children of 5 to 19 years by country. The level is the mean of the country's own gamma fits,
 * which describe the middle well. Their tails are too thin, so the spread comes from the distribution
 * behind each fit (`shapeBehind`). This distribution has the skewness of US children of the same age. Level
 * and spread are smoothed over age (robust local linear regression, Cleveland 1979). If a fit misses the
 * classes, its spread counts less, because the fit ignores what the missed class says.
 *
 * A fit of age a describes people of exactly a years, because the limits of its classes are those of the
 * birthday.
 *
 * @param us distribution of ln BMI in the US, through the percentiles of NHANES
 * @returns undefined without the sources; otherwise a function, which returns undefined for an absent
 * country
 */
export function fitChildBmi(
  { childBmi, whoBmi }: SourceTables,
  us: (gender: Gender, ageYears: number) => Marginal,
): ((gender: Gender, country: string, ageYears: number) => BmiLevel | undefined) | undefined {
  if (childBmi === undefined || whoBmi === undefined) return undefined;
  const limits = classLimits(whoBmi);
  const found: Found[] = [];
  for (const row of childBmi) {
    const [gender, age] = [row.gender as Gender, Number(row.age_years)];
    const americans = us(gender, age);
    const behind = shapeBehind(
      { shape: Number(row.shape), scale: Number(row.scale) },
      { limits: limits.get(`${gender}|${age}`) as number[] },
      americans.skew,
    );
    found.push({
      ...{ country: String(row.country), gender, age },
      lnMean: Math.log(Number(row.shape) * Number(row.scale)),
      behind: behind && {
        lnSpread: Math.log(behind.marginal.sd / americans.sd),
        misfit: behind.misfit,
      },
    });
  }
  const world = worldMedian(found, ({ lnMean }) => lnMean);
  const years = Array.from(
    { length: CHILD_BMI_TO - CHILD_BMI_FROM + 1 },
    (_, i) => CHILD_BMI_FROM + i,
  );
  const curves = new Map(
    [...fitsOf(found, world)].flatMap(([key, fits]) => {
      if (fits.lnSpread.ages.length === 0) return [];
      const gender = key.slice(key.indexOf('|') + 1);
      const ratio = smoothed(fits.lnMean, jumps(fits.lnMean) ? SPREAD_WINDOW : MEAN_WINDOW);
      const spread = smoothed(fits.lnSpread, SPREAD_WINDOW);
      const lnMean = years.map((year) => ratio(year) + (world.get(`${gender}|${year}`) as number));
      return [[key, { lnMean, lnSpread: years.map(spread) }] as const];
    }),
  );
  return (gender, country, ageYears) => {
    const curve = curves.get(`${country}|${gender}`);
    return (
      curve && {
        lnMean: interpolate(years, curve.lnMean, ageYears),
        lnSpread: interpolate(years, curve.lnSpread, ageYears),
      }
    );
  };
}
