import { type Gender, perGender } from '../../../src/core/genders.js';
import type { ByAge, Covariates } from '../../model/covariates.js';
import { marginalThrough } from '../../numerics/marginal.js';
import { localLinear } from '../../numerics/numbers.js';
import { ADULT_AGE_YEARS } from '../../plans/axes.js';
import type { SourceTables } from '../../raw-tables/source-tables.js';
import type { Survey, SurveyGroup } from '../../raw-tables/surveys.js';
import { covarianceOf } from '../regressions/regression.js';
import { groupCovariates, standingGroups } from './group-covariates.js';
import { OLDEST_GROUP_YEARS, SPREAD_WINDOW, windowYears } from './smoothing.js';
import { whoStandards } from './who-standards.js';

// The people of one completed year of age differ more than people of one exact age, because the older ones have grown.

/** Spreads, skewness and correlation of ln stature and ln BMI. */
export type Spreads = Readonly<Omit<Covariates, 'lnStature' | 'lnBmi'>>;

/** Means, or their change in one year of age. */
type Levels = Readonly<Pick<Covariates, 'lnStature' | 'lnBmi'>>;

/** Variance of ages that are uniform within one year, years². Their third cumulant is 0. */
const YEAR_VARIANCE = 1 / 12;

/**
 * Takes growth out of the spreads of a group. If growth is linear over the ages of the group, the variance at an exact
 * age is the variance of the group less growth² × the variance of age. The covariance is less by the product of both
 * growths × the variance of age. The third cumulant is the same if ages are symmetric.
 *
 * @param growth change of the means in one year
 * @param ageVariance variance of age in the group, years²; by default that of one completed year
 */
export function withoutGrowth<Group extends Spreads>(
  group: Group,
  growth: Levels,
  ageVariance = YEAR_VARIANCE,
): Group {
  const atAge = (sd: number, by: number) => Math.sqrt(sd * sd - ageVariance * by * by);
  const lnStatureSd = atAge(group.lnStatureSd, growth.lnStature);
  const lnBmiSd = atAge(group.lnBmiSd, growth.lnBmi);
  const covariance =
    group.rho * group.lnStatureSd * group.lnBmiSd - ageVariance * growth.lnStature * growth.lnBmi;
  return {
    ...group,
    lnStatureSd,
    lnStatureSkew: group.lnStatureSkew * (group.lnStatureSd / lnStatureSd) ** 3,
    lnBmiSd,
    lnBmiSkew: group.lnBmiSkew * (group.lnBmiSd / lnBmiSd) ** 3,
    rho: covariance / (lnStatureSd * lnBmiSd),
  };
}

/** Spreads of a group of NHANES at an exact age. */
interface ExactGroup {
  readonly age: number;
  readonly n: number;
  /** The skewness of BMI is undefined for infants. */
  readonly spreads: Omit<Spreads, 'lnBmiSkew'> & { readonly lnBmiSkew?: number };
}

/** Whole months of infants: variance of ages that are uniform within one month, years². */
const MONTH_VARIANCE = YEAR_VARIANCE / 12 ** 2;

/** SD and skewness of ln stature. They are drawn through the percentiles, because the model gives percentiles. */
function drawnStature(group: SurveyGroup): Pick<Spreads, 'lnStatureSd' | 'lnStatureSkew'> {
  const { p5, p50, p95 } = group.moment('Stature');
  const { sd: lnStatureSd, skew: lnStatureSkew } = marginalThrough(p5, p50, p95);
  return { lnStatureSd, lnStatureSkew };
}

/**
 * Groups of months under two years, from moments: 200 to 300 people say little about P5 and P95. Their growth is the
 * slope on age within the group.
 */
function infantGroups(nhanes: Survey, gender: Gender): ExactGroup[] {
  return nhanes.groupsOf(gender, '2011-2023/m').map(([, group]) => {
    const covariance = covarianceOf(group);
    /** Covariance with ln BMI = ln mass − 2 ln length. */
    const withBmi = (a: string) => covariance(a, 'BodyMass') - 2 * covariance(a, 'Stature');
    const lnBmiSd = Math.sqrt(withBmi('BodyMass') - 2 * withBmi('Stature'));
    const lnStatureSd = Math.sqrt(covariance('Stature', 'Stature'));
    const ages = covariance('AgeYears', 'AgeYears');
    const growth = {
      lnStature: covariance('Stature', 'AgeYears') / ages,
      lnBmi: withBmi('AgeYears') / ages,
    };
    const rho = withBmi('Stature') / (lnStatureSd * lnBmiSd);
    const { n, tSkew: lnStatureSkew } = group.moment('Stature');
    const spreads = { lnStatureSd, lnStatureSkew, lnBmiSd, lnBmiSkew: 0, rho };
    const { lnBmiSkew: _, ...exact } = withoutGrowth(spreads, growth, ages + MONTH_VARIANCE);
    return { age: group.moment('AgeYears').mean, n, spreads: exact };
  });
}

/** Youngest age at which the skewness of BMI is known. */
const BMI_FROM = 2.5;
/** Spreads of younger infants follow WHO from here. NHANES has no newborns, and few children of the first months. */
const SURVEYED_FROM = 1;

/**
 * Spreads at an exact age in the US: NHANES 2011–2023 without the growth within its groups, smoothed over age. The SDs
 * are smoothed as ratios to the coefficient of variation S of the WHO growth standards (2006), which gives the shape
 * under 5 years. Without those standards, the SDs themselves are smoothed.
 *
 * @param growth growth in one year at an age from 2.5 to 20 years
 */
export function fitUsSpreads(
  { nhanes, whoHeights }: Pick<SourceTables, 'nhanes' | 'whoHeights'>,
  growth: ByAge<Levels>,
): ByAge<Spreads> {
  const who = whoHeights && whoStandards(whoHeights);
  const byGender = perGender((gender) => {
    const standing = standingGroups(nhanes, gender).map(({ age, n, group }): ExactGroup => {
      const spreads = { ...groupCovariates(group), ...drawnStature(group) };
      const grows = age < ADULT_AGE_YEARS;
      return { age, n, spreads: grows ? withoutGrowth(spreads, growth(gender, age)) : spreads };
    });
    const groups = [...infantGroups(nhanes, gender), ...standing];
    const curve = (key: keyof Spreads, shape: (ageYears: number) => number = () => 1) => {
      const known = groups.filter(({ spreads }) => spreads[key] !== undefined);
      const ages = known.map(({ age }) => age);
      const values = known.map(({ age, spreads }) => (spreads[key] as number) / shape(age));
      const weights = known.map(({ n }) => n);
      const youngest = key === 'lnBmiSkew' ? BMI_FROM : SURVEYED_FROM;
      return (ageYears: number) => {
        const at = Math.min(Math.max(ageYears, youngest), OLDEST_GROUP_YEARS);
        const window = windowYears(Math.max(ageYears, 2)) * (ageYears > 19 ? 1 : SPREAD_WINDOW);
        return shape(ageYears) * localLinear(ages, values, weights, at, window);
      };
    };
    const standard = (of: 'statureMm' | 'bmi') => (age: number) => who?.[of](gender, age).cv ?? 1;
    return {
      lnStatureSd: curve('lnStatureSd', standard('statureMm')),
      lnStatureSkew: curve('lnStatureSkew'),
      lnBmiSd: curve('lnBmiSd', standard('bmi')),
      lnBmiSkew: curve('lnBmiSkew'),
      rho: curve('rho'),
    };
  });
  return (gender, ageYears) => {
    const spreads = Object.entries(byGender[gender]).map(([key, curve]) => [key, curve(ageYears)]);
    return Object.fromEntries(spreads) as Spreads;
  };
}
