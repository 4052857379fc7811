import { MEASUREMENTS, type MeasurementName } from '../../../src/core/measurements.js';
import { growthCurve } from '../../numerics/isotonic.js';
import { lnQuantile, type Marginal, throughScores, Z95, Z99 } from '../../numerics/marginal.js';
import { interpolate, localLinear } from '../../numerics/numbers.js';
import { DIMENSION_PLAN } from '../../plans/dimension-plan.js';
import { isSkeletal } from '../../plans/growth-rules.js';
import type { Cohort } from '../cohort.js';
import { GROWING_YEARS } from './growth.js';

/** Ages between which no girth, breadth or depth becomes smaller. */
const FROM_YEARS = 10;
export const BROADENED_YEARS = 25;
/** Ages of adults whose estimates are needed in addition to those of growth. */
export const BROADENING_ADULTS = [BROADENED_YEARS, 30] as const;

/** Half width in years of the window that smooths the quantiles over age. */
const WINDOW = 3;
/** Standard scores of the quantiles that are kept from falling: P5, median, P99. */
const SCORES = [-Z95, 0, Z99] as const;

/** A distance that falls while children grow, because the chest deepens more than the head. */
const FALLING = new Set<string>(['EyeBodyCentreDistance']);

/** Dimensions that are broadened. They are not of the skeleton and have an estimate of their own. */
const BROADENING: ReadonlySet<string> = new Set(
  MEASUREMENTS.filter(({ name }) => {
    const { basis, identity } = DIMENSION_PLAN[name];
    return (
      !isSkeletal(name) && basis.kind !== 'alias' && identity === undefined && !FALLING.has(name)
    );
  }).map(({ name }) => name),
);

/** Additions to ln D at the quantiles of `SCORES`, by age. */
export interface Broadening {
  readonly ages: readonly number[];
  readonly additions: readonly (readonly number[])[];
}

const KNOTS = [
  ...GROWING_YEARS.filter((years) => years >= FROM_YEARS),
  BROADENED_YEARS,
] as readonly number[];
/** Every birthday around the knots. Between 20 and 30 years, the model is linear. */
const BIRTHDAYS = Array.from({ length: 30 - FROM_YEARS + WINDOW + 1 }, (_, i) => {
  return FROM_YEARS - WINDOW + i;
});
const EQUAL = BIRTHDAYS.map(() => 1);

/** Smoothed values at the knots. */
function smoothed(yearly: readonly number[]): number[] {
  const smooth = (ys: readonly number[]) => (age: number) =>
    localLinear(BIRTHDAYS, ys, EQUAL, age, WINDOW);
  const once = smooth(yearly);
  // The residuals are smoothed a second time (Tukey 1977, Exploratory Data Analysis). That removes most of
  // the bias where growth bends.
  const left = smooth(yearly.map((value, i) => value - once(BIRTHDAYS[i])));
  return KNOTS.map((age) => once(age) + left(age));
}

/**
 * Weights of each birthday's value in the smoothed value of each knot. They are constant because the
 * smoother is linear.
 */
const COLUMNS = BIRTHDAYS.map((_, i) => smoothed(BIRTHDAYS.map((__, k) => (k === i ? 1 : 0))));

/** Smooths one quantile over age and keeps it from falling. The last value stays. */
function broadened(values: (ageYears: number) => number): number[] {
  const yearly = BIRTHDAYS.map(values);
  const curve = KNOTS.map((age, knot) => {
    if (age === FROM_YEARS || age === BROADENED_YEARS) return values(age);
    return yearly.reduce((sum, y, i) => sum + y * COLUMNS[i]?.[knot], 0);
  });
  return growthCurve(curve, [{ sign: 1 }]);
}

/**
 * Additions that smooth a girth, breadth or depth over the ages from 10 to 25 and keep its P5, median and
 * P99 from falling. Such a fall is no change of the people. It comes from chance in a survey's single
 * years, and from the steps between surveys of children, of civilians and of soldiers.
 *
 * @param cohorts one population at the ages of `GROWING_YEARS` and `BROADENING_ADULTS`, with estimates
 * @returns undefined for a dimension of the skeleton, an alias or an identity
 */
export function broadening(
  name: MeasurementName,
  cohorts: readonly Cohort[],
): Broadening | undefined {
  if (!BROADENING.has(name)) return undefined;
  const ages = cohorts.map(({ ageYears }) => ageYears);
  const additions = SCORES.map((z) => {
    const raw = cohorts.map((cohort) => lnQuantile(cohort.estimate(name), z));
    const value = (ageYears: number) => interpolate(ages, raw, ageYears);
    return broadened(value).map((ln, i) => ln - value(KNOTS[i]));
  });
  // Below 10 years nothing is added.
  return {
    ages: [FROM_YEARS - 1, ...KNOTS],
    additions: additions.map((ofScore) => [0, ...ofScore]),
  };
}

/** A distribution with the additions of its age. */
export function withBroadening(
  estimate: Marginal,
  ageYears: number,
  found: Broadening | undefined,
): Marginal {
  if (found === undefined || ageYears < FROM_YEARS - 1 || ageYears >= BROADENED_YEARS) {
    return estimate;
  }
  const [low, middle, high] = SCORES.map((z, i) => {
    const added = interpolate(found.ages, found.additions[i], ageYears);
    return lnQuantile(estimate, z) + added;
  }) as [number, number, number];
  return throughScores(low, middle, high, Z99, estimate.tails);
}
