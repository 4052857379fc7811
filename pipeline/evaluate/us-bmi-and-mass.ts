import { GENDERS } from '../../src/core/genders.js';
import { BODY_NAMES, type BodyName } from '../../src/lookup/format.js';
import { zOfPercentile } from '../../src/lookup/quantile-curve.js';
import { OLDEST_GROUP_YEARS } from '../fit/drivers/smoothing.js';
import { bodyMarginal } from '../model/drivers.js';
import { countryDrivers, type FittedModel } from '../model/fitted-model.js';
import { lnQuantile } from '../numerics/marginal.js';
import { mean } from '../numerics/numbers.js';
import type { Survey } from '../raw-tables/surveys.js';
import { paragraphs, table, two } from './markdown.js';

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

/** Age groups of the table, with their first and last ages in years. */
const AGE_GROUPS = [
  ['2–19 years', 0, 20],
  ['20 and over', 20, 121],
] as const;

/** The section on BMI and body mass. */
export function bodySection(errors: readonly BodyError[]): string {
  const rows = BODY_NAMES.flatMap((name) =>
    AGE_GROUPS.map(([label, from, to]) => {
      const own = errors.filter((e) => e.name === name && e.ageYears >= from && e.ageYears < to);
      const cells = PERCENTILES.map((percentile) =>
        two(mean(own.filter((e) => e.percentile === percentile).map((e) => Math.abs(e.errorSd)))),
      );
      return [name === 'BMI' ? 'BMI' : 'body mass', label, ...cells];
    }),
  );
  return paragraphs([
    '## BMI and body mass against NHANES',
    'Mean absolute error over age groups and genders, in SD. The drivers are fitted to the moments of the logarithms in NHANES 2011–2023; the percentiles were not fitted.',
    table(['quantity', 'age', ...PERCENTILES.map((p) => `P${p}`)], rows),
  ]);
}
