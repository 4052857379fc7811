import type { Gender } from '../../src/core/genders.js';
import type { FittedModel } from '../fit/population.js';
import type { Drivers } from '../fit/us-drivers.js';

/** People of one age in a survey, with their own stature and BMI. */
export interface SizedAge {
  readonly ageYears: number;
  readonly drivers: Drivers;
}

/**
 * The model with people of a survey's size instead of today's Americans, so that only proportions
 * count: at every age, the drivers of the survey's nearest age.
 *
 * @param upTo age from which the model's own drivers are kept
 */
export function sizedModel(
  model: FittedModel,
  ages: Readonly<Record<Gender, readonly SizedAge[]>>,
  upTo: number,
): FittedModel {
  const usDrivers = (gender: Gender, ageYears: number): Drivers => {
    if (ageYears >= upTo) return model.usDrivers(gender, ageYears);
    return ages[gender].reduce((best, age) =>
      Math.abs(age.ageYears - ageYears) < Math.abs(best.ageYears - ageYears) ? age : best,
    ).drivers;
  };
  return { ...model, usDrivers };
}
