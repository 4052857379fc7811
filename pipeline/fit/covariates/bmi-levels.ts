import { rollup } from 'd3-array';
import type { ByAge } from '../../model/covariates.js';
import type { Marginal } from '../../numerics/marginal.js';
import { interpolate, median, robustLocalLinear } from '../../numerics/numbers.js';
import { ByPopulation, type Population, type Rows } from '../../raw-tables/by-population.js';
import { type BmiClasses, shapeBehind } from './bmi-classes.js';

/** BMI of a country's people at one age. */
export interface BmiLevel {
  /** Mean of ln BMI, kg/m². */
  readonly mean: number;
  /** ln of the SD of ln BMI over that of the US. */
  readonly lnSpread: number;
}

/** Largest change of a mean's ratio to the world in one year of age, in ln, that a population shows. */
const LARGEST_STEP = 0.05;
/**
 * A fit has failed if its distribution is this many times wider or narrower than the world's median at its
 * age.
 */
const FAILED_FIT = 1.7;

interface Points {
  readonly ages: readonly number[];
  readonly values: readonly number[];
  readonly weights: readonly number[];
}

/** The fits of one country and gender. */
interface Fits {
  readonly mean: Points;
  readonly lnSpread: Points;
}

/** The distribution behind the fit of one population. */
interface Found extends BmiLevel, Population {
  readonly age: number;
  readonly misfit: number;
}

/** Median of a figure over countries. */
function worldMedian(found: readonly Found[], pick: keyof BmiLevel): ByAge {
  const medians = rollup(
    found,
    (all) => median(all.map((one) => one[pick])),
    ({ gender }) => gender,
    ({ age }) => age,
  );
  return (gender, age) => medians.get(gender)?.get(age) as number;
}

/**
 * The fits of one population. Means are ratios to the world's.
 *
 * @param usual median misfit of all fits
 */
function fitsOf(own: readonly Found[], world: ByAge, usual: number): Fits {
  const ages = own.map(({ age }) => age);
  return {
    mean: {
      ages,
      values: own.map(({ gender, age, mean }) => mean - world(gender, age)),
      weights: ages.map(() => 1),
    },
    lnSpread: {
      ages,
      values: own.map(({ lnSpread }) => lnSpread),
      weights: own.map(({ misfit }) => usual / (usual + misfit)),
    },
  };
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

/** How the gamma fits of a table are read. */
export interface GammaTable {
  readonly ageOf: (row: Rows[number]) => number;
  readonly classes: ByAge<BmiClasses>;
  /** The ages of the table that are used. */
  readonly ages: readonly number[];
  /**
   * Half widths in years of the windows over which a country is smoothed. The spread has the wider window, and so has a
   * mean that jumps. Where many children are obese, a gamma fit has two possible answers: one meets the highest class,
   * the other ignores it. In some countries, the fits change between the two answers at one age.
   */
  readonly windows: readonly [narrow: number, wide: number];
}

/**
 * Fits the BMI of countries by age to a table of gamma fits. Level and spread come from the distribution behind each fit
 * (`shapeBehind`), because the tails of a gamma are too thin. This distribution has the skewness of the US at the same
 * age. Level and spread are smoothed over age (robust local linear regression, Cleveland 1979). If a fit misses the
 * classes, its spread counts less, because the fit ignores what the missed class says.
 *
 * @param us distribution of ln BMI in the US, through the percentiles of NHANES
 * @returns levels; undefined where all fits have failed
 */
export function fitBmiLevels(
  rows: Rows,
  { ageOf, classes, ages, windows: [narrow, wide] }: GammaTable,
  us: ByAge<Marginal>,
): ByPopulation<((ageYears: number) => BmiLevel) | undefined> {
  const found = ByPopulation.of(rows, (own, { gender, country }) =>
    own.flatMap((row): Found[] => {
      const age = ageOf(row);
      if (!ages.includes(age)) return [];
      const americans = us(gender, age);
      const fit = { shape: Number(row.shape), scale: Number(row.scale) };
      const behind = shapeBehind(fit, classes(gender, age), americans.skew);
      if (behind === undefined) return [];
      const { marginal, misfit } = behind;
      const lnSpread = Math.log(marginal.sd / americans.sd);
      return [{ country, gender, age, mean: marginal.mean, lnSpread, misfit }];
    }),
  );
  const all = found.values.flat();
  const [world, middle] = [worldMedian(all, 'mean'), worldMedian(all, 'lnSpread')];
  const usual = median(all.map(({ misfit }) => misfit));
  return found.map((fits, { gender }) => {
    const sound = fits.filter(({ age, lnSpread }) => {
      return Math.abs(lnSpread - middle(gender, age)) <= Math.log(FAILED_FIT);
    });
    if (sound.length === 0) return undefined;
    const { mean, lnSpread } = fitsOf(sound, world, usual);
    const ratio = smoothed(mean, jumps(mean) ? wide : narrow);
    const spread = smoothed(lnSpread, wide);
    const means = ages.map((age) => ratio(age) + world(gender, age));
    const spreads = ages.map(spread);
    return (ageYears) => ({
      mean: interpolate(ages, means, ageYears),
      lnSpread: interpolate(ages, spreads, ageYears),
    });
  });
}
