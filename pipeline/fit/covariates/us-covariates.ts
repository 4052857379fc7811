import { type Gender, perGender } from '../../../src/core/genders.js';
import { risingToAdult } from '../../model/children/growth.js';
import type { Covariates } from '../../model/covariates.js';
import type { HeightLoss } from '../../model/fitted-model.js';
import { marginalThrough } from '../../numerics/marginal.js';
import { localLinear, memoise } from '../../numerics/numbers.js';
import { ADULT_AGE_YEARS } from '../../plans/axes.js';
import type { SourceTables } from '../../raw-tables/source-tables.js';
import type { Survey, SurveyGroup } from '../../raw-tables/surveys.js';
import { groupCovariates } from './group-covariates.js';
import { cdcCurve, infantLevels } from './infant-levels.js';
import { OLDEST_GROUP_YEARS, SPREAD_WINDOW, windowYears } from './smoothing.js';
import type { UsTrend } from './us-trend.js';
import { STANDING_FROM_YEARS } from './who-standards.js';

/** Period of NHANES. Its stature and BMI count as those of today. */
const PERIOD = '2011-2023/';

interface Series {
  readonly ages: number[];
  readonly weights: number[];
  readonly values: Record<keyof Covariates, number[]>;
}

/** A group of one gender and age in NHANES 2011–2023. */
interface RecentGroup {
  readonly age: number;
  /** People whose stature was measured. */
  readonly n: number;
  readonly group: SurveyGroup;
}

/** The groups from 2 years on with stature and BMI, by age. */
export function recentGroups(nhanes: Survey, gender: Gender): RecentGroup[] {
  const found: RecentGroup[] = [];
  for (const [key, group] of nhanes.groups) {
    const [groupGender, ageGroup] = key.split('|') as [string, string];
    if (groupGender !== gender || !ageGroup.startsWith(PERIOD)) continue;
    if (ageGroup.includes('/m')) continue;
    const bmi = group.moments.get('Bmi');
    const stature = group.moments.get('Stature');
    if (bmi === undefined || stature === undefined) continue;
    const age = ageGroup.endsWith('80+') ? OLDEST_GROUP_YEARS : group.moment('AgeYears').mean;
    found.push({ age, n: stature.n, group });
  }
  return found.sort((a, b) => a.age - b.age);
}

function series(nhanes: Survey, gender: Gender): Series {
  const found = recentGroups(nhanes, gender);
  const covariates = found.map(({ group }) => drawnCovariates(group));
  const pick = (key: keyof Covariates) => covariates.map((one) => one[key]);
  return {
    ages: found.map(({ age }) => age),
    weights: found.map(({ n }) => n),
    values: {
      lnStature: pick('lnStature'),
      lnStatureSd: pick('lnStatureSd'),
      lnStatureSkew: pick('lnStatureSkew'),
      lnBmi: pick('lnBmi'),
      lnBmiSd: pick('lnBmiSd'),
      lnBmiSkew: pick('lnBmiSkew'),
      rho: pick('rho'),
    },
  };
}

/** Covariates of a group. Stature is drawn through its percentiles, because the model gives percentiles. */
function drawnCovariates(group: SurveyGroup): Covariates {
  const { p5, p50, p95 } = group.moment('Stature');
  const { mean, sd, skew } = marginalThrough(p5, p50, p95);
  return { ...groupCovariates(group), lnStature: mean, lnStatureSd: sd, lnStatureSkew: skew };
}

/**
 * Half width for the ratio NHANES ÷ CDC in stature. The ratio changes less with age than stature itself.
 */
const SECULAR_WINDOW = 2.2;

/**
 * Covariates of the US population by exact age.
 * - Under 2 years: lying length, and mass over its square (`infantLevels`). The step to standing height falls between
 * the knots of age at 1.75 and 2 years.
 * - From 2 years: NHANES 2011–2023, smoothed by age. In childhood, the ratio NHANES ÷ CDC 2000 is smoothed,
 * so that the CDC curves give the shape.
 * - Above the survey's oldest group: the published height loss, and a constant BMI.
 *
 * @param change change since the middle of NHANES 2011–2023; absent for the covariates of those years
 */
export function fitUsCovariates(
  tables: Pick<SourceTables, 'nhanes' | 'cdc' | 'whoHeights'>,
  heightLoss: HeightLoss,
  change?: UsTrend['change'],
): (gender: Gender, ageYears: number) => Covariates {
  const cdcStatureMm = cdcCurve(tables.cdc, 'stature_mm');
  const infants = infantLevels(tables);
  const byGender = perGender((gender) => series(tables.nhanes, gender));
  const smooth = (from: Series, key: keyof Covariates, age: number): number => {
    const at = Math.min(Math.max(age, 2.5), OLDEST_GROUP_YEARS);
    const level = key === 'lnStature' || key === 'lnBmi';
    const window = windowYears(age) * (level || age > 19 ? 1 : SPREAD_WINDOW);
    return localLinear(from.ages, from.values[key], from.weights, at, window);
  };
  /** ln of NHANES ÷ CDC in stature: the secular change, which is smooth over the years of age. */
  const secular = (gender: Gender, age: number): number => {
    const from = byGender[gender];
    const gaps = from.ages.map((a, i) => {
      return from.values.lnStature[i] - Math.log(cdcStatureMm(gender, a));
    });
    const at = Math.min(Math.max(age, 2.5), 19.5);
    return localLinear(from.ages, gaps, from.weights, at, SECULAR_WINDOW);
  };
  const lnStature = (gender: Gender, age: number): number => {
    if (age < STANDING_FROM_YEARS) return infants.lnLength(gender, age);
    if (age < ADULT_AGE_YEARS) return Math.log(cdcStatureMm(gender, age)) + secular(gender, age);
    const oldest = smooth(byGender[gender], 'lnStature', age);
    const further = heightLoss(gender, age) - heightLoss(gender, Math.min(age, OLDEST_GROUP_YEARS));
    return Math.log(Math.exp(oldest) - further);
  };
  const lnBmi = (gender: Gender, age: number): number =>
    age < STANDING_FROM_YEARS ? infants.lnBmi(gender, age) : smooth(byGender[gender], 'lnBmi', age);
  const changed = (gender: Gender, ageYears: number, key: 'lnStature' | 'lnBmi') =>
    change?.(gender, ageYears)[key] ?? 0;
  const known = perGender((gender) => {
    const rising = risingToAdult(
      (age) => joinAtTwenty(lnStature, gender, age) + changed(gender, age, 'lnStature'),
    );
    const at = (key: keyof Covariates, ageYears: number) => smooth(byGender[gender], key, ageYears);
    return memoise(
      (ageYears: number): Covariates => ({
        lnStature: rising(ageYears),
        lnStatureSd: at('lnStatureSd', ageYears),
        lnStatureSkew: at('lnStatureSkew', ageYears),
        lnBmi: lnBmi(gender, ageYears) + changed(gender, ageYears, 'lnBmi'),
        lnBmiSd: at('lnBmiSd', ageYears),
        lnBmiSkew: at('lnBmiSkew', ageYears),
        rho: at('rho', ageYears),
      }),
    );
  });
  return (gender, ageYears) => known[gender](ageYears);
}

/** Spreads the step between the child and the adult curve over the five years before 20. */
function joinAtTwenty(
  curve: (gender: Gender, age: number) => number,
  gender: Gender,
  age: number,
): number {
  if (age >= ADULT_AGE_YEARS || age <= 15) return curve(gender, age);
  const step = curve(gender, ADULT_AGE_YEARS) - curve(gender, ADULT_AGE_YEARS - 1e-9);
  return curve(gender, age) + (step * (age - 15)) / 5;
}
