import { GENDERS } from '../../src/core/genders.js';
import { zOfPercentile } from '../../src/lookup/cell.js';
import { MASS_QUANTITIES, type MassQuantity } from '../../src/lookup/format.js';
import { OLDEST_GROUP_YEARS } from '../fit/covariates/smoothing.js';
import { bodyMarginal } from '../model/covariates.js';
import { countryCovariates, type FittedModel } from '../model/fitted-model.js';
import type { Survey } from '../raw-tables/surveys.js';
import { agesOfGroup, quantileOfGroup } from './over-year.js';

/** Percentiles compared. */
const PERCENTILES = [5, 50, 95, 99] as const;

/** Error of one percentile of BMI or body mass in one age group: model − NHANES, in SD of the group. */
export interface BodyError {
  readonly name: MassQuantity;
  readonly ageYears: number;
  readonly percentile: (typeof PERCENTILES)[number];
  readonly errorSd: number;
}

const PERIOD = '2011-2023/';
const VARIABLES: Readonly<Record<MassQuantity, string>> = { BMI: 'Bmi', BodyMass: 'BodyMass' };

/** Compares BMI and body mass of the model's United States with NHANES 2011–2023, from the age of 2 years. */
export function scoreBody(model: FittedModel, nhanes: Survey): BodyError[] {
  return [...nhanes.groups].flatMap(([key, { moments }]) => {
    const [gender, group = ''] = key.split('|');
    const known = GENDERS.find((name) => name === gender);
    const age = moments.get('AgeYears');
    if (known === undefined || age === undefined) return [];
    if (!group.startsWith(PERIOD) || group.includes('/m')) return [];
    const ageYears = group.endsWith('80+') ? OLDEST_GROUP_YEARS : age.mean;
    return MASS_QUANTITIES.flatMap((name) => {
      const moment = moments.get(VARIABLES[name]);
      if (moment === undefined) return [];
      const quantile = quantileOfGroup(agesOfGroup(ageYears), (at) =>
        bodyMarginal(name, countryCovariates(model, known, 'US', at)),
      );
      return PERCENTILES.map((percentile) => {
        const predicted = quantile(zOfPercentile(percentile));
        const errorSd = (predicted - moment[`p${percentile}`]) / moment.sd;
        return { name, ageYears, percentile, errorSd };
      });
    });
  });
}
