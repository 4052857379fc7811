import type { Gender } from '../../src/core/genders.js';
import type { MeasurementName } from '../../src/core/measurements.js';
import { type FittedModel, withCovariates } from './fitted-model.js';
import { type Population, Populations } from './population.js';

/** Slopes of a dimension's mean ln D on the means of the covariates, and of its spread on that of BMI. */
export interface Slopes {
  readonly stature: number;
  readonly bmi: number;
  /** Square root of the change of the variance of ln D with the variance of ln BMI. */
  readonly bmiSpread: number;
}

/** Difference in ln units between the two models that are compared. The model is nearly linear over it. */
const STEP = 0.02;
/** Difference in the ratio of spreads between the two models that are compared. */
const SPREAD_STEP = 0.1;

/**
 * Returns the model with every population changed: `lnStature` and `lnBmi` are added to its means, and its
 * spread of BMI is multiplied by `bmiSpread`.
 */
function moved(
  model: FittedModel,
  lnStature: number,
  lnBmi: number,
  bmiSpread: number,
): FittedModel {
  return withCovariates({
    ...model,
    countryShift: (gender, country, ageYears) => {
      const shift = model.countryShift(gender, country, ageYears);
      return {
        ...shift,
        lnStature: shift.lnStature + lnStature,
        lnBmi: shift.lnBmi + lnBmi,
        bmiSpread: shift.bmiSpread * bmiSpread,
      };
    },
  });
}

/**
 * How the dimensions of a gender change with the covariates. The slopes are differences of the US model
 * with its means 1 % up and down, and with its spread of BMI 5 % up and down. So they include all that
 * depends on the regressions: the dimensions of children, identities, and girths carried over to civilians.
 * Under 20 years, the means and the spreads can have different slopes.
 *
 * @returns function that gives the slopes of a dimension with a model at an age
 */
export function sensitivities(
  model: FittedModel,
  gender: Gender,
): (name: MeasurementName, ageYears: number) => Slopes {
  const of = (lnStature: number, lnBmi: number, spread = 1) =>
    new Populations(moved(model, lnStature, lnBmi, spread)).of(gender, 'US');
  const half = STEP / 2;
  const [taller, shorter] = [of(half, 0), of(-half, 0)];
  const [heavier, lighter] = [of(0, half), of(0, -half)];
  const [wider, narrower] = [of(0, 0, 1 + SPREAD_STEP / 2), of(0, 0, 1 - SPREAD_STEP / 2)];
  const slope = (up: Population, down: Population, name: MeasurementName, age: number) =>
    (up.at(age).marginal(name).mean - down.at(age).marginal(name).mean) / STEP;
  return (name, ageYears) => {
    const [wide, narrow] = [wider.at(ageYears), narrower.at(ageYears)];
    const variance = wide.marginal(name).sd ** 2 - narrow.marginal(name).sd ** 2;
    const ofBmi = wide.covariates.lnBmiSd ** 2 - narrow.covariates.lnBmiSd ** 2;
    return {
      stature: slope(taller, shorter, name, ageYears),
      bmi: slope(heavier, lighter, name, ageYears),
      bmiSpread: Math.sqrt(Math.max(0, variance / ofBmi)),
    };
  };
}
