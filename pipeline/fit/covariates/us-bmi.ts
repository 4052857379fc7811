import { perGender } from '../../../src/core/genders.js';
import type { ByAge } from '../../model/covariates.js';
import { type Marginal, marginalThrough } from '../../numerics/marginal.js';
import { localLinear } from '../../numerics/numbers.js';
import type { Survey } from '../../raw-tables/surveys.js';
import { standingGroups } from './group-covariates.js';
import { SPREAD_WINDOW, windowYears } from './smoothing.js';
import type { UsTrend } from './us-trend.js';

/** Distribution of ln BMI (kg/m²) in the US by gender and age. */
export interface UsBmi {
  /** Distribution through the percentiles of NHANES. It is compared with classes of BMI. */
  readonly drawn: ByAge<Marginal>;
  /** Distribution with the moments of the covariates. The shifts of countries are added to it. */
  readonly driven: ByAge<Marginal>;
}

/** Youngest age at which a window over NHANES' BMI is centred. */
const YOUNGEST = 2.5;

/**
 * Distribution of ln BMI (kg/m²) in the US by age. It is drawn through P5, P50 and P95 of NHANES 2011–2023
 * and smoothed over age as the covariates are. The covariates have the moments of ln BMI, but a
 * distribution that is compared with classes of BMI has to meet the percentiles.
 *
 * @param change change of the mean since 2011–2023
 */
export function fitUsBmi(nhanes: Survey, change: UsTrend['change']): ByAge<Marginal> {
  const byGender = perGender((gender) => {
    const groups = standingGroups(nhanes, gender);
    const drawn = groups.map(({ group }) => {
      const { p5, p50, p95 } = group.moment('Bmi');
      return marginalThrough(p5, p50, p95);
    });
    const ages = groups.map(({ age }) => age);
    const weights = groups.map(({ n }) => n);
    return { ages, weights, drawn, last: ages.at(-1) as number };
  });
  return (gender, ageYears) => {
    const { ages, weights, drawn, last } = byGender[gender];
    const age = Math.min(Math.max(ageYears, YOUNGEST), last);
    const at = (field: 'mean' | 'sd' | 'skew', widen: number): number => {
      const values = drawn.map((marginal) => marginal[field]);
      return localLinear(ages, values, weights, age, widen * windowYears(age));
    };
    return {
      mean: at('mean', 1) + change(gender, age).lnBmi,
      sd: at('sd', SPREAD_WINDOW),
      skew: at('skew', SPREAD_WINDOW),
    };
  };
}
