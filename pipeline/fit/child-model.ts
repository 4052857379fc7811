import type { Gender } from '../../src/core/genders.js';
import type { Survey, SurveyGroup } from '../tables/surveys.js';
import type { Given } from './dimension.js';
import { localLinear, memoise } from './numbers.js';
import { regress } from './regression.js';
import type { Drivers } from './us-drivers.js';

/** Half width in years of the window over which the survey's single years are smoothed. */
const LEVEL_WINDOW = 2.2;
const SLOPE_WINDOW = 3.5;
/** Ages over which growth's allometry is read, to carry proportions below the survey's youngest. */
const ALLOMETRY_FROM = 2.5;
const ALLOMETRY_TO = 5.5;
/** Oldest centre of the survey's single years. */
const OLDEST = 18.6;

const PREDICTORS = ['Stature', 'Bmi', 'AgeYears'] as const;

/** ln D of a child's dimension given stature and BMI, by age. */
export interface ChildFit {
  readonly at: (drivers: Drivers, ageYears: number) => Given;
}

interface Year {
  readonly age: number;
  readonly n: number;
  readonly mean: number;
  readonly stature: number;
  readonly bmi: number;
  readonly group: SurveyGroup;
}

function years(snyder: Survey, gender: Gender, variable: string): Year[] {
  const found: Year[] = [];
  for (let age = 2; age <= 19; age++) {
    const group = snyder.group(gender, String(age));
    const moment = group?.moments.get(variable);
    if (group === undefined || moment === undefined) continue;
    found.push({
      age: group.moment('AgeYears').mean,
      n: moment.n,
      mean: moment.tMean,
      stature: group.moment('Stature').tMean,
      bmi: group.moment('Bmi').tMean,
      group,
    });
  }
  return found;
}

/** Covariance within single years, pooled over the years about `age` by people and nearness. */
function pooled(from: readonly Year[], age: number) {
  return (a: string, b: string): number => {
    let [sum, weight] = [0, 0];
    for (const year of from) {
      const found = year.group.covariance(a, b);
      const u = Math.abs(year.age - age) / SLOPE_WINDOW;
      if (found === undefined || u >= 1) continue;
      const w = (1 - u ** 3) ** 3 * (found.n - 1);
      sum += w * found.cov;
      weight += w;
    }
    if (weight === 0) throw new Error(`no covariance of ${a} and ${b} about ${age} years`);
    return sum / weight;
  };
}

/**
 * Fits a child's dimension to Snyder 1977: level, stature and BMI smoothed over age (local linear
 * regression), slopes from the covariances within single years pooled over neighbouring years.
 * Below 2.5 years the proportions go on as the allometry of growth between 2.5 and 5.5 has them
 * (ln D linear in ln S; Huxley 1932, Problems of Relative Growth): an extrapolation, said so in
 * `docs/model.md`.
 *
 * @returns undefined for a dimension the survey does not have
 */
export function fitChild(snyder: Survey, gender: Gender, variable: string): ChildFit | undefined {
  const from = years(snyder, gender, variable);
  if (from.length < 10) return undefined;
  const ages = from.map((year) => year.age);
  const weights = from.map((year) => year.n);
  const curve = (pick: (year: Year) => number) => {
    const values = from.map(pick);
    return memoise((age: number) =>
      localLinear(ages, values, weights, Math.min(age, OLDEST), LEVEL_WINDOW),
    );
  };
  const level = curve((year) => year.mean);
  const stature = curve((year) => year.stature);
  const bmi = curve((year) => year.bmi);
  const slopesAt = memoise((age: number) => {
    const covariance = pooled(from, Math.min(age, OLDEST));
    const { slopes, residualVariance } = regress(covariance, variable, PREDICTORS);
    return {
      stature: slopes[0] as number,
      bmi: slopes[1] as number,
      residualSd: Math.sqrt(residualVariance),
    };
  });
  const growth =
    (level(ALLOMETRY_TO) - level(ALLOMETRY_FROM)) /
    (stature(ALLOMETRY_TO) - stature(ALLOMETRY_FROM));
  const measured = (drivers: Drivers, age: number): Given => {
    const slopes = slopesAt(Math.round(age * 4) / 4);
    return {
      level:
        level(age) +
        slopes.stature * (drivers.lnStature - stature(age)) +
        slopes.bmi * (drivers.lnBmi - bmi(age)),
      slopeStature: slopes.stature,
      slopeBmi: slopes.bmi,
      residualSd: slopes.residualSd,
      residualThird: 0,
    };
  };
  return {
    at(drivers, age) {
      if (age >= ALLOMETRY_FROM) return measured(drivers, age);
      const youngest = measured(drivers, ALLOMETRY_FROM);
      const slopes = slopesAt(ALLOMETRY_FROM);
      // `measured` already moved by the slope within an age; growth's allometry replaces it.
      const smaller = drivers.lnStature - stature(ALLOMETRY_FROM);
      const level = youngest.level + (growth - slopes.stature) * smaller;
      return { ...youngest, level };
    },
  };
}
