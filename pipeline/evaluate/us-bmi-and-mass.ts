import { GENDERS } from '../../src/core/genders.js';
import { BODY_NAMES, type BodyName } from '../../src/lookup/format.js';
import { zOfPercentile } from '../../src/lookup/quantile-curve.js';
import { OLDEST_GROUP_YEARS } from '../fit/drivers/smoothing.js';
import { bodyMarginal } from '../model/drivers.js';
import { countryDrivers, type FittedModel } from '../model/fitted-model.js';
import { lnQuantile } from '../numerics/marginal.js';
import type { Survey } from '../raw-tables/surveys.js';

/** Percentiles compared. */
const PERCENTILES = [5, 50, 95, 99] as const;

/** One percentile of BMI or body mass in one age group: model less NHANES, in the group's SD. */
export interface BodyError {
  readonly name: BodyName;
  readonly ageYears: number;
  readonly percentile: (typeof PERCENTILES)[number];
  readonly errorSd: number;
}

const PERIOD = '2011-2023/';
const VARIABLES: Readonly<Record<BodyName, string>> = { BMI: 'Bmi', BodyMass: 'BodyMass' };

/** Compares BMI and body mass of the model's United States with NHANES 2011–2023, from 2 years on. */
export function scoreBody(model: FittedModel, nhanes: Survey): BodyError[] {
  return [...nhanes.groups].flatMap(([key, { moments }]) => {
    const [gender, group = ''] = key.split('|');
    const known = GENDERS.find((name) => name === gender);
    const age = moments.get('AgeYears');
    if (known === undefined || age === undefined) return [];
    if (!group.startsWith(PERIOD) || group.includes('/m')) return [];
    const ageYears = group.endsWith('80+') ? OLDEST_GROUP_YEARS : age.mean;
    const drivers = countryDrivers(model, known, 'US', ageYears);
    return BODY_NAMES.flatMap((name) => {
      const moment = moments.get(VARIABLES[name]);
      if (moment === undefined) return [];
      return PERCENTILES.map((percentile) => {
        const predicted = Math.exp(
          lnQuantile(bodyMarginal(name, drivers), zOfPercentile(percentile)),
        );
        const errorSd = (predicted - moment[`p${percentile}`]) / moment.sd;
        return { name, ageYears, percentile, errorSd };
      });
    });
  });
}
