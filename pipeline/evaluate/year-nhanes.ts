import { GENDERS } from '../../src/core/genders.js';
import type { MeasurementName } from '../../src/core/measurements.js';
import { zOfPercentile } from '../../src/lookup/cell.js';
import { groupCovariates } from '../fit/covariates/group-covariates.js';
import { OLDEST_GROUP_YEARS } from '../fit/covariates/smoothing.js';
import type { Covariates } from '../model/covariates.js';
import { countryCovariates, type FittedModel } from '../model/fitted-model.js';
import { type Population, Populations } from '../model/population.js';
import { lnQuantile } from '../numerics/marginal.js';
import { REFERENCE_YEAR, YEARS_FROM_AGE } from '../plans/axes.js';
import type { Survey, SurveyGroup } from '../raw-tables/surveys.js';
import type { YearError } from './year-errors.js';

/** The earlier period of NHANES and its middle. */
const PERIOD = '1999-2006/';
export const NHANES_YEAR = 2003;

/** Girths that both periods measured in the same way, and girths of the earlier period only. */
const GIRTHS: readonly (readonly [measurement: MeasurementName, variable: string])[] = [
  ['WaistCircumferenceAbdominal', 'WaistCircumferenceIliac'],
  ['UpperArmCircumferenceMidpoint', 'UpperArmCircumferenceMidpoint'],
  ['CalfCircumference', 'CalfCircumference'],
  ['ThighCircumferenceMidpoint', 'ThighCircumferenceMidpoint'],
];
const PERCENTILES = [5, 50, 95] as const;

const PEOPLE = 'NHANES 1999–2006, adults';

/** Age that separates the two groups for which stature is reported. */
const OLD_YEARS = 60;

function covariateErrors(
  age: number,
  seen: Covariates,
  own: Covariates,
  reference: Covariates,
): YearError[] {
  const ages = age < OLD_YEARS ? `below ${OLD_YEARS} years` : `from ${OLD_YEARS} years`;
  const error = (
    quantity: string,
    of: (covariates: Covariates) => number,
    unit: number,
  ): YearError => ({
    ...{ people: PEOPLE, quantity },
    ownYear: (of(own) - of(seen)) / unit,
    referenceYear: (of(reference) - of(seen)) / unit,
  });
  return [
    error(`mean of ln stature ${ages}, SD`, (covariates) => covariates.lnStature, seen.lnStatureSd),
    error('mean of ln BMI, SD', (covariates) => covariates.lnBmi, seen.lnBmiSd),
    error('SD of ln BMI, ln ratio', (covariates) => Math.log(covariates.lnBmiSd), 1),
  ];
}

/**
 * Compares the model's United States of 2003 with NHANES 1999–2006, by gender and age group of adults: the covariates,
 * and P5, P50 and P95 of girths. The model of the reference year is compared in the same way. The model takes the level
 * from NHANES 2011–2023 and the change from NCD-RisC, which uses NHANES among other surveys.
 */
export function scoreNhanesYear(model: FittedModel, nhanes: Survey): YearError[] {
  const populations = new Populations(model);
  return GENDERS.flatMap((gender) => {
    const [own, reference] = [NHANES_YEAR, REFERENCE_YEAR].map((year) =>
      populations.of(gender, 'US', year),
    ) as [Population, Population];
    const groups = [...nhanes.groups].flatMap(([key, group]): [number, SurveyGroup][] => {
      if (!key.startsWith(`${gender}|${PERIOD}`) || key.includes('/m')) return [];
      if (!group.moments.has('Bmi')) return [];
      const age = key.endsWith('80+') ? OLDEST_GROUP_YEARS : group.moment('AgeYears').mean;
      return age < YEARS_FROM_AGE ? [] : [[age, group]];
    });
    return groups.flatMap(([age, group]) => {
      const covariates = [NHANES_YEAR, REFERENCE_YEAR].map((year) =>
        countryCovariates(model, gender, 'US', age, year),
      ) as [Covariates, Covariates];
      const girths = GIRTHS.flatMap(([measurement, variable]) => {
        const moment = group.moments.get(variable);
        if (moment === undefined) return [];
        const marginals = [own, reference].map((population) =>
          population.at(age).marginal(measurement),
        );
        return PERCENTILES.map((percentile): YearError => {
          const errors = marginals.map((marginal) => {
            const mm = Math.exp(lnQuantile(marginal, zOfPercentile(percentile)));
            return (mm - moment[`p${percentile}`]) / moment.sd;
          });
          const [ownYear, referenceYear] = errors as [number, number];
          const quantity = `P${percentile} of waist, arm, calf and thigh girth, SD`;
          return { people: PEOPLE, quantity, ownYear, referenceYear };
        });
      });
      return [...covariateErrors(age, groupCovariates(group), ...covariates), ...girths];
    });
  });
}
