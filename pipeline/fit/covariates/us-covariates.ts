import { type Gender, perGender } from '../../../src/core/genders.js';
import { risingToAdult } from '../../model/children/growth.js';
import type { Covariates } from '../../model/covariates.js';
import type { HeightLoss } from '../../model/fitted-model.js';
import { marginalThrough } from '../../numerics/marginal.js';
import { localLinear, memoise } from '../../numerics/numbers.js';
import { ADULT_AGE_YEARS } from '../../plans/axes.js';
import type { SourceTables } from '../../raw-tables/source-tables.js';
import type { Survey, SurveyGroup } from '../../raw-tables/surveys.js';
import { recentGroups } from './group-covariates.js';
import { cdcCurve, infantLevels } from './infant-levels.js';
import { OLDEST_GROUP_YEARS, windowYears } from './smoothing.js';
import { fitUsSpreads } from './us-spreads.js';
import type { UsTrend } from './us-trend.js';
import { STANDING_FROM_YEARS } from './who-standards.js';

type LevelKey = 'lnStature' | 'lnBmi';

interface Series {
  readonly ages: number[];
  readonly weights: number[];
  readonly values: Record<LevelKey, number[]>;
}

function series(nhanes: Survey, gender: Gender): Series {
  const found = recentGroups(nhanes, gender);
  return {
    ages: found.map(({ age }) => age),
    weights: found.map(({ n }) => n),
    values: {
      lnStature: found.map(({ group }) => drawnStature(group)),
      lnBmi: found.map(({ group }) => group.moment('Bmi').tMean),
    },
  };
}

/** Mean of ln stature of a group. It is drawn through the percentiles, because the model gives percentiles. */
function drawnStature(group: SurveyGroup): number {
  const { p5, p50, p95 } = group.moment('Stature');
  return marginalThrough(p5, p50, p95).mean;
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
  const smooth = (from: Series, key: LevelKey, age: number): number => {
    const at = Math.min(Math.max(age, STANDING_FROM_YEARS), OLDEST_GROUP_YEARS);
    return localLinear(from.ages, from.values[key], from.weights, at, windowYears(age));
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
  const spreads = fitUsSpreads(tables, (gender, age) => {
    const from = Math.max(age - 0.5, STANDING_FROM_YEARS);
    const to = Math.min(age + 0.5, ADULT_AGE_YEARS - 1e-9);
    const yearly = (curve: typeof lnStature) =>
      (curve(gender, to) - curve(gender, from)) / (to - from);
    return { lnStature: yearly(lnStature), lnBmi: yearly(lnBmi) };
  });
  const changed = (gender: Gender, ageYears: number, key: LevelKey) =>
    change?.(gender, ageYears)[key] ?? 0;
  const known = perGender((gender) => {
    const rising = risingToAdult(
      (age) => joinAtTwenty(lnStature, gender, age) + changed(gender, age, 'lnStature'),
    );
    return memoise(
      (ageYears: number): Covariates => ({
        ...spreads(gender, ageYears),
        lnStature: rising(ageYears),
        lnBmi: lnBmi(gender, ageYears) + changed(gender, ageYears, 'lnBmi'),
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
